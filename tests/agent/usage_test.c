/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "agent/schedule.h"
#include "agent/usage.h"
#include "base/buf.h"

static void put(void *context, const struct run_result *result)
{
	(void)buf_printf(context, "%s=%.15g\n", result->key, result->value);
}

static struct buf told_of(const struct command_end *end)
{
	struct buf told = { 0 };

	usage_tell("fsmark", end, 4096, put, &told);
	return told;
}

static void cuts_times_to_hundredths(void **state)
{
	const struct command_end end = {
		.elapsed_ns = UINT64_C(3599999999999),
		.usage = {
			.ru_utime = { 12, 349999 }, .ru_stime = { 0, 9999 }, .ru_maxrss = 1234, .ru_minflt = 5,
			.ru_majflt = 6, .ru_nvcsw = 7, .ru_nivcsw = 8, .ru_inblock = 9, .ru_oublock = 10,
		},
		.exit_code = 3,
	};
	struct buf told = told_of(&end);

	assert_string_equal(told.data, "fsmark.time.user_time=12.34\n"
				       "fsmark.time.system_time=0\n"
				       "fsmark.time.percent_of_cpu_this_job_got=0\n"
				       "fsmark.time.elapsed_time=3599.99\n"
				       "fsmark.time.average_shared_text_size=0\n"
				       "fsmark.time.average_unshared_data_size=0\n"
				       "fsmark.time.average_stack_size=0\n"
				       "fsmark.time.average_total_size=0\n"
				       "fsmark.time.maximum_resident_set_size=1234\n"
				       "fsmark.time.average_resident_set_size=0\n"
				       "fsmark.time.major_page_faults=6\n"
				       "fsmark.time.minor_page_faults=5\n"
				       "fsmark.time.voluntary_context_switches=7\n"
				       "fsmark.time.involuntary_context_switches=8\n"
				       "fsmark.time.swaps=0\n"
				       "fsmark.time.file_system_inputs=9\n"
				       "fsmark.time.file_system_outputs=10\n"
				       "fsmark.time.socket_messages_sent=0\n"
				       "fsmark.time.socket_messages_received=0\n"
				       "fsmark.time.signals_delivered=0\n"
				       "fsmark.time.page_size=4096\n"
				       "fsmark.time.exit_status=3\n");
	buf_free(&told);
}

static void tells_whole_seconds_from_an_hour_on(void **state)
{
	const struct command_end end = { .elapsed_ns = UINT64_C(3600999999999) };
	struct buf told = told_of(&end);

	assert_non_null(strstr(told.data, "elapsed_time=3600\n"));
	buf_free(&told);
}

static void cuts_the_percentage(void **state)
{
	const struct command_end end = {
		.elapsed_ns = 3000000000, .usage = { .ru_utime = { 1, 0 }, .ru_stime = { 4, 0 } }
	};
	const struct command_end none = { .elapsed_ns = 999999, .usage = { .ru_utime = { 1, 0 } } };
	struct buf told = told_of(&end), unknown = told_of(&none);

	assert_non_null(strstr(told.data, "percent_of_cpu_this_job_got=166\n"));
	assert_non_null(strstr(unknown.data, "percent_of_cpu_this_job_got=0\n"));
	buf_free(&told);
	buf_free(&unknown);
}

static void never_moves_a_deadline(void **state)
{
	struct schedule s = { .start_ns = 1000, .tick_ns = 100, .next = 1 };
	struct due due;

	assert_int_equal(schedule_deadline(&s), 1100);
	due = schedule_take(&s, 1130);
	assert_int_equal(due.tick, 1);
	assert_int_equal(due.lateness_ns, 30);
	assert_int_equal(due.missed, 0);
	assert_int_equal(schedule_deadline(&s), 1200); /* not 1230 */
}

static void counts_what_passed_unseen_and_serves_the_last(void **state)
{
	struct schedule s = { .start_ns = 1000, .tick_ns = 100, .next = 2 };
	struct due due = schedule_take(&s, 1599);

	assert_int_equal(due.tick, 5);
	assert_int_equal(due.lateness_ns, 99);
	assert_int_equal(due.missed, 3); /* 2, 3 and 4 */
	assert_int_equal(schedule_deadline(&s), 1600);
	due = schedule_take(&s, 1600);
	assert_int_equal(due.tick, 6);
	assert_int_equal(due.lateness_ns, 0);
	assert_int_equal(due.missed, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cuts_times_to_hundredths),
		cmocka_unit_test(tells_whole_seconds_from_an_hour_on),
		cmocka_unit_test(cuts_the_percentage),
		cmocka_unit_test(never_moves_a_deadline),
		cmocka_unit_test(counts_what_passed_unseen_and_serves_the_last),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
