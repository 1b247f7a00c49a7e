/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A comparison as Markdown, CSV and a page. */
#include "tests/analysis/compare_rig.h"

static int open_assay(void **state)
{
	struct rig *rig;

	if (rig_open(state) < 0)
		return -1;
	rig = *state;
	rig->options.rules = RULES_ASSAY;
	return 0;
}

/* One row that changed, with a key that every form has to take care of. */
static void put_one(struct rig *rig)
{
	put(rig, "base", "slabinfo.a|b,\"<i>'&.num_objs", 1000, 1003, 998, 1001);
	put(rig, "head", "slabinfo.a|b,\"<i>'&.num_objs", 1100, 1102, 1099, 1104);
	run_compare(rig);
}

static const char *printed(struct rig *rig, int (*form)(const struct comparison *, struct buf *))
{
	buf_clear(&rig->out);
	assert_int_equal(form(&rig->c, &rig->out), 0);
	return rig->out.data;
}

#define assert_has(text, part)                                                    \
	do {                                                                      \
		if (!strstr(text, part))                                          \
			fail_msg("no \"%s\" in:\n%s", part, text);                \
	} while (0)

static void markdown_has_a_row_with_interval_and_q(void **state)
{
	struct rig *rig = *state;
	const char *text;

	put_one(rig);
	text = printed(rig, report_markdown);
	assert_has(text, "### commit base against head\n");
	assert_has(text, "| base | change | 95 % interval | q | head | |\n|---:|---:|---:|---:|---:|:---|\n");
	assert_has(text, "| 1000 | +10.1% | [+9.7%, +10.5%] | 8.39e-10 | 1101 | `slabinfo.a\\|b,\"<i>'&.num_objs` |\n");
}

static void markdown_of_the_robots_rules_has_no_interval(void **state)
{
	struct rig *rig = *state;

	rig->options.rules = RULES_LKP;
	put(rig, "base", "vmstat.io.bo", 100, 101, 102);
	put(rig, "head", "vmstat.io.bo", 20000, 20001, 20002);
	run_compare(rig);
	assert_has(printed(rig, report_markdown), "| base | change | head | |\n|---:|---:|---:|:---|\n");
}

static void csv_has_a_line_for_each_row_and_head(void **state)
{
	struct rig *rig = *state;
	const char *text;

	rig->testcase = "hackbench";
	put_one(rig);
	text = printed(rig, report_csv);
	assert_has(text, "axes,key,kind,base,base_mean,base_stddev,base_runs,head,mean,stddev,runs,change,unit,ci_low,ci_high,ci_unit,p,q,verdict\r\n");
	assert_has(text, ",%,9.68"); /* the change's unit, then the interval */
	assert_has(text, "\r\ntestcase=hackbench,\"slabinfo.a|b,\"\"<i>'&.num_objs\",number,base,1000.5,");
	assert_has(text, ",4,head,1101.25,");
	assert_has(text, ",changed\r\n");
}

static void a_page_escapes_what_it_shows_and_needs_nothing_else(void **state)
{
	struct rig *rig = *state;
	const char *text;

	put_one(rig);
	text = printed(rig, report_html);
	assert_has(text, "slabinfo.a|b,&quot;&lt;i&gt;&#39;&amp;.num_objs");
	assert_null(strstr(text, "<i>"));
	assert_null(strstr(text, "http"));
	assert_has(text, "<circle class=\"b\" cx=\"6.7\"");
	assert_has(text, "[+9.7%, +10.5%]");
	assert_has(text, "<th scope=\"col\"><button type=\"button\">head</button>");
}

static void failures_are_counted_in_every_form(void **state)
{
	struct rig *rig = *state;

	put(rig, "base", "meminfo.A", 1, 1, 1, 1);
	put(rig, "head", "meminfo.A", 1, 1, 1, 1);
	put(rig, "head", "dmesg.BUG:x", 1, 1, MISSING, MISSING);
	run_compare(rig);
	assert_has(printed(rig, report_markdown), "| 0:4 | +50% |  | 0.429 | 2:4 | `dmesg.BUG:x` |\n");
	assert_has(printed(rig, report_csv), ",dmesg.BUG:x,failure,base,0,,4,head,0.5,");
	assert_has(printed(rig, report_html), ">2:4<");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_assay, rig_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(markdown_has_a_row_with_interval_and_q),
		TEST(markdown_of_the_robots_rules_has_no_interval),
		TEST(csv_has_a_line_for_each_row_and_head),
		TEST(a_page_escapes_what_it_shows_and_needs_nothing_else),
		TEST(failures_are_counted_in_every_form),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
