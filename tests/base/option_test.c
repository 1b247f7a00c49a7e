/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/option.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/alloc_count.h"

struct settings {
	bool full;
	int64_t count, interval;
	char *device;
};

static const struct option options[] = {
	{ "full", OPT_BOOL, offsetof(struct settings, full), "yes", "Tell all." },
	{ "count", OPT_NUMBER, offsetof(struct settings, count), "4K", "How many." },
	{ "interval", OPT_DURATION, offsetof(struct settings, interval), "1.5s", "How often." },
	{ "device", OPT_TEXT, offsetof(struct settings, device), NULL, "Which." },
	{ 0 },
};

static void puts_the_defaults_of_the_table(void **state)
{
	struct settings s = { 0 };
	struct err err;

	assert_int_equal(options_default(options, &s, &err), 0);
	assert_true(s.full);
	assert_int_equal(s.count, 4096);
	assert_int_equal(s.interval, 1500000000);
	assert_null(s.device);
	options_free(options, &s);
	assert_int_equal(options_default(NULL, &s, &err), 0); /* a collector without options */
	options_free(NULL, &s);
}

static void replaces_a_text_without_a_leak(void **state)
{
	struct settings s = { 0 };
	struct err err;

	assert_int_equal(option_set(options, &s, "device", "sda", &err), 0);
	assert_int_equal(option_set(options, &s, "device", "nvme0n1", &err), 0);
	assert_string_equal(s.device, "nvme0n1");
	alloc_fail_at(1);
	assert_int_equal(option_set(options, &s, "device", "x", &err), -ENOMEM);
	assert_string_equal(s.device, "nvme0n1");
	options_free(options, &s);
	assert_null(s.device);
}

static void says_what_is_wrong_with_a_setting(void **state)
{
	struct settings s = { .count = 7, .interval = 8 };
	struct err err;

	assert_int_equal(option_set(options, &s, "speed", "1", &err), -ENOENT);
	assert_string_equal(err.text, "no option 'speed'");
	assert_int_equal(option_set(options, &s, "full", "maybe", &err), -EINVAL);
	assert_string_equal(err.text, "full: 'maybe' is neither yes nor no");
	assert_int_equal(option_set(options, &s, "count", "many", &err), -EINVAL);
	assert_int_equal(option_set(options, &s, "interval", "1 day", &err), -EINVAL);
	assert_string_equal(err.text, "interval: '1 day' is not a time such as 500ms, 1s, 1.5s, 2m or 1h");
	assert_int_equal(s.count, 7);
	assert_int_equal(s.interval, 8);
}

static void knows_yes_and_no(void **state)
{
	static const char *const yes[] = { "yes", "true", "on", "1" }, *const no[] = { "no", "false", "off", "0" };
	struct err err;
	bool value;

	for (int i = 0; i < 4; i++) {
		value = false;
		assert_int_equal(parse_bool("x", yes[i], &value, &err), 0);
		assert_true(value);
		assert_int_equal(parse_bool("x", no[i], &value, &err), 0);
		assert_false(value);
	}
	assert_int_equal(parse_bool("x", "", &value, &err), -EINVAL);
	assert_int_equal(parse_bool("x", "YES", &value, &err), -EINVAL);
}

static void reads_numbers_with_their_powers(void **state)
{
	static const struct {
		const char *s;
		long long value;
	} rows[] = { { "0", 0 },	 { "-12", -12 },	      { "1k", 1024 },
		     { "1K", 1024 },	 { "3M", 3 << 20 },	      { "2G", 2ll << 30 },
		     { "1T", 1ll << 40 }, { "9223372036854775807", INT64_MAX } };
	static const char *const wrong[] = { "", "K", "1KK", "1x", "1.5", "9223372036854775808", "9007199254740992K",
					     "99999999T", "1 ", "0x10" };
	struct err err;
	long long value;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		assert_int_equal(parse_number("x", rows[i].s, &value, &err), 0);
		assert_true(value == rows[i].value);
	}
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		if (parse_number("x", wrong[i], &value, &err) != -EINVAL)
			fail_msg("'%s' was taken", wrong[i]);
}

static void reads_times_in_their_units(void **state)
{
	static const struct {
		const char *s;
		long long ns;
	} rows[] = { { "250ms", 250000000 }, { "1s", 1000000000 },	 { "1.5s", 1500000000 },
		     { "2m", 120000000000 }, { "1h", 3600000000000 },	 { "3", 3000000000 },
		     { "0", 0 },	     { "10us", 10000 },		 { "7ns", 7 },
		     { "0.5h", 1800000000000 }, { "1.5ms", 1500000 } };
	static const char *const wrong[] = { "", "s", "-1s", "1d", "1 s", "1s ", "9999999999999h", "1.5.2s", ".5s" };
	struct err err;
	long long ns;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		assert_int_equal(parse_duration("x", rows[i].s, &ns, &err), 0);
		if (ns != rows[i].ns)
			fail_msg("%s is %lld ns", rows[i].s, ns);
	}
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		if (parse_duration("x", wrong[i], &ns, &err) != -EINVAL)
			fail_msg("'%s' was taken", wrong[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(puts_the_defaults_of_the_table),
		cmocka_unit_test(replaces_a_text_without_a_leak),
		cmocka_unit_test(says_what_is_wrong_with_a_setting),
		cmocka_unit_test(knows_yes_and_no),
		cmocka_unit_test(reads_numbers_with_their_powers),
		cmocka_unit_test(reads_times_in_their_units),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
