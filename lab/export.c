/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lab/export.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/json.h"
#include "base/names.h"
#include "lab/history.h"

static int export_json(const struct store_runs *runs, const struct stats *stats, struct buf *ret)
{
	(void)buf_puts(ret, "{\"runs\":[");
	for (size_t i = 0; i < runs->count; i++) {
		(void)buf_printf(ret, "%s\n {\"id\":\"%s\",\"axes\":", i ? "," : "", runs->at[i].id.text);
		(void)json_pairs(ret, &runs->at[i].axes);
		(void)buf_printf(ret, ",\"time_ns\":%" PRIu64 ",\"stats\":{", runs->at[i].realtime_ns);
		for (size_t k = 0; k < stats[i].count; k++) {
			if (k)
				(void)buf_putc(ret, ',');
			(void)json_text(ret, text_of(stats[i].at[k].key));
			(void)buf_putc(ret, ':');
			(void)json_number(ret, stats[i].at[k].value);
		}
		(void)buf_puts(ret, "}}");
	}
	return buf_puts(ret, "]}\n");
}

/* All keys, and all axes, of all runs. */
static int name_all(const struct store_runs *runs, const struct stats *stats, struct names *keys, struct names *axes)
{
	int r = 0;

	for (size_t i = 0; i < runs->count && r >= 0; i++) {
		for (size_t k = 0; k < stats[i].count && r >= 0; k++)
			r = names_add(keys, text_of(stats[i].at[k].key));
		for (size_t a = 0; a < runs->at[i].axes.count && r >= 0; a++)
			r = names_add(axes, text_of(runs->at[i].axes.at[a].name));
	}
	return r < 0 ? -ENOMEM : 0;
}

static int export_csv(const struct store_runs *runs, const struct stats *stats, struct buf *ret)
{
	struct names keys = { 0 }, axes = { 0 };
	int r = name_all(runs, stats, &keys, &axes);

	for (size_t a = 0; a < axes.count; a++) {
		(void)buf_puts(ret, "axis.");
		(void)csv_field(ret, axes.at[a]);
		(void)buf_putc(ret, ',');
	}
	(void)buf_puts(ret, "time");
	for (size_t k = 0; k < keys.count; k++) {
		(void)buf_putc(ret, ',');
		(void)csv_field(ret, keys.at[k]);
	}
	(void)buf_puts(ret, "\r\n");
	for (size_t i = 0; i < runs->count; i++) {
		double value;

		for (size_t a = 0; a < axes.count; a++) {
			const char *of = pairs_get(&runs->at[i].axes, axes.at[a]);

			(void)csv_field(ret, of ? of : "");
			(void)buf_putc(ret, ',');
		}
		if (lab_when(&runs->at[i]) > 0)
			(void)buf_printf(ret, "%.3f", lab_when(&runs->at[i]));
		for (size_t k = 0; k < keys.count; k++) {
			(void)buf_putc(ret, ',');
			if (stats_get(&stats[i], keys.at[k], &value))
				(void)json_number(ret, value);
		}
		(void)buf_puts(ret, "\r\n");
	}
	names_free(&keys);
	names_free(&axes);
	return r < 0 ? r : ret->failed;
}

static int export_matrix(const struct store_runs *runs, const struct stats *stats, struct buf *ret)
{
	struct names keys = { 0 }, axes = { 0 };
	int r = name_all(runs, stats, &keys, &axes);

	(void)buf_puts(ret, "{\"assay.when\":[");
	for (size_t i = 0; i < runs->count; i++)
		(void)buf_printf(ret, "%s%.3f", i ? "," : "", lab_when(&runs->at[i]));
	for (size_t k = 0; k < keys.count; k++) {
		(void)buf_puts(ret, "],\n ");
		(void)json_text(ret, text_of(keys.at[k]));
		(void)buf_puts(ret, ":[");
		for (size_t i = 0; i < runs->count; i++) {
			double value;

			if (i)
				(void)buf_putc(ret, ',');
			if (stats_get(&stats[i], keys.at[k], &value))
				(void)json_number(ret, value);
			else
				(void)buf_puts(ret, "null");
		}
	}
	names_free(&keys);
	names_free(&axes);
	(void)buf_puts(ret, "]}\n");
	return r < 0 ? r : ret->failed;
}

/* ="value" of a label. */
static void put_value(const char *value, struct buf *ret)
{
	(void)buf_puts(ret, "=\"");
	for (; *value; value++)
		if (*value == '\n')
			(void)buf_puts(ret, "\\n");
		else
			(void)buf_printf(ret, *value == '"' || *value == '\\' ? "\\%c" : "%c", *value);
	(void)buf_putc(ret, '"');
}

/* A label's name: what is no letter, digit or '_' becomes '_'; its own ones keep away from ours. */
static void put_label(const char *name, const char *value, struct buf *ret)
{
	static const char *const ours[] = { "key", "run", "host" };
	bool taken = isdigit((unsigned char)*name);

	for (size_t i = 0; i < sizeof(ours) / sizeof(ours[0]); i++)
		taken |= strcmp(name, ours[i]) == 0;
	(void)buf_puts(ret, taken ? ",axis_" : ",");
	for (; *name; name++)
		(void)buf_putc(ret, isalnum((unsigned char)*name) ? *name : '_');
	put_value(value, ret);
}

static int export_openmetrics(const struct store_runs *runs, const struct stats *stats, struct buf *ret)
{
	(void)buf_puts(ret, "# HELP assay_stat One number per run and key.\n# TYPE assay_stat gauge\n");
	for (size_t i = 0; i < runs->count; i++)
		for (size_t k = 0; k < stats[i].count; k++) {
			const struct store_run *run = &runs->at[i];

			(void)buf_puts(ret, "assay_stat{key");
			put_value(stats[i].at[k].key, ret);
			(void)buf_puts(ret, ",run");
			put_value(run->id.text, ret);
			(void)buf_puts(ret, ",host");
			put_value(run->host, ret);
			for (size_t a = 0; a < run->axes.count; a++)
				put_label(run->axes.at[a].name, run->axes.at[a].value, ret);
			(void)buf_printf(ret, "} %.17g %.3f\n", stats[i].at[k].value, (double)run->realtime_ns / 1e9);
		}
	return buf_puts(ret, "# EOF\n");
}

/* A name of Go's benchmarks: without blanks, its parameters behind slashes. */
static void put_plain(const char *text, struct buf *ret)
{
	for (; *text; text++)
		(void)buf_putc(ret, isspace((unsigned char)*text) || *text == '/' ? '_' : *text);
}

static int export_benchstat(const struct store_runs *runs, const struct stats *stats, struct buf *ret)
{
	for (size_t i = 0; i < runs->count; i++) {
		const struct store_run *run = &runs->at[i];
		const char *testcase = pairs_get(&run->axes, "testcase"), *commit = pairs_get(&run->axes, "commit");

		(void)buf_printf(ret, "commit: %s\nhost: %s\n", commit ? commit : "unknown", run->host);
		for (size_t k = 0; k < stats[i].count; k++) {
			(void)buf_puts(ret, "Benchmark");
			if (testcase && *testcase)
				(void)buf_putc(ret, (char)toupper((unsigned char)*testcase));
			put_plain(testcase && *testcase ? testcase + 1 : "Unnamed", ret);
			for (size_t a = 0; a < run->axes.count; a++) {
				const struct pair *p = &run->axes.at[a];

				if (strcmp(p->name, "testcase") == 0 || strcmp(p->name, "commit") == 0 ||
				    strcmp(p->name, "run") == 0)
					continue;
				(void)buf_putc(ret, '/');
				put_plain(p->name, ret);
				(void)buf_putc(ret, '=');
				put_plain(p->value, ret);
			}
			(void)buf_puts(ret, " 1 ");
			(void)json_number(ret, stats[i].at[k].value);
			(void)buf_putc(ret, ' ');
			put_plain(stats[i].at[k].key, ret);
			(void)buf_putc(ret, '\n');
		}
	}
	return ret->failed;
}

const struct lab_export lab_exports[] = {
	{ "json", export_json },	   { "csv", export_csv },
	{ "matrix", export_matrix },	   { "openmetrics", export_openmetrics },
	{ "benchstat", export_benchstat }, { 0 },
};

static int filter_stats(struct stats *from, const char *filter, struct stats *ret)
{
	int r = 0;

	for (size_t k = 0; k < from->count && r == 0; k++)
		if (text_glob(text_of(from->at[k].key), filter))
			r = stats_set(ret, from->at[k].key, from->at[k].value);
	stats_sort(ret);
	return r;
}

int lab_export(struct store *store, const char *name, const char *form, const char *filter, struct buf *ret,
	       struct err *err)
{
	const struct lab_export *e = lab_exports;
	struct stats *stats = NULL;
	struct lab_side side;
	int r;

	while (e->name && strcmp(e->name, form) != 0)
		e++;
	if (!e->name)
		return err_set(err, -EINVAL,
			       "there is no form '%.32s'; there are: json, csv, matrix, openmetrics, benchstat", form);
	r = lab_side_open(&side, store, name, NULL, err);
	if (r == 0 && side.runs.count > LAB_RUNS_MAX)
		r = err_set(err, -E2BIG, "%zu runs, more than %d; narrow the query, or add limit=N", side.runs.count,
			    LAB_RUNS_MAX);
	if (r == 0 && !(stats = calloc(side.runs.count, sizeof(*stats))))
		r = err_set(err, -ENOMEM, "no memory for %zu runs", side.runs.count);
	for (size_t i = 0; i < side.runs.count && r == 0; i++) {
		struct stats all = { 0 };

		r = lab_stats(store, &side.runs.at[i].id, filter ? &all : &stats[i], err);
		if (r == 0 && filter && filter_stats(&all, filter, &stats[i]) < 0)
			r = err_set(err, -ENOMEM, "no memory");
		stats_free(&all);
	}
	if (r == 0 && e->write(&side.runs, stats, ret) < 0)
		r = err_set(err, -ENOMEM, "%zu runs are too much for one file; narrow the query", side.runs.count);
	for (size_t i = 0; stats && i < side.runs.count; i++)
		stats_free(&stats[i]);
	free(stats);
	lab_side_close(&side);
	return r;
}
