/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The run of a collector, with collectors made for it. */
#include <string.h>

#include "tests/support/rig.h"

struct made {
	int64_t results; /* of the samples of one opening, the last digit first: 0 well, 1 stale, 2 EIO */
	struct shape shape;
};

static int openings, closings, open_fails, inherited;
static const struct metric metrics[] = { { .name = "a" }, { .name = "b" } };
static const char *const instances[] = { "" };

static const struct option options[] = {
	{ "results", OPT_NUMBER, offsetof(struct made, results), "0", "What the samples come to." },
	{ 0 },
};

static int made_open(const struct collector *self, void *state, const struct host *host, struct err *err)
{
	struct made *m = state;

	openings++;
	m->shape = (struct shape){ .collector = "made", .metrics = metrics, .metric_count = 2,
				   .instances = instances, .instance_count = 1 };
	return openings > 1 && open_fails ? err_set(err, -EIO, "gone") : 0;
}

static const struct shape *made_shape(const void *state)
{
	return &((const struct made *)state)->shape;
}

static int made_sample(void *state, struct sample *out, struct err *err)
{
	struct made *m = state;
	int64_t result = m->results % 10;

	m->results /= 10;
	sample_put(out, 0, 0, 7);
	if (result == 1)
		return err_set(err, -ESTALE, "stale");
	if (result == 2)
		return err_set(err, -EIO, "b cannot be read");
	sample_put(out, 1, 0, 8);
	return 0;
}

static void made_close(void *state)
{
	closings++;
}

static void made_inherit(void *state, void *old)
{
	assert_int_equal(openings, closings + 1); /* the old one is still open, the new one not yet */
	assert_ptr_not_equal(state, old);
	assert_int_equal(((struct made *)old)->shape.metric_count, 2);
	inherited++;
}

static const struct collector made = {
	.name = "made",
	.description = "made for this test",
	.source = "proc/made",
	.options = options,
	.state_size = sizeof(struct made),
	.open = made_open,
	.shape = made_shape,
	.sample = made_sample,
	.close = made_close,
	.inherit = made_inherit,
};

static void start(struct rig *rig, const char *results, int fails)
{
	static const char *pair[3];

	openings = closings = inherited = 0;
	open_fails = fails;
	pair[0] = "results";
	pair[1] = results;
	assert_int_equal(rig_open_with(rig, &made, pair), 0);
}

static void a_sample_tells_when_and_how_long(void **state)
{
	struct rig *rig = *state;
	uint64_t first;

	start(rig, "0", 0);
	assert_int_equal(rig->run.shape.generation, 1);
	rig_again(rig);
	first = rig->run.sample.begin_ns;
	assert_true(first > 0);
	assert_true(rig->run.sample.cost_ns < 1000000000);
	rig_again(rig);
	assert_true(rig->run.sample.begin_ns >= first + rig->run.sample.cost_ns);
	assert_int_equal(rig_value(rig, "b"), 8);
}

static void a_stale_one_is_opened_anew_and_tried_again(void **state)
{
	struct rig *rig = *state;

	start(rig, "010", 0); /* each opening begins with a good sample, then a stale one */
	rig_again(rig);
	rig_again(rig);
	assert_int_equal(rig->run.shape.generation, 2);
	assert_int_equal(openings, 2);
	assert_int_equal(closings, 1);
	assert_int_equal(inherited, 1);
	assert_int_equal(rig_count(rig), 2);
}

static void one_that_stays_stale_is_reported_and_absent(void **state)
{
	struct rig *rig = *state;

	start(rig, "1", 0);
	assert_int_equal(rig_sample(rig), -ESTALE);
	assert_string_equal(rig->err.text, "stale");
	assert_int_equal(rig->run.shape.generation, 4);
	assert_int_equal(rig_count(rig), 0);
}

static void what_a_failing_one_put_stands_and_the_rest_is_absent(void **state)
{
	struct rig *rig = *state;

	start(rig, "20", 0);
	rig_again(rig);
	assert_int_equal(rig_sample(rig), -EIO);
	assert_int_equal(rig_value(rig, "a"), 7);
	assert_false(rig_has(rig, "b"));
}

static void one_that_cannot_be_opened_anew_has_no_metrics_and_comes_back(void **state)
{
	struct rig *rig = *state;

	start(rig, "010", 1);
	rig_again(rig);
	assert_int_equal(rig_sample(rig), -EIO);
	assert_string_equal(rig->err.text, "gone");
	assert_int_equal(rig_count(rig), 0);
	assert_int_equal(rig->run.shape.metric_count, 0);
	assert_string_equal(rig->run.shape.collector, "made");
	assert_int_equal(openings, closings);
	open_fails = 0;
	rig_again(rig);
	assert_int_equal(rig_count(rig), 2);
	assert_int_equal(rig->run.shape.generation, 2);
}

static void a_shape_that_cannot_be_recorded_is_refused(void **state)
{
	struct rig *rig = *state;
	struct buf file = { 0 };

	for (int i = 0; i < 5000; i++)
		(void)buf_printf(&file, "C%d ", i);
	(void)buf_putc(&file, '\n');
	for (int i = 0; i < 5000; i++)
		(void)buf_printf(&file, "%d: 1 2 x\n", i);
	rig_file(rig, "proc/interrupts", file.data);
	buf_free(&file);
	assert_int_equal(rig_open(rig, collector_find("interrupts")), -E2BIG);
	assert_string_equal(rig->err.text, "interrupts: 5000 x 5000 numbers are more than can be recorded");
}

static void closing_twice_and_never_opened_is_allowed(void **state)
{
	struct collector_run run = { 0 };

	collector_run_close(&run);
	collector_run_close(&run);
}

static void every_collector_is_found_by_its_name(void **state)
{
	static const char *const names[] = { "proc-vmstat", "meminfo", "proc-stat", "interrupts", "softirqs",
					     "diskstats", "slabinfo", "cpuidle", "uptime", "pressure", "numa-vmstat",
					     "numa-meminfo", "numa-numastat" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const struct collector *c = collector_find(names[i]);

		assert_non_null(c);
		assert_string_equal(c->name, names[i]);
		assert_true(strlen(c->description) > 0);
		assert_non_null(c->hints);
		for (const struct hint *h = c->hints; h->key; h++)
			assert_true(h->kind != KIND_UNKNOWN && strlen(h->help) > 0);
	}
	assert_null(collector_find("nothing"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RIG_TEST(a_sample_tells_when_and_how_long),
		RIG_TEST(a_stale_one_is_opened_anew_and_tried_again),
		RIG_TEST(one_that_stays_stale_is_reported_and_absent),
		RIG_TEST(what_a_failing_one_put_stands_and_the_rest_is_absent),
		RIG_TEST(one_that_cannot_be_opened_anew_has_no_metrics_and_comes_back),
		RIG_TEST(a_shape_that_cannot_be_recorded_is_refused),
		cmocka_unit_test(closing_twice_and_never_opened_is_allowed),
		cmocka_unit_test(every_collector_is_found_by_its_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
