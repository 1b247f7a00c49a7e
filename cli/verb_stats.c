/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/reduce.h"
#include "cli/cli.h"
#include "cli/place.h"
#include "lab/json.h"
#include "lab/lab.h"

static const struct flag flags[] = {
	{ 'j', "json", NULL, "As JSON: {\"run\":ID, \"stats\":{KEY: NUMBER}}." },
	{ 'k', "filter", "GLOB", "Only keys that match, 'proc-vmstat.*'; may be given more than once." },
	{ 's', "store", "DIR|URL", "Where the run is looked for." },
	{ 0 },
};

#define GLOBS 16

static bool wanted(const char *key, const char *const *globs, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (text_glob(text_of(key), globs[i]))
			return true;
	return count == 0;
}

/* Of a folder with segments, which is in no store. */
static int reduce_folder(struct place *place, const struct named_run *run, struct stats *ret, struct err *err)
{
	struct reduce *reduce;
	int r = reduce_open(&reduce, err);

	if (r < 0)
		return r;
	r = place_read(place, run, &reduce_events, reduce, err);
	if (r == 0)
		r = reduce_finish(reduce, ret, err);
	reduce_close(reduce);
	return r;
}

static int from_server(const char *url, const struct ulid *id, struct stats *ret, struct err *err)
{
	json_t *json, *value;
	const char *key;
	char path[96];
	int r;

	(void)snprintf(path, sizeof(path), "/v1/runs/%s/stats", id->text);
	r = remote_json(url, path, NULL, &json, err);
	if (r < 0)
		return r;
	json_object_foreach(json_object_get(json, "stats"), key, value) if (r == 0) r =
		stats_set(ret, key, json_number_value(value));
	json_decref(json);
	stats_sort(ret);
	return r < 0 ? err_set(err, r, "no memory for the stats") : 0;
}

/* Whole numbers whole, others with what a reader can use: six digits behind the point, no trailing zeros. */
static void print_number(double value)
{
	char text[64];
	size_t len;

	if (value == floor(value) && fabs(value) < 1e15) {
		printf("%.0f", value);
		return;
	}
	(void)snprintf(text, sizeof(text), "%.6f", value);
	for (len = strlen(text); len > 1 && text[len - 1] == '0' && text[len - 2] != '.'; len--)
		text[len - 1] = '\0';
	fputs(fabs(value) < 1e-3 || fabs(value) >= 1e15 ? (snprintf(text, sizeof(text), "%.6g", value), text) : text,
	      stdout);
}

static int print_json(const char *run, const struct stats *stats, const char *const *globs, size_t count)
{
	cleanup_buf struct buf text = { 0 };
	bool first = true;

	(void)buf_puts(&text, "{\"run\":");
	(void)json_text(&text, text_of(run));
	(void)buf_puts(&text, ",\"stats\":{");
	for (size_t i = 0; i < stats->count; i++) {
		if (!wanted(stats->at[i].key, globs, count))
			continue;
		(void)buf_puts(&text, first ? "\n" : ",\n");
		(void)json_text(&text, text_of(stats->at[i].key));
		(void)buf_putc(&text, ':');
		(void)json_number(&text, stats->at[i].value);
		first = false;
	}
	(void)buf_puts(&text, "}}\n");
	return print_out(&text) < 0 ? EXIT_FAILED : EXIT_DONE;
}

static int stats_main(const struct verb *self, int argc, char **argv)
{
	const char *where = NULL, *globs[GLOBS];
	struct stats stats = { 0 };
	struct named_run run;
	struct place place;
	size_t count = 0;
	struct err err;
	bool json = false;
	int c, r, status = EXIT_DONE;

	while ((c = next_option(self, argc, argv)) != -1) {
		if (c == 'j')
			json = true;
		else if (c == 's')
			where = optarg;
		else if (c == 'k' && count < GLOBS)
			globs[count++] = optarg;
		else if (c == 'k')
			return usage_error(self, "more than %d filters", GLOBS);
		else
			return option_status(c);
	}
	if (optind != argc - 1)
		return usage_error(self, "one run is needed, such as @0");
	if (place_open(&place, where, false, &err) < 0)
		return failed(self, &err);
	r = place_resolve(&place, argv[optind], &run, &err);
	if (r == 0 && run.folder)
		r = reduce_folder(&place, &run, &stats, &err);
	else if (r == 0 && place.url)
		r = from_server(place.url, &run.id, &stats, &err);
	else if (r == 0)
		r = lab_stats(place.store, &run.id, &stats, &err);
	if (r < 0) {
		status = failed(self, &err);
	} else if (json) {
		status = print_json(run.folder ? run.folder : run.id.text, &stats, globs, count);
	} else {
		for (size_t i = 0; i < stats.count; i++) {
			if (!wanted(stats.at[i].key, globs, count))
				continue;
			printf("%s ", stats.at[i].key);
			print_number(stats.at[i].value);
			putchar('\n');
		}
	}
	stats_free(&stats);
	place_close(&place);
	return status;
}

const struct verb verb_stats = {
	.name = "stats",
	.summary = "Print the numbers of a run, one for each key.",
	.usage = "stats [OPTION]... RUN",
	.flags = flags,
	.help = "Counters are differences over the run, levels are means of the samples. A counter of "
		"one\nCPU that is always 0 is not there; its sum over the CPUs is.\n\n"
		"  assay stats @0\n"
		"  assay stats @0 -k 'hackbench.*' -k '*.nr_dirty'\n"
		"  assay stats runs/01J9Z3.../ --json\n",
	.main = stats_main,
};
