/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Programs whose output the test steers through a FIFO: `cat` prints what is written there. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "collectors/exec.h"
#include "tests/support/alloc_count.h"
#include "tests/support/rig.h"

#define PATIENT 2000 /* x 5 ms: what must happen is waited for, however slow the machine is */

static const struct collector *made;
static int fifo = -1;

static void nap(void)
{
	const struct timespec t = { 0, 5000000 };

	(void)nanosleep(&t, NULL);
}

static void make(const char *const *argv, unsigned patience_ms)
{
	const struct exec_plan plan = { "mine", "", argv, 0, patience_ms };
	struct err err;

	assert_int_equal(exec_make(&plan, &made, &err), 0);
}

static void make_shell(const char *script, unsigned patience_ms)
{
	const char *const argv[] = { "sh", "-c", script, NULL };

	make(argv, patience_ms);
}

static void say(const char *text)
{
	assert_int_equal(write(fifo, text, strlen(text)), strlen(text));
}

/* Open on a `cat`, with `first` in its pipe. */
static void start(struct rig *rig, const char *first)
{
	char path[512];
	const char *const argv[] = { "cat", path, NULL };

	(void)snprintf(path, sizeof(path), "%s/fifo", rig->folder);
	assert_int_equal(mkfifo(path, 0600), 0);
	fifo = open(path, O_RDWR | O_CLOEXEC);
	assert_true(fifo >= 0);
	say(first);
	make(argv, 60000);
	rig_start(rig, made);
	while (!rig_count(rig) && shape_slots(&rig->run.shape) == 0) /* a slow machine: not in the first half second */
		rig_again(rig);
}

static int setup(void **state)
{
	made = NULL;
	fifo = -1;
	return rig_setup(state);
}

static int teardown(void **state)
{
	struct rig *rig = *state;
	char path[512];
	int r;

	if (fifo >= 0)
		(void)close(fifo);
	(void)snprintf(path, sizeof(path), "%s/fifo", rig->folder);
	(void)unlink(path);
	r = rig_teardown(state); /* closes the run */
	if (made)
		exec_free(made);
	return r;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

/* What was written is on its way through cat. */
static void until(struct rig *rig, const char *metric, uint64_t value)
{
	for (int i = 0; i < PATIENT; i++) {
		rig_again(rig);
		if (rig_has(rig, metric) && rig_value(rig, metric) == value)
			return;
		nap();
	}
	fail_msg("%s never became %llu", metric, (unsigned long long)value);
}

static void until_it_fails(struct rig *rig)
{
	for (int i = 0; i < PATIENT && rig_sample(rig) == 0; i++)
		nap();
	assert_int_equal(rig->err.code, -EAGAIN);
}

static void knows_unit_kind_and_digits(void **state)
{
	struct rig *rig = *state;

	start(rig, "temperature 41.5 degC\nframes 18446744073709551615 count counter\ndrift -3\nload 0.25 gauge\n\n");
	assert_int_equal(rig_value(rig, "temperature"), 415);
	assert_int_equal(rig_metric(rig, "temperature")->exponent, 1);
	assert_int_equal(rig_metric(rig, "temperature")->unit, UNIT_CELSIUS);
	assert_int_equal(rig_metric(rig, "temperature")->kind, GAUGE);
	assert_true(rig_value(rig, "frames") == UINT64_MAX);
	assert_int_equal(rig_metric(rig, "frames")->kind, COUNTER);
	assert_int_equal(rig_metric(rig, "frames")->unit, UNIT_COUNT);
	assert_int_equal((int64_t)rig_value(rig, "drift"), -3);
	assert_int_equal(rig_value(rig, "load"), 25);
	assert_int_equal(rig_metric(rig, "load")->exponent, 2);
}

static void takes_the_last_whole_tick(void **state)
{
	struct rig *rig = *state;

	start(rig, "a 1\n\n");
	say("a 2\n\na 3\n\na 4");
	until(rig, "a", 3);
	rig_again(rig);
	assert_false(rig_has(rig, "a")); /* nothing new, and what is old is not now */
	say("4\n");
	rig_again(rig);
	assert_false(rig_has(rig, "a"));
	say("\n");
	until(rig, "a", 44);
	assert_int_equal(rig->run.shape.generation, 1);
}

static void a_new_name_or_more_digits_are_a_new_generation(void **state)
{
	struct rig *rig = *state;

	start(rig, "a 1\n\n");
	say("b 5\n\n");
	until(rig, "b", 5);
	assert_int_equal(rig->run.shape.generation, 2);
	assert_false(rig_has(rig, "a"));
	say("a 2.5\n\n");
	until(rig, "a", 25);
	assert_int_equal(rig->run.shape.generation, 3);
	say("a 3\nb 6\n\n");
	until(rig, "a", 30);
	assert_int_equal(rig_value(rig, "b"), 6);
	assert_int_equal(rig->run.shape.generation, 3); /* the program was not started anew, or it would know less */
}

static void a_bad_line_costs_that_line(void **state)
{
	struct rig *rig = *state;

	start(rig, "a 1\nc 3\n\n");
	say("a 2\nb x\nc 4\n\n");
	for (int i = 0; i < PATIENT && rig_sample(rig) == 0; i++)
		nap();
	assert_int_equal(rig->err.code, -EBADMSG);
	assert_string_equal(rig->err.text, "mine: no number after b");
	assert_int_equal(rig_value(rig, "a"), 2);
	assert_int_equal(rig_value(rig, "c"), 4);
}

static void a_sample_allocates_nothing(void **state)
{
	struct rig *rig = *state;
	uint64_t before;

	start(rig, "a 1\nb 2.5 s counter\n\n");
	say("a 2\nb 3.5 s counter\n\n");
	before = alloc_count();
	until(rig, "a", 2);
	assert_int_equal(alloc_count() - before, 0);
}

static void tells_how_it_ended_and_what_it_said_last(void **state)
{
	struct rig *rig = *state;

	make_shell("echo trying >&2; printf 'no \\033device\\n' >&2; exit 3", 0);
	assert_int_equal(rig_open(rig, made), 0); /* no number yet is no failure */
	until_it_fails(rig);
	assert_string_equal(rig->err.text, "mine: sh ended with status 3; started anew after 1 s: no ?device");
	assert_int_equal(shape_slots(&rig->run.shape), 0);
}

static void the_last_tick_of_one_that_ends_counts(void **state)
{
	struct rig *rig = *state;

	make_shell("echo a 1; echo", 0);
	assert_int_equal(rig_open(rig, made), 0);
	until(rig, "a", 1);
	until_it_fails(rig);
	for (int i = 0; i < PATIENT && (rig_sample(rig) < 0 || !rig_has(rig, "a")); i++)
		nap();
	assert_int_equal(rig_value(rig, "a"), 1); /* of the next one */
}

static void one_that_cannot_be_started_is_told(void **state)
{
	static const char *const argv[] = { "/no/such/program", NULL };
	struct rig *rig = *state;
	struct host live = rig->host;
	struct err err;

	make(argv, 0);
	assert_int_equal(rig_open(rig, made), 0);
	assert_int_equal(rig_sample(rig), -EAGAIN);
	assert_string_equal(rig->err.text, "mine: /no/such/program cannot be started: No such file or directory");
	assert_int_equal(collector_probe(made, &rig->host, &err), -ENOTSUP); /* a recorded tree */
	live.live = true;
	assert_int_equal(collector_probe(made, &live, &err), -ENOENT);
	assert_string_equal(err.text, "mine: /no/such/program: No such file or directory");
}

static void until_gone(pid_t pid)
{
	for (int i = 0; i < PATIENT && kill(pid, 0) == 0; i++)
		nap();
	assert_int_equal(kill(pid, 0), -1);
}

static void one_that_hangs_is_killed(void **state)
{
	struct rig *rig = *state;

	make_shell("trap '' TERM; echo pid $$; echo; while :; do sleep 100; done", 200);
	assert_int_equal(rig_open(rig, made), 0);
	while (rig_sample(rig) == 0 && !rig_has(rig, "pid"))
		nap();
	{
		pid_t pid = (pid_t)rig_value(rig, "pid");

		until_it_fails(rig);
		assert_non_null(strstr(rig->err.text, "mine: sh finished no tick in its time and was killed"));
		until_gone(pid);
	}
}

static void one_that_never_ends_a_tick_is_killed(void **state)
{
	struct rig *rig = *state;

	make_shell("yes a 1", 0);
	assert_int_equal(rig_open(rig, made), 0);
	until_it_fails(rig);
	assert_non_null(strstr(rig->err.text, "prints a tick of more than 64 KiB and was killed"));
}

static void it_ends_with_its_collector(void **state)
{
	struct rig *rig = *state;
	pid_t pid;

	make_shell("trap '' TERM; echo pid $$; echo; while :; do sleep 100; done", 0);
	assert_int_equal(rig_open(rig, made), 0);
	while (rig_sample(rig) == 0 && !rig_has(rig, "pid"))
		nap();
	pid = (pid_t)rig_value(rig, "pid");
	collector_run_close(&rig->run);
	assert_int_equal(kill(pid, 0), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(knows_unit_kind_and_digits),
		TEST(takes_the_last_whole_tick),
		TEST(a_new_name_or_more_digits_are_a_new_generation),
		TEST(a_bad_line_costs_that_line),
		TEST(a_sample_allocates_nothing),
		TEST(tells_how_it_ended_and_what_it_said_last),
		TEST(the_last_tick_of_one_that_ends_counts),
		TEST(one_that_cannot_be_started_is_told),
		TEST(one_that_hangs_is_killed),
		TEST(one_that_never_ends_a_tick_is_killed),
		TEST(it_ends_with_its_collector),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
