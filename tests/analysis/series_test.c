/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/analysis/play.h"

#include "analysis/series.h"

static const struct metric metrics[] = {
	{ "some.avg10", GAUGE, UNIT_PERCENT, 2, FOLD_NONE },
	{ "some.total", COUNTER, UNIT_MICROSECONDS, 0, FOLD_NONE },
};
static const char *const resources[] = { "cpu", "io" };
static const struct shape pressure = { "pressure", 1, metrics, 2, resources, 2 };

static void tell(struct series *s, const struct shape *shape, uint64_t ns, const int64_t *values)
{
	struct sample sample = { 0 };
	struct snapshot snapshot = { .samples = &sample, .count = 1 };
	struct err err = { 0 };

	assert_int_equal(sample_init(&sample, shape, &err), 0);
	sample.begin_ns = ns;
	for (size_t i = 0; i < shape_slots(shape); i++)
		if (values[i] != ABSENT)
			sample_put(&sample, i / shape->instance_count, i % shape->instance_count, (uint64_t)values[i]);
	assert_int_equal(series_events.snapshot(s, &snapshot, &err), 0);
	sample_free(&sample);
}

#define TELL(s, shape, ns, ...) tell((s), (shape), (ns), (const int64_t[]){ __VA_ARGS__ })

static void keeps_times_and_values_of_the_chosen_keys(void **state)
{
	static const char *const globs[] = { "pressure.*.avg10", "nothing.*" };
	struct run_mark start = { 15, MARK_COMMAND_START, "" }, end = { 35, MARK_COMMAND_END, "" };
	struct series s = { 0 };
	struct err err = { 0 };

	assert_int_equal(series_open(&s, globs, 2, &err), 0);
	TELL(&s, &pressure, 10, 123, 0, 1000, 2000);
	assert_int_equal(series_events.mark(&s, &start, &err), 0);
	TELL(&s, &pressure, 20, 456, ABSENT, 1000, 2000);
	TELL(&s, &pressure, 30, 789, -5, 1000, 2000);
	assert_int_equal(series_events.mark(&s, &end, &err), 0);

	assert_int_equal(s.count, 2);
	assert_int_equal(s.start_ns, 15);
	assert_int_equal(s.end_ns, 35);
	assert_string_equal(s.lines[0].key, "pressure.cpu.some.avg10");
	assert_int_equal(s.lines[0].kind, GAUGE);
	assert_int_equal(s.lines[0].unit, UNIT_PERCENT);
	assert_int_equal(s.lines[0].count, 3);
	assert_int_equal(s.lines[0].at[1].monotonic_ns, 20);
	assert_true(s.lines[0].at[1].value == 4.56);
	assert_string_equal(s.lines[1].key, "pressure.io.some.avg10");
	assert_int_equal(s.lines[1].count, 2);
	assert_int_equal(s.lines[1].at[1].monotonic_ns, 30);
	assert_true(s.lines[1].at[1].value == -0.05);
	series_close(&s);
}

static void without_a_choice_all_keys_are_kept(void **state)
{
	struct series s = { 0 };
	struct err err = { 0 };

	assert_int_equal(series_open(&s, NULL, 0, &err), 0);
	TELL(&s, &pressure, 10, 1, 2, (int64_t)UINT64_C(18446744073709550000), 4);
	assert_int_equal(s.count, 4);
	assert_string_equal(s.lines[2].key, "pressure.cpu.some.total");
	assert_true(s.lines[2].at[0].value == 18446744073709550000.0);
	series_close(&s);
}

static void a_key_goes_on_in_the_next_generation_and_segment(void **state)
{
	static const char *const swapped[] = { "io", "cpu", "memory" };
	static const struct shape second = { "pressure", 2, metrics, 2, swapped, 3 };
	struct shape again = pressure;
	struct run_header header = { 0 };
	struct series s = { 0 };
	struct err err = { 0 };

	assert_int_equal(series_open(&s, NULL, 0, &err), 0);
	TELL(&s, &again, 10, 100, 200, 1, 1);
	TELL(&s, &second, 20, 300, 400, 500, 1, 1, 1);
	again = second;
	again.instance_count = 2; /* the same place, another shape */
	assert_int_equal(series_events.header(&s, &header, &err), 0);
	TELL(&s, &again, 30, 600, 700, 1, 1);
	assert_int_equal(s.count, 6);
	assert_string_equal(s.lines[0].key, "pressure.cpu.some.avg10");
	assert_true(s.lines[0].at[1].value == 4);
	assert_true(s.lines[0].at[2].value == 7);
	series_close(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keeps_times_and_values_of_the_chosen_keys),
		cmocka_unit_test(without_a_choice_all_keys_are_kept),
		cmocka_unit_test(a_key_goes_on_in_the_next_generation_and_segment),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
