/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reports of 2016 to 2026, row by row: what compare() makes of fitting runs is printed byte for byte as it was sent. */
#include <jansson.h>

#include "tests/analysis/printed.h"
#include "tests/support/shared.h"

struct report {
	const char *path;
	enum era era;
	size_t rows, functions;
	size_t shifted; /* its mail has every line this many columns to the right */
};

static json_t *load(const char *name)
{
	char path[4096];
	json_error_t error;
	json_t *report;

	if (!shared_path(path, sizeof(path), name))
		skip();
	report = json_load_file(path, 0, &error);
	if (!report)
		fail_msg("%s: %s", name, error.text);
	return report;
}

static struct text line_in(const json_t *row, size_t shifted)
{
	struct text line = text_of(json_string_value(json_object_get(row, "line")));

	line.at += shifted;
	return line;
}

static size_t check_rows(struct rig *rig, const json_t *table, const struct report *report, size_t columns)
{
	const json_t *list = json_object_get(table, "rows");
	size_t count = json_array_size(list);
	struct printed_row *rows = calloc(count ? count : 1, sizeof(*rows));

	for (size_t i = 0; i < count; i++) {
		struct text line = line_in(json_array_get(list, i), report->shifted);

		if (!read_row(&line, columns, &rows[i]))
			fail_msg("no row: %.*s", TEXT_ARGS(line));
	}
	rig->options.era = report->era;
	if (count)
		compare_printed(rig, rows, count);
	for (size_t i = 0; i < count; i++)
		if (!text_is(rows[i].line, line_of(rig, rows[i].key)))
			fail_msg("\n%.*s, ours:\n%s", TEXT_ARGS(rows[i].line), rig->out.data);
	free(rows);
	return count;
}

/* "1:4", the fails possibly left out. */
static void read_fails(struct text word, struct compare_cell *cell)
{
	struct text runs = word;
	struct text fails;

	if (text_cut(&runs, ":", &fails))
		cell->fails = number_of(fails);
	else
		runs.at++;
	cell->runs = (unsigned)number_of(runs);
}

static size_t check_functions(struct rig *rig, const json_t *table, const struct report *report, size_t columns)
{
	const json_t *list = json_object_get(table, "fail_rows");

	for (size_t i = 0; i < json_array_size(list); i++) {
		struct text line = line_in(json_array_get(list, i), report->shifted), rest = line, word;
		struct compare_cell cells[HEADS_MAX + 1] = { 0 };
		struct compare_row row = { .function = true, .cells = cells };

		for (size_t c = 0; c < columns; c++) {
			if (c) {
				assert_true(next_word(&rest, &word) && text_ends(word, "%"));
				word.end--;
				cells[c].change = number_of(word);
			}
			assert_true(next_word(&rest, &word));
			read_fails(word, &cells[c]);
		}
		text_skip_blanks(&rest);
		row.key = rest.at;
		buf_clear(&rig->out);
		assert_int_equal(report_row(&row, columns, report->era, &rig->out), 0);
		assert_string_equal(rig->out.data, line.at);
	}
	return json_array_size(list);
}

static void forget_runs(struct rig *rig)
{
	for (size_t i = 0; i < rig->count; i++) {
		stats_free(&rig->stats[i]);
		pairs_free(&rig->axes[i]);
	}
	rig->count = 0;
}

static void check(struct rig *rig, const struct report *report)
{
	json_t *json = load(report->path);
	const json_t *tables = json_object_get(json, "tables");
	size_t rows = 0, functions = 0;

	for (size_t i = 0; i < json_array_size(tables); i++) {
		const json_t *table = json_array_get(tables, i);
		size_t columns = json_array_size(json_object_get(table, "commits"));

		forget_runs(rig);
		rows += check_rows(rig, table, report, columns);
		functions += check_functions(rig, table, report, columns);
	}
	assert_int_equal(rows, report->rows);
	assert_int_equal(functions, report->functions);
	json_decref(json);
}

#define REPORT(name, file, ...)                                                                   \
	static void name(void **state)                                                            \
	{                                                                                         \
		check(*state, &(const struct report){ "reports/" file, __VA_ARGS__ });            \
	}

REPORT(prints_will_it_scale_of_2016, "04-will-it-scale-2016.json", ERA_2016, 40, 0, 0)
REPORT(prints_will_it_scale_of_2018, "06-will-it-scale-2018.json", ERA_2018, 81, 4, 0)
REPORT(prints_aim7_of_2019, "08-aim7-2019.json", ERA_PRESENT, 239, 1, 0)
REPORT(prints_fio_of_2020, "10-fio-basic-2020.json", ERA_PRESENT, 205, 0, 0)
REPORT(prints_two_heads_of_2020, "11-will-it-scale-2020-two-heads.json", ERA_PRESENT, 201, 0, 0)
REPORT(prints_two_tables_of_2021, "14-unixbench-2021-two-tables.json", ERA_PRESENT, 149, 0, 0)
REPORT(prints_netperf_of_2021, "15-netperf-2021-tables.json", ERA_PRESENT, 198, 0, 0)
REPORT(prints_failures_of_2022, "18-xfstests-2022-fail-two-heads.json", ERA_PRESENT, 0, 3, 1)
REPORT(prints_failures_of_2023, "20-filebench-2023-fail-two-heads.json", ERA_PRESENT, 13, 2, 0)
REPORT(prints_three_heads_of_2024, "22-stress-ng-2024-three-heads.json", ERA_PRESENT, 67, 0, 0)
REPORT(prints_failures_of_2025, "26-rcutorture-2025-fail.json", ERA_PRESENT, 0, 1, 0)
REPORT(prints_postmark_of_2026, "29-postmark-2026-by-count.json", ERA_PRESENT, 137, 0, 0)

#define T(name) cmocka_unit_test_setup_teardown(name, rig_open, rig_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(prints_will_it_scale_of_2016),
		T(prints_will_it_scale_of_2018),
		T(prints_aim7_of_2019),
		T(prints_fio_of_2020),
		T(prints_two_heads_of_2020),
		T(prints_two_tables_of_2021),
		T(prints_netperf_of_2021),
		T(prints_failures_of_2022),
		T(prints_failures_of_2023),
		T(prints_three_heads_of_2024),
		T(prints_failures_of_2025),
		T(prints_postmark_of_2026),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
