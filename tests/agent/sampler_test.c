/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs with collectors that the test steers. No assertion is about how fast this machine is. */
#include "tests/agent/agent_rig.h"

#include "agent/recorder.h"
#include "agent/sampler.h"
#include "tests/support/alloc_count.h"

/* What the fake collectors do; one run at a time. */
static struct {
	atomic_int samples;
	atomic_int fail_from, fail_to; /* numbers of the samples that fail */
	atomic_int partial;	       /* a failing one gives its first value all the same */
	atomic_int cannot_open;
	atomic_uint_fast64_t nap_ns; /* of a dear sample */
	atomic_int overtaken;	     /* dear samples in whose time the cheap one was asked three times */
} fake;

static const struct metric metrics[] = { { "a", COUNTER, UNIT_COUNT, 0, FOLD_NONE },
					 { "b", COUNTER, UNIT_COUNT, 0, FOLD_NONE } };
static const char *const instances[] = { "" };

struct fake_state {
	struct shape shape;
	int command;
};

static int fake_probe(const struct collector *self, const struct host *host, struct err *err)
{
	return 0;
}

static int fake_open(const struct collector *self, void *state, const struct host *host, struct err *err)
{
	struct fake_state *f = state;

	if (atomic_load(&fake.cannot_open))
		return err_set(err, -EACCES, "proc/fake: Permission denied");
	f->command = host->command;
	f->shape = (struct shape){ self->name, 0, metrics, 2, instances, 1 };
	return 0;
}

static const struct shape *fake_shape(const void *state)
{
	return &((const struct fake_state *)state)->shape;
}

static int fake_sample(void *state, struct sample *out, struct err *err)
{
	int n = atomic_fetch_add(&fake.samples, 1);
	bool fails = n >= atomic_load(&fake.fail_from) && n < atomic_load(&fake.fail_to);

	if (!fails || atomic_load(&fake.partial))
		sample_put(out, 0, 0, (uint64_t)n);
	if (fails)
		return err_set(err, -EIO, "proc/fake: Input/output error");
	sample_put(out, 1, 0, (uint64_t)n * 10);
	return 0;
}

static int nap_sample(void *state, struct sample *out, struct err *err)
{
	const struct timespec nap = { 0, (long)atomic_load(&fake.nap_ns) };

	(void)nanosleep(&nap, NULL);
	sample_put(out, 0, 0, 1);
	return 0;
}

static int slow_sample(void *state, struct sample *out, struct err *err)
{
	const struct timespec nap = { 0, 1000000 };
	int before = atomic_load(&fake.samples);

	for (int i = 0; i < 300 && atomic_load(&fake.samples) < before + 3; i++)
		(void)nanosleep(&nap, NULL);
	if (atomic_load(&fake.samples) >= before + 3)
		(void)atomic_fetch_add(&fake.overtaken, 1);
	sample_put(out, 0, 0, 1);
	return 0;
}

static void fake_close(void *state)
{
}

#define FAKE(n)                                                                                                   \
	.name = n, .description = "", .source = "", .state_size = sizeof(struct fake_state), .probe = fake_probe, \
	.open = fake_open, .shape = fake_shape, .close = fake_close

static const struct collector cheap = { FAKE("cheap"), .sample = fake_sample };
static const struct collector other = { FAKE("other"), .sample = fake_sample };

static int fake_notes(const void *state, struct pairs *ret)
{
	return pairs_set(ret, "command", ((const struct fake_state *)state)->command > 0 ? "known" : "unknown");
}

static const struct collector talkative = { FAKE("talkative"), .sample = fake_sample, .notes = fake_notes };
static const struct collector slow = { FAKE("slow"), .sample = slow_sample, .dear = true };
static const struct collector dear = { FAKE("dear"), .sample = nap_sample, .dear = true };

static int setup(void **state)
{
	atomic_store(&fake.samples, 0);
	atomic_store(&fake.fail_from, 0);
	atomic_store(&fake.fail_to, 0);
	atomic_store(&fake.partial, 0);
	atomic_store(&fake.cannot_open, 0);
	atomic_store(&fake.nap_ns, 0);
	atomic_store(&fake.overtaken, 0);
	return rig_setup(state);
}

static void samples_before_and_after_a_command_that_takes_no_time(void **state)
{
	struct rig *rig = *state;
	const struct collector_choice choices[] = { { .collector = &cheap }, { .collector = &dear } };

	rig->plan.choices = choices;
	rig->plan.choice_count = 2;
	rig->plan.tick_ns = UINT64_C(3600000000000);
	assert_int_equal(rig_run(rig, "true"), 0);
	assert_int_equal(rig_count(rig, "snapshot "), 2);
	assert_int_equal(rig_count(rig, "  cheap/1 "), 2);
	assert_int_equal(rig_count(rig, "  dear/1 "), 2); /* every one, of both lanes */
	assert_true(rig_was_told(rig, ": a[]=0 b[]=0\n"));
	assert_true(rig_was_told(rig, ": a[]=1 b[]=10\n"));
	assert_true(strstr(rig->told.data, "a[]=0") < strstr(rig->told.data, "command.start"));
	assert_true(strstr(rig->told.data, "command.end") < strstr(rig->told.data, "a[]=1 b[]=10"));
}

static void gives_each_collector_its_interval(void **state)
{
	struct rig *rig = *state;
	const struct collector_choice choices[] = {
		{ .collector = &cheap, .interval_ns = 20000000 },
		{ .collector = &other, .interval_ns = 60000000 },
	};
	struct text rest, line;
	uint64_t tick = 0;
	size_t seen = 0;

	rig->plan.choices = choices;
	rig->plan.choice_count = 2;
	rig->plan.tick_ns = 10000000;
	assert_int_equal(rig_run(rig, "sleep 0.5"), 0);
	assert_true(rig_count(rig, "  cheap/1 ") >= 3);
	assert_true(rig_count(rig, "  cheap/1 ") >= rig_count(rig, "  other/1 "));
	/* Between the marks a snapshot's tick is a multiple of 2, and of 6 where the other one is in it, unless it
	 * makes up for a missed one. */
	for (rest = buf_text(&rig->told); text_line(&rest, &line);) {
		if (text_skip(&line, "snapshot "))
			assert_true(text_u64(&line, &tick));
		if (text_ends(line, " command.end "))
			break;
		if (text_starts(line, "  other/1 ") && rig->outcome.end.ticks_missed == 0) {
			assert_int_equal(tick % 6, 0);
			seen++;
		}
		if (text_starts(line, "  cheap/1 "))
			assert_int_equal(tick % 2, 0);
	}
	assert_true(seen > 0 || rig->outcome.end.ticks_missed > 0);
}

static void misses_deadlines_and_says_so_without_stretching_the_interval(void **state)
{
	struct rig *rig = *state;
	const struct collector_choice choices[] = { { .collector = &dear, .interval_ns = 10000000 } };

	atomic_store(&fake.nap_ns, 45000000); /* four and a half intervals */
	rig->plan.choices = choices;
	rig->plan.choice_count = 1;
	rig->plan.tick_ns = 10000000;
	assert_int_equal(rig_run(rig, "sleep 0.5"), 0);
	assert_true(rig->outcome.end.ticks_missed >= 3);
	assert_true(rig_was_told(rig, " missed "));
	assert_int_equal(rig_result(rig, "agent.ticks_missed"), (int)rig->outcome.end.ticks_missed);
}

/* A dear sample lasts until the cheap one was asked three times more, which it only is in a lane of its own. */
static void a_dear_collector_makes_no_cheap_one_late(void **state)
{
	struct rig *rig = *state;
	const struct collector_choice choices[] = { { .collector = &slow, .interval_ns = 10000000 },
						    { .collector = &cheap, .interval_ns = 10000000 } };

	rig->plan.choices = choices;
	rig->plan.choice_count = 2;
	rig->plan.tick_ns = 10000000;
	assert_int_equal(rig_run(rig, "sleep 0.5"), 0);
	assert_true(atomic_load(&fake.overtaken) >= 1);
	assert_true(rig_count(rig, "  slow/1 ") >= 3); /* and what it gave is recorded: before, while and after */
}

static void runs_without_a_collector_that_cannot_be_opened(void **state)
{
	struct rig *rig = *state;
	const struct collector_choice choices[] = { { .collector = &cheap } };

	atomic_store(&fake.cannot_open, 1);
	rig->plan.choices = choices;
	rig->plan.choice_count = 1;
	assert_int_equal(rig_run(rig, "true"), 0);
	assert_int_equal(rig_count(rig, "cheap proc/fake: Permission denied"), 1);
	assert_int_equal(rig_count(rig, "  cheap/"), 0);
	assert_int_equal(rig_count(rig, "snapshot "), 2);
}

/* A sampler alone, whose time between attempts is nothing: `times` whole snapshots, told. `each` comes before each. */
static void sample_alone(struct rig *rig, int times, void (*each)(int n))
{
	const struct collector_choice choice = { .collector = &cheap };
	struct spool spool;
	struct recorder recorder = {
		.spool = &spool,
		.header = { .run = { RIG_RUN }, .host = "", .boot_id = "", .agent_version = "", .tick_ns = 1000 },
		.seal_ns = UINT64_MAX / 4,
	};
	struct sampler sampler = { .host = &rig->host, .recorder = &recorder, .tick_ns = 1000, .retry_ns = 1 };
	const struct run_end end = { .exited = true };
	struct buf sealed = { 0 };

	assert_int_equal(spool_open(&spool, rig->spool, &rig->plan.run, "local", 0, &rig->err), 0);
	assert_int_equal(recorder_start(&recorder, &rig->err), 0);
	each(-1);
	assert_int_equal(sampler_open(&sampler, &choice, 1, &rig->err), 0);
	for (int n = 0; n < times; n++) {
		size_t before = alloc_count();

		each(n);
		sampler_whole(&sampler);
		if (n > 2) /* shapes are known, buffers have grown */
			assert_int_equal(alloc_count(), before);
	}
	assert_int_equal(atomic_load(&sampler.missed), 0);
	sampler_close(&sampler);
	assert_int_equal(recorder_finish(&recorder, &end), 1);
	assert_int_equal(spool_read(&spool, 1, &sealed, &rig->err), 0);
	assert_int_equal(segment_read(buf_text(&sealed), NULL, false, &told_events, &rig->told, NULL, &rig->err), 0);
	buf_free(&sealed);
	spool_drop(&spool, 1);
	spool_close(&spool);
}

static void fail_in_the_middle(int n)
{
	atomic_store(&fake.partial, 1);
	atomic_store(&fake.fail_from, 1);
	atomic_store(&fake.fail_to, 4);
}

static void tells_a_failure_once_and_that_it_is_over(void **state)
{
	struct rig *rig = *state;

	sample_alone(rig, 6, fail_in_the_middle);
	assert_int_equal(rig_count(rig, "cheap proc/fake: Input/output error"), 1);
	assert_int_equal(rig_count(rig, "cheap works again"), 1);
	assert_true(rig_was_told(rig, ": a[]=2 b[]=-\n")); /* the part that could be had */
	assert_true(rig_was_told(rig, ": a[]=4 b[]=40\n"));
	assert_int_equal(rig_count(rig, "  cheap/1 "), 6);
}

static void open_at_the_third(int n)
{
	atomic_store(&fake.cannot_open, n < 2);
}

static void tries_a_collector_again_that_gave_nothing(void **state)
{
	struct rig *rig = *state;

	sample_alone(rig, 3, open_at_the_third);
	assert_int_equal(rig_count(rig, "Permission denied"), 1); /* three attempts failed */
	assert_int_equal(rig_count(rig, "cheap works again"), 1);
	assert_int_equal(rig_count(rig, "  cheap/1 "), 1);
}

static void notes_of_a_collector_become_facts_of_the_run(void **state)
{
	struct rig *rig = *state;
	const struct collector_choice choices[] = { { .collector = &talkative } };

	rig->plan.choices = choices;
	rig->plan.choice_count = 1;
	assert_int_equal(rig_run(rig, "true"), 0);
	assert_int_equal(rig_count(rig, "talkative.command=known"), 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, rig_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(samples_before_and_after_a_command_that_takes_no_time),
		TEST(gives_each_collector_its_interval),
		TEST(misses_deadlines_and_says_so_without_stretching_the_interval),
		TEST(a_dear_collector_makes_no_cheap_one_late),
		TEST(tells_a_failure_once_and_that_it_is_over),
		TEST(runs_without_a_collector_that_cannot_be_opened),
		TEST(tries_a_collector_again_that_gave_nothing),
		TEST(notes_of_a_collector_become_facts_of_the_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
