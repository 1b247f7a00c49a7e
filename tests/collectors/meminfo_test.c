/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/rig.h"

extern const struct collector collector_meminfo;

static void records_a_key_no_table_knows(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/meminfo", "MemTotal: 16384 kB\nNewInLinux9: 7 kB\n");
	assert_int_equal(rig_open(rig, &collector_meminfo), 0);
	assert_int_equal(rig_sample(rig), 0);

	assert_int_equal(rig_value(rig, "MemTotal"), 16384);
	assert_int_equal(rig_value(rig, "NewInLinux9"), 7);
	assert_false(rig_has(rig, "MemAvailable"));
}

static void names_the_key_whose_number_is_missing(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/meminfo", "MemTotal: a lot\n");
	assert_int_equal(rig_open(rig, &collector_meminfo), 0);
	assert_int_equal(rig_sample(rig), -EBADMSG);
	assert_string_equal(rig->err.text, "proc/meminfo: no number after MemTotal");
	assert_int_equal(rig_count(rig), 0);
}

static void a_bad_line_does_not_cost_the_others(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/meminfo", "MemTotal: 16 kB\nMemFree: 12abc kB\nCached: 3 kB\n");
	assert_int_equal(rig_open(rig, &collector_meminfo), 0);
	assert_int_equal(rig_sample(rig), -EBADMSG);
	assert_string_equal(rig->err.text, "proc/meminfo: no number after MemFree");
	assert_int_equal(rig_value(rig, "MemTotal"), 16);
	assert_false(rig_has(rig, "MemFree"));
	assert_int_equal(rig_value(rig, "Cached"), 3);
}

static void the_file_tells_the_unit(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/meminfo",
		 "MemTotal: 16 kB\nHugePages_Total:  2\nFrobs: 5\nHugePages_Kind: 7 kB\nActive(anon):  9 kB");
	rig_start(rig, &collector_meminfo);
	assert_int_equal(rig_metric(rig, "MemTotal")->unit, UNIT_KIB);
	assert_int_equal(rig_metric(rig, "HugePages_Total")->unit, UNIT_PAGES);
	assert_int_equal(rig_metric(rig, "Frobs")->unit, UNIT_COUNT);
	assert_int_equal(rig_metric(rig, "HugePages_Kind")->unit, UNIT_KIB);
	assert_int_equal(rig_metric(rig, "MemTotal")->kind, GAUGE);
	assert_int_equal(rig_value(rig, "Active(anon)"), 9); /* the last line has no newline */
}

static void a_name_listed_twice_counts_once(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/meminfo", "MemTotal: 16 kB\nSlab: 1 kB\nMemTotal: 99 kB\nCached: 3 kB\n");
	rig_start(rig, &collector_meminfo);
	assert_int_equal(rig->run.shape.metric_count, 3);
	assert_int_equal(rig_value(rig, "MemTotal"), 16);
	assert_int_equal(rig_value(rig, "Cached"), 3);
}

static void a_new_key_begins_a_new_generation(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/meminfo", "MemTotal: 16 kB\nMemFree: 8 kB\n");
	rig_start(rig, &collector_meminfo);
	assert_int_equal(rig->run.shape.generation, 1);

	rig_file(rig, "proc/meminfo", "MemTotal: 16 kB\nBrandNew: 1 kB\nMemFree: 7 kB\n");
	rig_again(rig);
	assert_int_equal(rig->run.shape.generation, 2);
	assert_int_equal(rig_value(rig, "BrandNew"), 1);
	assert_int_equal(rig_value(rig, "MemFree"), 7);
}

static void a_key_that_went_away_is_absent_and_comes_back(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/meminfo", "MemTotal: 16 kB\nZswap: 8 kB\nMemFree: 5 kB\n");
	rig_start(rig, &collector_meminfo);
	rig_file(rig, "proc/meminfo", "MemTotal: 16 kB\nMemFree: 6 kB\n");
	rig_again(rig);
	assert_false(rig_has(rig, "Zswap"));
	assert_int_equal(rig_value(rig, "MemFree"), 6);
	rig_file(rig, "proc/meminfo", "MemFree: 7 kB\nZswap: 9 kB\nMemTotal: 16 kB\n");
	rig_again(rig);
	assert_int_equal(rig_value(rig, "Zswap"), 9);
	assert_int_equal(rig_value(rig, "MemFree"), 7);
	assert_int_equal(rig_value(rig, "MemTotal"), 16);
	assert_int_equal(rig->run.shape.generation, 1);
}

static void a_key_that_begins_like_another_is_its_own(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/meminfo", "Active: 1 kB\nActive(anon): 2 kB\nActiveX: 3 kB\n");
	rig_start(rig, &collector_meminfo);
	rig_file(rig, "proc/meminfo", "Active(anon): 20 kB\nActive: 10 kB\nActiveX: 30 kB\n");
	rig_again(rig);
	assert_int_equal(rig_value(rig, "Active"), 10);
	assert_int_equal(rig_value(rig, "Active(anon)"), 20);
	assert_int_equal(rig_value(rig, "ActiveX"), 30);
}

static void numbers_keep_all_their_64_bits(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/meminfo",
		 "A: 18446744073709551615 kB\nB: 18446744073709551616 kB\nC: -5 kB\nD: 00000000000000000000000012 kB\n"
		 "E: 12345678 kB\nF: 123456789 kB\nG: 1 kB\nH: 1234567890123456 kB");
	assert_int_equal(rig_open(rig, &collector_meminfo), 0);
	assert_int_equal(rig_sample(rig), -EBADMSG); /* B is too large */
	assert_string_equal(rig->err.text, "proc/meminfo: no number after B");
	assert_true(rig_value(rig, "A") == UINT64_MAX);
	assert_false(rig_has(rig, "B"));
	assert_true((int64_t)rig_value(rig, "C") == -5);
	assert_int_equal(rig_value(rig, "D"), 12);
	assert_int_equal(rig_value(rig, "E"), 12345678);
	assert_int_equal(rig_value(rig, "F"), 123456789);
	assert_int_equal(rig_value(rig, "G"), 1);
	assert_int_equal(rig_value(rig, "H"), 1234567890123456);
}

static void survives_a_file_that_empties_and_goes(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/meminfo", "MemTotal: 16 kB\n");
	rig_start(rig, &collector_meminfo);
	rig_file(rig, "proc/meminfo", "");
	rig_again(rig);
	assert_int_equal(rig_count(rig), 0);
	rig_file(rig, "proc/meminfo", "\n\n:\n : 5\n\xff\xfe\x01\nMemTotal: 17 kB\n");
	assert_int_equal(rig_sample(rig), 0);
	assert_int_equal(rig_value(rig, "MemTotal"), 17);
}

static void a_missing_file_is_one_clear_line(void **state)
{
	struct rig *rig = *state;

	assert_int_equal(collector_probe(&collector_meminfo, &rig->host, &rig->err), -ENOENT);
	assert_int_equal(rig_open(rig, &collector_meminfo), -ENOENT);
	assert_string_equal(rig->err.text, "proc/meminfo: No such file or directory");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RIG_TEST(records_a_key_no_table_knows),
		RIG_TEST(names_the_key_whose_number_is_missing),
		RIG_TEST(a_bad_line_does_not_cost_the_others),
		RIG_TEST(the_file_tells_the_unit),
		RIG_TEST(a_name_listed_twice_counts_once),
		RIG_TEST(a_new_key_begins_a_new_generation),
		RIG_TEST(a_key_that_went_away_is_absent_and_comes_back),
		RIG_TEST(a_key_that_begins_like_another_is_its_own),
		RIG_TEST(numbers_keep_all_their_64_bits),
		RIG_TEST(survives_a_file_that_empties_and_goes),
		RIG_TEST(a_missing_file_is_one_clear_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
