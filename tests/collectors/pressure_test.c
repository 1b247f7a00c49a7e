/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/alloc_count.h"
#include "tests/support/rig.h"

extern const struct collector collector_pressure;

static void each_line_stands_for_itself(void **state)
{
	struct rig *rig = *state;
	size_t before;

	rig_file(rig, "proc/pressure/cpu", "some avg10=1.23 avg60=0.05 avg300=0.01 total=111749368752\n");
	rig_file(rig, "proc/pressure/irq", "full avg10=0.00 avg60=100.00 avg300=0.00 total=100648410\n");
	rig_start(rig, &collector_pressure);
	assert_int_equal(rig_value_of(rig, "some.avg10", "cpu"), 123);
	assert_int_equal(rig_value_of(rig, "some.total", "cpu"), 111749368752);
	assert_false(rig_has_of(rig, "full.total", "cpu"));
	assert_int_equal(rig_value_of(rig, "full.avg60", "irq"), 10000);
	assert_false(rig_has_of(rig, "some.total", "irq"));
	assert_int_equal(rig->run.shape.instance_count, 2); /* io and memory have no file */
	assert_int_equal(rig_metric(rig, "some.avg10")->exponent, 2);
	assert_int_equal(rig_metric(rig, "some.total")->exponent, 0);
	assert_int_equal(rig_metric(rig, "some.total")->kind, COUNTER);
	before = alloc_count();
	rig_again(rig);
	assert_int_equal(alloc_count(), before);
}

static void full_can_be_left_out(void **state)
{
	struct rig *rig = *state;
	const char *const options[] = { "full", "no", NULL };

	rig_file(rig, "proc/pressure/io",
		 "some avg10=1.00 avg60=0.05 avg300=0.01 total=5\nfull avg10=1.00 avg60=0.05 avg300=0.01 total=4\n");
	assert_int_equal(rig_open_with(rig, &collector_pressure, options), 0);
	rig_again(rig);
	assert_int_equal(rig_value_of(rig, "some.total", "io"), 5);
	assert_int_equal(rig->run.shape.metric_count, 4);
}

static void an_option_nobody_knows_is_refused(void **state)
{
	struct rig *rig = *state;
	const char *const options[] = { "half", "no", NULL };

	assert_int_equal(rig_open_with(rig, &collector_pressure, options), -ENOENT);
	assert_string_equal(rig->err.text, "no option 'half'");
}

static void what_is_no_number_is_named_and_the_others_stand(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/pressure/cpu", "some avg10=x avg60=0.05 avg300=0.01 total=1\n");
	rig_file(rig, "proc/pressure/io", "some avg10=1.00 avg60=0.05 avg300=0.01 total=5\nbrand new\n");
	assert_int_equal(rig_open(rig, &collector_pressure), 0);
	assert_int_equal(rig_sample(rig), -EBADMSG);
	assert_string_equal(rig->err.text, "proc/pressure/cpu: no number for some.avg10");
	assert_int_equal(rig_value_of(rig, "some.total", "io"), 5);
}

static void a_kernel_without_it_says_so(void **state)
{
	struct rig *rig = *state;

	assert_int_equal(rig_open(rig, &collector_pressure), -ENOENT);
	assert_string_equal(rig->err.text, "proc/pressure/cpu: No such file or directory");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RIG_TEST(each_line_stands_for_itself),
		RIG_TEST(full_can_be_left_out),
		RIG_TEST(an_option_nobody_knows_is_refused),
		RIG_TEST(what_is_no_number_is_named_and_the_others_stand),
		RIG_TEST(a_kernel_without_it_says_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
