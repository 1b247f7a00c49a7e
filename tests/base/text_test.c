/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/support/alloc_count.h"

static void is(struct text t, const char *expected)
{
	if (!text_is(t, expected))
		fail_msg("'%.*s' is not '%s'", TEXT_ARGS(t), expected);
}

static void u64_is(const char *s, uint64_t expected, const char *left)
{
	struct text rest = text_of(s);
	uint64_t value = 7;

	assert_true(text_u64(&rest, &value));
	assert_true(value == expected);
	is(rest, left);
}

static void u64_is_none(const char *s)
{
	struct text rest = text_of(s);
	uint64_t value = 7;

	assert_false(text_u64(&rest, &value));
	assert_int_equal(value, 7);
	is(rest, s); /* nothing is taken */
}

static void reads_numbers_up_to_64_bits(void **state)
{
	u64_is("0", 0, "");
	u64_is("16384 kB", 16384, " kB");
	u64_is(" \t 12:", 12, ":");
	u64_is("18446744073709551615", UINT64_MAX, "");
	u64_is("00000000000000000000000000000001", 1, "");
	u64_is("9999999999999999999,", 9999999999999999999u, ",");
	u64_is("1-2", 1, "-2");
}

static void refuses_what_is_no_number_of_64_bits(void **state)
{
	u64_is_none("");
	u64_is_none("  ");
	u64_is_none("-1");
	u64_is_none("+1");
	u64_is_none("x1");
	u64_is_none("\n1");
	u64_is_none("18446744073709551616");
	u64_is_none("18446744073709551620");
	u64_is_none("28446744073709551615");
	u64_is_none("184467440737095516150");
	u64_is_none("99999999999999999999999999999999999");
}

static void does_not_read_behind_the_view(void **state)
{
	const char digits[] = "12345678";
	struct text rest = text_n(digits, 3);
	uint64_t value;
	int64_t number;

	assert_true(text_u64(&rest, &value));
	assert_int_equal(value, 123);
	rest = text_n("1.25", 2);
	assert_true(text_decimal(&rest, 2, &number));
	assert_int_equal(number, 100);
	rest = text_n("0x12", 1);
	assert_true(text_hex(&rest, &value));
	assert_int_equal(value, 0);
}

static void reads_signed_numbers_to_both_ends(void **state)
{
	static const struct {
		const char *s;
		int64_t value;
	} rows[] = { { "9223372036854775807", INT64_MAX }, { "-9223372036854775808", INT64_MIN }, { "-0", 0 },
		     { " -12", -12 },			   { "5", 5 } };
	static const char *const wrong[] = { "9223372036854775808", "-9223372036854775809", "-", "--1", "- 1", "", "x" };
	int64_t value = 7;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct text rest = text_of(rows[i].s);

		assert_true(text_i64(&rest, &value));
		assert_true(value == rows[i].value);
		is(rest, "");
	}
	value = 7;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		struct text rest = text_of(wrong[i]);

		assert_false(text_i64(&rest, &value));
		assert_int_equal(value, 7);
		is(rest, wrong[i]);
	}
}

static void reads_hex_with_and_without_its_mark(void **state)
{
	static const struct {
		const char *s;
		uint64_t value;
		const char *left;
	} rows[] = { { "0xffffffffffffffff", UINT64_MAX, "" }, { "FF,", 255, "," }, { "0X1aG", 26, "G" },
		     { "00000000000000000001", 1, "" },	       { " d0c", 0xd0c, "" } };
	static const char *const wrong[] = { "", "0x", "g", "0x1ffffffffffffffff", "10000000000000000" };

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct text rest = text_of(rows[i].s);
		uint64_t value;

		assert_true(text_hex(&rest, &value));
		assert_true(value == rows[i].value);
		is(rest, rows[i].left);
	}
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		struct text rest = text_of(wrong[i]);
		uint64_t value;

		assert_false(text_hex(&rest, &value));
		is(rest, wrong[i]);
	}
}

static void reads_decimals_as_whole_numbers(void **state)
{
	static const struct {
		const char *s;
		int exponent;
		int64_t value;
		const char *left;
	} rows[] = {
		{ "1.23", 2, 123, "" },
		{ "1.2", 2, 120, "" },
		{ "1", 2, 100, "" },
		{ "1.239", 2, 123, "" },
		{ "-0.5", 2, -50, "" },
		{ "-1.25 x", 1, -12, " x" },
		{ "1.", 2, 100, "." },
		{ "1.x", 2, 100, ".x" },
		{ "1.9", 0, 1, "" },
		{ "92233720368547758.07", 2, INT64_MAX, "" },
		{ "-92233720368547758.08", 2, INT64_MIN, "" },
		{ "0.00000000000000000000000000001", 3, 0, "" },
	};
	static const char *const wrong[] = { "92233720368547758.08", "-92233720368547758.09", "92233720368547759", ".5",
					     "", "-.5", "x" };

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct text rest = text_of(rows[i].s);
		int64_t value = 7;

		assert_true(text_decimal(&rest, rows[i].exponent, &value));
		if (value != rows[i].value)
			fail_msg("%s is %lld", rows[i].s, (long long)value);
		is(rest, rows[i].left);
	}
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		struct text rest = text_of(wrong[i]);
		int64_t value;

		assert_false(text_decimal(&rest, 2, &value));
		is(rest, wrong[i]);
	}
}

static void takes_line_by_line(void **state)
{
	struct text rest = text_of("a\n\nlast"), line;

	assert_true(text_line(&rest, &line));
	is(line, "a");
	assert_true(text_line(&rest, &line));
	is(line, "");
	assert_true(text_line(&rest, &line)); /* also without its newline */
	is(line, "last");
	assert_false(text_line(&rest, &line));
	rest = text_of("a\n");
	assert_true(text_line(&rest, &line));
	assert_false(text_line(&rest, &line));
}

static void takes_word_by_word(void **state)
{
	struct text rest = text_of(" \tone two\t "), word;

	assert_true(text_word(&rest, &word));
	is(word, "one");
	assert_true(text_word(&rest, &word));
	is(word, "two");
	assert_false(text_word(&rest, &word));
}

static void cuts_at_separators(void **state)
{
	struct text rest = text_of("MemTotal:   16384 kB"), key;

	assert_true(text_cut(&rest, ": ", &key));
	is(key, "MemTotal");
	is(rest, "16384 kB");
	rest = text_of(":x");
	assert_false(text_cut(&rest, ":", &key)); /* nothing stands before it */
	is(rest, ":x");
	rest = text_of("nothing to cut");
	assert_false(text_cut(&rest, ":", &key));
	is(rest, "nothing to cut");
	rest = text_of("x:");
	assert_true(text_cut(&rest, ":", &key));
	is(rest, "");
	rest = text_of("");
	assert_false(text_cut(&rest, ":", &key));
}

static void skips_and_trims(void **state)
{
	struct text t = text_of("cpu0 1");

	assert_false(text_skip(&t, "cpu1"));
	is(t, "cpu0 1");
	assert_true(text_skip(&t, "cpu"));
	is(t, "0 1");
	assert_false(text_skip(&t, "0 1 and more"));
	assert_true(text_skip(&t, ""));
	is(text_trim(text_of(" \t\r\n a b \n")), "a b");
	is(text_trim(text_of(" \n")), "");
	assert_true(text_starts(text_of("abc"), "ab"));
	assert_false(text_starts(text_of("a"), "ab"));
	assert_true(text_ends(text_of("abc"), "bc"));
	assert_false(text_ends(text_of("c"), "bc"));
	assert_true(text_same(text_of("ab"), text_n("abc", 2)));
	assert_false(text_same(text_of("ab"), text_of("abc")));
}

static void compares_bytes(void **state)
{
	assert_true(text_compare(text_of("a"), text_of("b")) < 0);
	assert_true(text_compare(text_of("ab"), text_of("a")) > 0);
	assert_true(text_compare(text_of(""), text_of("")) == 0);
	assert_true(text_compare(text_of("a\xff"), text_of("az")) > 0);
}

static void globs(void **state)
{
	static const struct {
		const char *text, *pattern;
		bool matches;
	} rows[] = {
		{ "nr_dirty", "nr_*", true },	  { "nr_", "nr_*", true },	{ "nr", "nr_*", false },
		{ "", "*", true },		  { "", "", true },		{ "a", "", false },
		{ "", "?", false },		  { "a", "?", true },		{ "ab", "?", false },
		{ "some.avg10", "*.avg*", true }, { "mississippi", "m*iss*ppi", true },
		{ "abcabd", "*abd", true },	  { "abcabc", "*abd", false },	{ "aXbXc", "a*X?", true },
		{ "abc", "a**c", true },	  { "abc", "abc*", true },	{ "abc", "abcd", false },
		{ "a*b", "a*b", true },		  { "[x]", "[x]", true },	{ "x", "[x]", false },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (text_glob(text_of(rows[i].text), rows[i].pattern) != rows[i].matches)
			fail_msg("'%s' and '%s'", rows[i].text, rows[i].pattern);
}

static void globs_a_hostile_pattern_in_no_time(void **state)
{
	char *many = malloc(100000);

	memset(many, 'a', 100000);
	assert_false(text_glob(text_n(many, 100000), "*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b"));
	free(many);
}

static void copies(void **state)
{
	char *copy = text_copy(text_n("abcdef", 3));

	assert_string_equal(copy, "abc");
	free(copy);
	alloc_fail_at(1);
	assert_null(text_copy(text_of("x")));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_numbers_up_to_64_bits),
		cmocka_unit_test(refuses_what_is_no_number_of_64_bits),
		cmocka_unit_test(does_not_read_behind_the_view),
		cmocka_unit_test(reads_signed_numbers_to_both_ends),
		cmocka_unit_test(reads_hex_with_and_without_its_mark),
		cmocka_unit_test(reads_decimals_as_whole_numbers),
		cmocka_unit_test(takes_line_by_line),
		cmocka_unit_test(takes_word_by_word),
		cmocka_unit_test(cuts_at_separators),
		cmocka_unit_test(skips_and_trims),
		cmocka_unit_test(compares_bytes),
		cmocka_unit_test(globs),
		cmocka_unit_test(globs_a_hostile_pattern_in_no_time),
		cmocka_unit_test(copies),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
