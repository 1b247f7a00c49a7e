/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/option.h"
#include "cli/cli.h"
#include "cli/place.h"
#include "lab/json.h"

enum { REBUILD = 256 };

static const struct flag flags[] = {
	{ 'j', "json", NULL, "As JSON: {\"runs\":[...]}." },
	{ 'n', "limit", "N", "The newest N (default 50; 0 for all)." },
	{ 's', "store", "DIR|URL", "Where to look." },
	{ REBUILD, "rebuild", NULL, "Make the store's catalog anew from its segments first." },
	{ 0 },
};

/* testcase first, then what tells runs apart; what is the same on one machine is left to `assay show`. */
static void print_axes(struct buf *line, const struct pairs *axes)
{
	const char *testcase = pairs_get(axes, "testcase");

	if (testcase)
		(void)print_safe(line, testcase);
	for (size_t i = 0; i < axes->count; i++) {
		if (strcmp(axes->at[i].name, "testcase") == 0 || strcmp(axes->at[i].name, "tbox_group") == 0)
			continue;
		(void)buf_putc(line, ' ');
		(void)print_safe(line, axes->at[i].name);
		(void)buf_putc(line, '=');
		(void)print_safe(line, axes->at[i].value);
	}
}

static void print_run(const struct store_run *run)
{
	cleanup_buf struct buf line = { 0 };
	char state[24];

	if (!run->complete)
		(void)snprintf(state, sizeof(state), "incomplete");
	else if (run->signal)
		(void)snprintf(state, sizeof(state), "signal %d", run->signal);
	else if (run->exit_code)
		(void)snprintf(state, sizeof(state), "exit %d", run->exit_code);
	else
		(void)snprintf(state, sizeof(state), "done");
	(void)buf_printf(&line, "%s  ", run->id.text);
	(void)print_time(&line, run->realtime_ns);
	(void)buf_printf(&line, "  %8.2f s  %-10s  ", (double)run->duration_ns / 1e9, state);
	print_axes(&line, &run->axes);
	(void)buf_putc(&line, '\n');
	(void)print_out(&line);
}

static int local(const struct verb *self, struct place *place, const char *query_text, long long limit, bool json)
{
	struct store_query query = { 0 };
	struct store_runs runs = { 0 };
	struct err err;
	int r;

	r = store_query_parse(&query, query_text, &err);
	if (r == 0) {
		if (limit && !query.limit)
			query.limit = (size_t)limit;
		r = store_find(place->store, &query, &runs, &err);
	}
	if (r == 0 && json) {
		cleanup_buf struct buf text = { 0 };

		(void)json_runs(&text, &runs, false);
		(void)buf_putc(&text, '\n');
		r = print_out(&text);
	} else if (r == 0) {
		for (size_t i = 0; i < runs.count; i++)
			print_run(&runs.at[i]);
		if (runs.count == 0)
			fprintf(stderr, "assay: no run%s%s\n", *query_text ? " answers to " : " in this store",
				query_text);
	}
	store_runs_free(&runs);
	store_query_free(&query);
	return r < 0 ? failed(self, &err) : EXIT_DONE;
}

/* The server's list, turned into what a local store would have said. */
static int remote(const struct verb *self, const char *url, const char *query, long long limit, bool json)
{
	struct pairs parameters = { 0 };
	json_t *answer = NULL, *one;
	struct err err;
	size_t i;
	int r;

	(void)pairs_set(&parameters, "query", query);
	(void)pairs_setf(&parameters, "limit", "%lld", limit);
	if (json) {
		cleanup_buf struct buf body = { 0 };

		r = remote_get(url, "/v1/runs", &parameters, "application/json", &body, &err);
		pairs_free(&parameters);
		if (r < 0)
			return failed(self, &err);
		return print_out(&body) < 0 ? EXIT_FAILED : EXIT_DONE;
	}
	r = remote_json(url, "/v1/runs", &parameters, &answer, &err);
	pairs_free(&parameters);
	if (r < 0)
		return failed(self, &err);
	json_array_foreach(json_object_get(answer, "runs"), i, one)
	{
		struct store_run run = { 0 };
		const char *id = json_string_value(json_object_get(one, "id")), *name;
		json_t *value;

		if (!id || !ulid_is(text_of(id)))
			continue;
		memcpy(run.id.text, id, sizeof(run.id.text));
		json_object_foreach(json_object_get(one, "axes"), name, value) if (json_is_string(value))(void)
			pairs_set(&run.axes, name, json_string_value(value));
		run.realtime_ns = (uint64_t)json_integer_value(json_object_get(one, "time_ns"));
		run.duration_ns = (uint64_t)json_integer_value(json_object_get(one, "duration_ns"));
		run.complete = json_is_true(json_object_get(one, "complete"));
		run.exit_code = (int)json_integer_value(json_object_get(one, "exit_code"));
		run.signal = (int)json_integer_value(json_object_get(one, "signal"));
		print_run(&run);
		pairs_free(&run.axes);
	}
	json_decref(answer);
	return EXIT_DONE;
}

static int runs_main(const struct verb *self, int argc, char **argv)
{
	const char *where = NULL, *query;
	bool json = false, rebuild = false;
	long long limit = 50;
	struct place place;
	struct err err;
	int c, status;

	while ((c = next_option(self, argc, argv)) != -1) {
		if (c == 'j')
			json = true;
		else if (c == 's')
			where = optarg;
		else if (c == REBUILD)
			rebuild = true;
		else if (c == 'n') {
			if (parse_number("--limit", optarg, &limit, &err) < 0 || limit < 0)
				return usage_error(self, "--limit takes a number from 0 on, not '%s'", optarg);
		} else
			return option_status(c);
	}
	if (optind + 1 < argc)
		return usage_error(self, "one query, with commas between its parts: 'commit=v6.12,testcase=hackbench'");
	query = optind < argc ? argv[optind] : "";
	if (place_open(&place, where, false, &err) < 0)
		return failed(self, &err);
	if (rebuild && place.url) {
		place_close(&place);
		return usage_error(self, "--rebuild is for a store on this machine");
	}
	if (rebuild) {
		struct store_rebuilt made = { 0 };

		progress("reading the segments ...");
		if (store_rebuild(place.store, &made, &err) < 0) {
			place_close(&place);
			return failed(self, &err);
		}
		progress_end();
		fprintf(stderr, "assay: %zu runs of %zu segments\n", made.runs, made.segments);
		if (made.refused)
			fprintf(stderr, "assay: %zu files are no segments; the first: %s\n", made.refused,
				made.first.text);
	}
	status = place.url ? remote(self, place.url, query, limit, json) : local(self, &place, query, limit, json);
	place_close(&place);
	return status;
}

const struct verb verb_runs = {
	.name = "runs",
	.summary = "List the runs that are stored.",
	.usage = "runs [OPTION]... [QUERY]",
	.flags = flags,
	.help = "A QUERY is AXIS=VALUE, with commas between several; a value may be a glob. A name that is no axis is a "
		"fact's\n"
		"(`assay show RUN` lists them). Also: id, host, complete=yes|no, since, until.\n\n"
		"  assay runs\n"
		"  assay runs 'testcase=hackbench,commit=v6.*' --json\n"
		"  assay runs 'cpu.code_name=Cascade Lake,cpu.smt=on'\n"
		"  assay runs --store http://127.0.0.1:7460 complete=no\n",
	.main = runs_main,
};
