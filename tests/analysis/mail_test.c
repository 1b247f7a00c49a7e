/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/mail.h"

#include <errno.h>

#include "tests/analysis/compare_rig.h"

struct letter {
	struct rig *rig;
	struct pairs facts;
	struct mail mail;
};

static int open_letter(void **state)
{
	struct letter *l = calloc(1, sizeof(*l));
	void *rig = NULL;

	if (!l || rig_open(&rig) < 0)
		return -1;
	*state = l;
	l->rig = rig;
	l->rig->options.rules = RULES_ASSAY;
	l->rig->testcase = "hackbench";
	l->mail = (struct mail){ .comparison = &l->rig->c,
				 .facts = &l->facts,
				 .base = { "base", NULL, NULL },
				 .head = { "head", "63dfa1004322d596417f23da43cdc43cf6298c71", "sched: wake less" } };
	assert_int_equal(pairs_set(&l->facts, "cpu.threads", "96"), 0);
	assert_int_equal(pairs_set(&l->facts, "cpu.sockets", "2"), 0);
	assert_int_equal(pairs_set(&l->facts, "cpu.name", "Xeon 8260L"), 0);
	assert_int_equal(pairs_set(&l->facts, "cpu.code_name", "Cascade Lake"), 0);
	assert_int_equal(pairs_set(&l->facts, "memory.total_kib", "131072000"), 0);
	assert_int_equal(pairs_set(&l->facts, "command", "hackbench -g 48"), 0);
	return 0;
}

static int close_letter(void **state)
{
	struct letter *l = *state;
	void *rig = l->rig;

	pairs_free(&l->facts);
	(void)rig_close(&rig);
	free(l);
	return 0;
}

static const char *written(struct letter *l)
{
	run_compare(l->rig);
	buf_clear(&l->rig->out);
	assert_int_equal(mail_write(&l->mail, &l->rig->out), 0);
	return l->rig->out.data;
}

static void put_slower(struct letter *l)
{
	put(l->rig, "base", "hackbench.throughput", 1000, 1003, 998, 1001);
	put(l->rig, "head", "hackbench.throughput", 900, 902, 899, 904);
}

#define assert_has(text, part)                                     \
	do {                                                       \
		if (!strstr(text, part))                           \
			fail_msg("no \"%s\" in:\n%s", part, text); \
	} while (0)

static void says_what_changed_where_and_how_it_was_run(void **state)
{
	struct letter *l = *state;
	const char *text;

	put_slower(l);
	text = written(l);
	assert_has(text, "our runs show a 9.9% regression of hackbench.throughput on:\n\n\n"
			 "commit: 63dfa1004322d596417f23da43cdc43cf6298c71 (\"sched: wake less\")\n");
	assert_has(text, "\ntestcase: hackbench\ntest machine: 96 threads 2 sockets Xeon 8260L (Cascade Lake) with "
			 "125G memory\n");
	assert_has(text, "\tassay run -n hackbench -p commit=head -- hackbench -g 48\n");
	assert_has(text, "  hackbench.throughput\n");
	assert_has(text, "[O] run of the head\n");
}

static void the_old_shape_has_its_old_heads(void **state)
{
	struct letter *l = *state;
	const char *text;

	put_slower(l);
	l->mail.shape = MAIL_2016;
	text = written(l);
	assert_has(text, "our runs show a -9.9% regression of hackbench.throughput due to commit:\n");
	assert_has(text, "\nin testcase: hackbench\non test machine: 96 threads Xeon 8260L with 125G memory\nwith "
			 "following parameters:\n");
}

static void an_mbox_begins_with_headers_and_the_subject(void **state)
{
	struct letter *l = *state;

	put_slower(l);
	l->mail.from = "lab@example.org";
	l->mail.to = "dev@example.org";
	l->mail.date = "Tue, 01 Dec 2026 03:46:07 +0000";
	l->mail.tree = "linux";
	l->mail.branch = "master";
	assert_has(
		written(l),
		"From lab@example.org Tue, 01 Dec 2026 03:46:07 +0000\nFrom: lab@example.org\nTo: dev@example.org\n");
	assert_has(l->rig->out.data,
		   "\nSubject: [linux:master] [sched]  63dfa10043:  hackbench.throughput  9.9% regression\n\n");
}

static void names_other_tests_that_changed_in_a_box(void **state)
{
	struct letter *l = *state;
	const char *text;

	put_slower(l);
	l->rig->testcase = "aim7";
	for (int i = 0; i < 8; i++) {
		size_t run = add_run(l->rig, i < 4 ? "base" : "head");

		assert_int_equal(stats_set(&l->rig->stats[run], "aim7.jobs-per-min", (i < 4 ? 2000 : 2200) + i % 4), 0);
		assert_int_equal(pairs_set(&l->rig->axes[run], "load", "3000"), 0);
	}
	text = written(l);
	assert_has(text, "Other tests changed with the commit, too:\n\n+------------------+");
	assert_has(text, "| testcase: change | aim7: aim7.jobs-per-min 10.0% improvement ");
	assert_has(text, "| test parameters  | load=3000 ");
	assert_has(text, "\n*******************************************************************************************"
			 "********\n96 threads");
}

static void says_so_when_the_result_did_not_change(void **state)
{
	struct letter *l = *state;

	put(l->rig, "base", "hackbench.throughput", 1000, 1003, 998, 1001);
	put(l->rig, "head", "hackbench.throughput", 1001, 1002, 999, 1003);
	assert_has(written(l), "our runs show no change of hackbench.throughput beyond the noise on:\n");
}

static void has_nothing_to_say_of_nothing(void **state)
{
	struct letter *l = *state;

	assert_int_equal(mail_write(&l->mail, &l->rig->out), -ENOENT);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_letter, close_letter)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(says_what_changed_where_and_how_it_was_run),  TEST(the_old_shape_has_its_old_heads),
		TEST(an_mbox_begins_with_headers_and_the_subject), TEST(names_other_tests_that_changed_in_a_box),
		TEST(says_so_when_the_result_did_not_change),	   TEST(has_nothing_to_say_of_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
