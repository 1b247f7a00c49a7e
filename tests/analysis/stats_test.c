/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/reduce.h"
#include "analysis/stats.h"

static void keeps_each_key_once_and_in_byte_order(void **state)
{
	struct stats s = { 0 };

	assert_int_equal(stats_set(&s, "meminfo.Zeta", 1), 0);
	assert_int_equal(stats_set(&s, "meminfo.Alpha", 2), 0);
	assert_int_equal(stats_set(&s, "meminfo.Zeta", 3), 0);
	assert_int_equal(stats_setf(&s, 4, "cpuidle.C%d.time", 1), 0);
	stats_sort(&s);

	assert_int_equal(s.count, 3);
	assert_string_equal(s.at[0].key, "cpuidle.C1.time");
	assert_string_equal(s.at[1].key, "meminfo.Alpha");
	assert_string_equal(s.at[2].key, "meminfo.Zeta");
	assert_true(s.at[2].value == 3);
	stats_free(&s);
}

static void the_last_of_a_thousand_settings_stays(void **state)
{
	struct stats s = { 0 };
	double value = -1;

	for (int i = 0; i < 1000; i++)
		for (int k = 0; k < 50; k++)
			assert_int_equal(stats_setf(&s, i * 100 + k, "k.%d", k), 0);
	stats_sort(&s);
	assert_int_equal(s.count, 50);
	assert_true(stats_get(&s, "k.17", &value));
	assert_true(value == 99917);
	stats_free(&s);
}

static void a_key_that_is_not_there_is_not_zero(void **state)
{
	struct stats s = { 0 };
	double value = 7;

	assert_false(stats_get(&s, "a", &value));
	assert_int_equal(stats_set(&s, "b", 0), 0);
	stats_sort(&s);
	assert_false(stats_get(&s, "a", &value));
	assert_true(value == 7);
	assert_true(stats_get(&s, "b", &value));
	assert_true(value == 0);
	stats_free(&s);
}

static void never_holds_what_is_no_number(void **state)
{
	struct stats s = { 0 };

	assert_int_equal(stats_set(&s, "a", NAN), 0);
	assert_int_equal(stats_set(&s, "b", INFINITY), 0);
	assert_int_equal(stats_set(&s, "c", -INFINITY), 0);
	assert_int_equal(s.count, 0);
	stats_free(&s);
}

static void writes_and_reads_the_same_bits(void **state)
{
	static const double values[] = { 0.1, 1.0 / 3, -2.5e-300, 1.7976931348623157e308, 9007199254740993.0, 0 };
	cleanup_buf struct buf text = { 0 };
	struct stats s = { 0 }, back = { 0 };
	struct err err = { 0 };

	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++)
		assert_int_equal(stats_setf(&s, values[i], "v.%zu", i), 0);
	assert_int_equal(stats_write(&s, &text), 0);
	assert_int_equal(stats_read(buf_text(&text), &back, &err), 0);
	assert_int_equal(back.count, s.count);
	for (size_t i = 0; i < s.count; i++) {
		assert_string_equal(back.at[i].key, s.at[i].key);
		assert_true(back.at[i].value == s.at[i].value);
	}
	stats_free(&s);
	stats_free(&back);
}

static void writes_one_line_a_key(void **state)
{
	cleanup_buf struct buf text = { 0 };
	struct stats s = { 0 };

	assert_int_equal(stats_set(&s, "fsmark.files_per_sec", 8324.75), 0);
	assert_int_equal(stats_set(&s, "with blank\nand newline", 1), 0);
	assert_int_equal(stats_write(&s, &text), 0);
	assert_string_equal(text.data, "assay-stats 2\nfsmark.files_per_sec 8324.75\nwith-blank-and-newline 1\n");
	stats_free(&s);
}

static void refuse(const char *text, int code, const char *words)
{
	struct stats s = { 0 };
	struct err err = { 0 };

	assert_int_equal(stats_read(text_of(text), &s, &err), code);
	assert_string_equal(err.text, words);
	assert_int_equal(s.count, 0);
}

static void refuses_what_it_did_not_write(void **state)
{
	refuse("", -EBADMSG, "stats: the first line is not \"assay-stats N\"");
	refuse("assay-stats 2 \n", -EBADMSG, "stats: the first line is not \"assay-stats N\"");
	refuse("assay-stats 0\na 1\n", -ESTALE, "stats of rules 0, this program has 2");
	refuse("assay-stats 2\na 1\nb\n", -EBADMSG, "stats:3: not \"KEY VALUE\"");
	refuse("assay-stats 2\na nan\n", -EBADMSG, "stats:2: not \"KEY VALUE\"");
	refuse("assay-stats 2\na 1e999\n", -EBADMSG, "stats:2: not \"KEY VALUE\"");
	refuse("assay-stats 2\na 0x10\n", -EBADMSG, "stats:2: not \"KEY VALUE\"");
	refuse("assay-stats 2\na 12", -EBADMSG, "stats: the last line is torn");
}

static void expect_key(const char *collector, const char *instance, const char *metric, const char *key)
{
	cleanup_buf struct buf b = { 0 };

	assert_int_equal(key_of(collector, instance, metric, &b), 0);
	assert_string_equal(b.data, key);
}

static void names_keys_as_the_kernel_test_robot_does(void **state)
{
	expect_key("proc-vmstat", "", "nr_dirty", "proc-vmstat.nr_dirty");
	expect_key("numa-vmstat", "node0", "nr_written", "numa-vmstat.node0.nr_written");
	expect_key("slabinfo", "kmalloc-64", "num_objs", "slabinfo.kmalloc-64.num_objs");
	expect_key("interrupts", "CPU10", "NMI:Non-maskable_interrupts",
		   "interrupts.CPU10.NMI:Non-maskable_interrupts");
	expect_key("diskstats", "nvme0n1", "read_ios", "diskstats.read_ios.nvme0n1");
	expect_key("proc-stat", "", "softirqs", "proc-stat.softirq");
	expect_key("proc-stat", "", "softirq", "proc-stat.cpu.softirq");
	expect_key("proc-stat", "cpu3", "softirq", "proc-stat.cpu3.softirq");
	expect_key("proc-stat", "", "ctxt", "proc-stat.ctxt");
	expect_key("cpuidle", "", "C1 E.time", "cpuidle.C1-E.time");
	expect_key("pressure", "cpu", "some.avg10", "pressure.cpu.some.avg10");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keeps_each_key_once_and_in_byte_order),
		cmocka_unit_test(the_last_of_a_thousand_settings_stays),
		cmocka_unit_test(a_key_that_is_not_there_is_not_zero),
		cmocka_unit_test(never_holds_what_is_no_number),
		cmocka_unit_test(writes_and_reads_the_same_bits),
		cmocka_unit_test(writes_one_line_a_key),
		cmocka_unit_test(refuses_what_it_did_not_write),
		cmocka_unit_test(names_keys_as_the_kernel_test_robot_does),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
