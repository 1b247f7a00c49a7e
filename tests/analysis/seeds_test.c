/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Five reports of the kernel test robot of 2016 to 2024: every row of theirs comes out of compare() and report_text()
 * again. Of four the archive has squeezed the blanks; one is as it was sent, byte for byte. */
#include "tests/analysis/printed.h"
#include "tests/support/shared.h"

struct seed {
	const char *path, *testcase;
	enum era era;
	size_t rows;
	bool exact;
	bool subject_first; /* the statistic of the subject line stands before the others of its benchmark */
};

static const struct seed seed_2016 = { "seeds/001_ae5cd9536a419d2f.txt", "fsmark", ERA_2016, 96, false, false };
static const struct seed seed_2018 = { "seeds/003_3052ad6eaf902587.txt", "blogbench", ERA_2018, 142, false, true };
static const struct seed seed_2020 = { "seeds/000_e7ac667a2f974b49.txt", "aim7", ERA_PRESENT, 168, false, false };
static const struct seed seed_2021 = { "seeds/002_1051e767a5b778e8.txt", "hackbench", ERA_PRESENT, 169, false, false };
/* In 2024 the benchmark's own rows had no place before the others. */
static const struct seed seed_2024 = { "seeds/004_d43a681f8a659db2.txt", NULL, ERA_PRESENT, 37, true, false };

static struct text after(struct text whole, const char *what)
{
	const char *at = memmem(whole.at, text_len(whole), what, strlen(what));

	if (!at)
		fail_msg("%s: not there", what);
	return (struct text){ at + strlen(what), whole.end };
}

static size_t read_rows(struct text rest, struct printed_row *rows)
{
	size_t count = 0;

	rest = after(rest, "%stddev");
	rest = after(rest, "\\");
	rest = after(rest, "\\");
	if (memchr(rest.at, '\n', text_len(rest))) /* a report of lines */
		rest = after(rest, "\n");
	while (read_row(&rest, 2, &rows[count])) {
		assert_true(++count < PRINTED_MAX);
		if (rest.at < rest.end && *rest.at == '\n')
			rest.at++;
	}
	return count;
}

static bool one_of_profile(const char *a, const char *b)
{
	size_t n = strlen("perf-profile.");

	n += strcspn(a + (strlen(a) < n ? 0 : n), ".");
	return strncmp(a, "perf-profile.", strlen("perf-profile.")) == 0 && strncmp(a, b, n) == 0;
}

static double printed_change(const struct printed_row *row)
{
	struct text t = row->cells[1].change;

	if (!row->points)
		t.end--;
	return number_of(t);
}

static void in_order(const struct compare_table *t, const struct printed_row *rows, size_t count, enum era era)
{
	for (size_t i = 0; i < count; i++) {
		const char *ours = t->rows[i].key, *theirs = rows[i].key;

		if (era != ERA_2016 && one_of_profile(theirs, ours)) {
			/* printed changes are rounded: rows of the same may stand either way */
			if (i && one_of_profile(theirs, rows[i - 1].key))
				assert_true(printed_change(&rows[i - 1]) <= printed_change(&rows[i]));
			continue;
		}
		assert_string_equal(ours, theirs);
	}
}

static void put_first_in_order(const struct compare_table *t, struct printed_row *rows)
{
	struct printed_row subject = rows[0];
	size_t place = 0;

	while (strcmp(t->rows[place].key, subject.key) != 0)
		place++;
	memmove(&rows[0], &rows[1], place * sizeof(rows[0]));
	rows[place] = subject;
}

static struct buf begin(const struct seed *seed, struct printed_row *rows)
{
	struct buf file = { 0 };
	char path[4096];

	if (!shared_path(path, sizeof(path), seed->path))
		skip();
	file = read_whole(path);
	assert_int_equal(read_rows(buf_text(&file), rows), seed->rows);
	return file;
}

static void check(struct rig *rig, const struct seed *seed)
{
	struct printed_row *rows = calloc(PRINTED_MAX, sizeof(*rows));
	struct buf file = begin(seed, rows);

	rig->testcase = seed->testcase;
	rig->options.era = seed->era;
	compare_printed(rig, rows, seed->rows);
	for (size_t i = 0; i < seed->rows; i++) {
		struct buf ours, theirs;

		(void)line_of(rig, rows[i].key);
		ours = seed->exact ? (struct buf){ 0 } : squeezed(buf_text(&rig->out));
		theirs = seed->exact ? (struct buf){ 0 } : squeezed(rows[i].line);
		if (seed->exact)
			assert_true(text_same(buf_text(&rig->out), rows[i].line));
		else
			assert_string_equal(ours.data, theirs.data);
		buf_free(&ours);
		buf_free(&theirs);
	}
	if (seed->subject_first)
		put_first_in_order(&rig->c.tables[0], rows);
	in_order(&rig->c.tables[0], rows, seed->rows, seed->era);
	buf_free(&file);
	free(rows);
}

static void prints_each_row_of_2016_by_the_rules_of_then(void **state)
{
	check(*state, &seed_2016);
}

static void prints_each_row_of_2018(void **state)
{
	check(*state, &seed_2018);
}

static void prints_each_row_of_2020(void **state)
{
	check(*state, &seed_2020);
}

static void prints_each_row_of_2021(void **state)
{
	check(*state, &seed_2021);
}

static void prints_each_row_of_2024_byte_for_byte(void **state)
{
	check(*state, &seed_2024);
}

/* The axes as the report names them, so that the head of the table is ours to print. */
static void take_axes(struct rig *rig, struct text table)
{
	struct text names, values, name, value;

	assert_true(text_line(&table, &names)); /* the rest of the rule's line */
	assert_true(text_line(&table, &names));
	assert_true(text_line(&table, &values));
	assert_true(text_ends(names, ":"));
	names.end--;
	values = text_trim(values);
	while (text_len(names)) {
		if (!text_cut(&names, "/", &name)) {
			name = names;
			names.at = names.end;
		}
		if (!text_cut(&values, "/", &value)) {
			value = values;
			values.at = values.end;
		}
		for (size_t i = 0; i < rig->count; i++)
			assert_int_equal(pairs_set_text(&rig->axes[i], name, value), 0);
	}
}

static void prints_the_whole_table_of_2024_byte_for_byte(void **state)
{
	static const char *const commits[] = { "152694c82950a093d0c1d9b6f5",
					       "63dfa1004322d596417f23da43cdc43cf6298c71" };
	struct rig *rig = *state;
	struct printed_row *rows = calloc(PRINTED_MAX, sizeof(*rows));
	struct buf file = begin(&seed_2024, rows), want = { 0 };
	struct text table = after(buf_text(&file), "\n=====");
	const char *end = memmem(table.at, text_len(table), "\n\n\nDisclaimer", 13);
	struct text head, body;

	assert_non_null(end);
	/* The list of commits has subjects there; ours has the whole values. Between them all is as it was sent. */
	head = (struct text){ table.at - strlen("====="), after(table, "commit: \n").at };
	body = (struct text){ after(table, "config_discard\")\n").at, end + 1 };
	(void)buf_add_text(&want, head);
	for (size_t i = 0; i < 2; i++)
		(void)buf_printf(&want, "  %s\n", commits[i]);
	(void)buf_add_text(&want, body);
	(void)buf_putc(&want, '\n');

	compare_printed(rig, rows, seed_2024.rows);
	take_axes(rig, table);
	for (size_t i = 0; i < rig->count; i++) {
		assert_int_equal(pairs_set(&rig->axes[i], "commit", commits[strcmp(rig->column[i], "base") != 0]), 0);
		assert_int_equal(pairs_set(&rig->axes[i], "testcase", "fsmark"), 0);
	}
	run_compare(rig);
	buf_clear(&rig->out);
	assert_int_equal(report_text(&rig->c, &rig->out), 0);
	/* All above the first row; the rows are the same, with the benchmark's own before the others. */
	assert_int_equal(rig->out.len, want.len);
	assert_memory_equal(rig->out.data, want.data, (size_t)(strstr(want.data, "    492322") - want.data));
	assert_string_equal(rig->out.data + rig->out.len - 2, "\n\n");
	buf_free(&want);
	buf_free(&file);
	free(rows);
}

static void prints_the_failure_of_2020(void **state)
{
	struct rig *rig = *state;
	char path[4096];
	struct buf file, ours, one_line;

	if (!shared_path(path, sizeof(path), seed_2020.path))
		skip();
	file = read_whole(path);
	put(rig, "base", "dmesg.WARNING:at_ip__fsnotify_parent/0x", 1, MISSING, MISSING, MISSING);
	put(rig, "head", "dmesg.WARNING:at_ip__fsnotify_parent/0x", MISSING, MISSING, MISSING, MISSING);
	run_compare(rig);
	buf_clear(&rig->out);
	assert_int_equal(report_text(&rig->c, &rig->out), 0);
	/* from the heads of the failures to the row */
	ours = squeezed(text_of(strstr(rig->out.data, "fail:runs")));
	assert_non_null(strstr(rig->out.data, "       fail:runs  %reproduction    fail:runs\n"
					      "           |             |             |    \n"
					      "          1:4          -25%            :4     dmesg.WARNING"));
	for (char *p = ours.data; *p; p++)
		if (*p == '\n')
			*p = ' ';
	one_line = squeezed(buf_text(&ours));
	assert_non_null(strstr(file.data, one_line.data));
	buf_free(&one_line);
	buf_free(&ours);
	buf_free(&file);
}

#define T(name) cmocka_unit_test_setup_teardown(name, rig_open, rig_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(prints_each_row_of_2016_by_the_rules_of_then),
		T(prints_each_row_of_2018),
		T(prints_each_row_of_2020),
		T(prints_each_row_of_2021),
		T(prints_each_row_of_2024_byte_for_byte),
		T(prints_the_whole_table_of_2024_byte_for_byte),
		T(prints_the_failure_of_2020),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
