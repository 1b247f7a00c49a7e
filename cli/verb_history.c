/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/place.h"
#include "lab/trend.h"

static const struct flag flags[] = {
	{ 'b', "by", "WHAT", "A point for each value of this axis (default commit), each 'day', or each 'run'." },
	{ 'j', "json", NULL, "As JSON: {\"points\":[...], \"changes\":[...]}." },
	{ 256, "svg", NULL, "As a plot, with a line at each change." },
	{ 's', "store", "DIR|URL", "Where the runs are." },
	{ 0 },
};

static int ask_server(const struct verb *self, const char *url, const char *key, const char *query, const char *by,
		      const char *form)
{
	cleanup_buf struct buf body = { 0 };
	struct pairs parameters = { 0 };
	struct err err = { 0 };
	int r = pairs_set(&parameters, "key", key);

	if (r == 0)
		r = pairs_set(&parameters, "query", query);
	if (r == 0 && by)
		r = pairs_set(&parameters, "by", by);
	if (r == 0)
		r = pairs_set(&parameters, "format", form);
	if (r == 0)
		r = remote_get(url, "/v1/history", &parameters, "*/*", &body, &err);
	pairs_free(&parameters);
	if (r < 0)
		return failed(self, &err);
	return print_out(&body) < 0 ? EXIT_FAILED : EXIT_DONE;
}

static int look(const struct verb *self, struct place *place, const char *key, const char *query, const char *by,
		const char *form)
{
	cleanup_buf struct buf text = { 0 };
	struct trend trend;
	struct err err = { 0 };
	int r;

	progress("reading runs ...");
	r = lab_trend(place->store, key, query, by, &trend, &err);
	progress_end();
	if (r < 0)
		return failed(self, &err);
	(void)(strcmp(form, "json") == 0  ? trend_json(&trend, &text)
	       : strcmp(form, "svg") == 0 ? trend_svg(&trend, &text)
					  : trend_text(&trend, &text));
	trend_free(&trend);
	return print_out(&text) < 0 ? EXIT_FAILED : EXIT_DONE;
}

static int history_main(const struct verb *self, int argc, char **argv)
{
	const char *where = NULL, *by = NULL, *form = "text", *query;
	struct place place;
	struct err err;
	int c, status;

	while ((c = next_option(self, argc, argv)) != -1) {
		if (c == 'b')
			by = optarg;
		else if (c == 'j')
			form = "json";
		else if (c == 256)
			form = "svg";
		else if (c == 's')
			where = optarg;
		else
			return option_status(c);
	}
	if (argc - optind < 1 || argc - optind > 2)
		return usage_error(self, "a key is needed, and a query: hackbench.throughput testcase=hackbench");
	query = argc - optind == 2 ? argv[optind + 1] : "";
	if (place_open(&place, where, false, &err) < 0)
		return failed(self, &err);
	status = place.url ? ask_server(self, place.url, argv[optind], query, by, form)
			   : look(self, &place, argv[optind], query, by, form);
	place_close(&place);
	return status;
}

const struct verb verb_history = {
	.name = "history",
	.summary = "Show one key over commits or days, and where its level changed.",
	.usage = "history [OPTION]... KEY [QUERY]",
	.flags = flags,
	.help = "Points stand in the order in which they were first measured. A single point far from its neighbours "
		"is an\n"
		"outlier; a last point that does not fit is suspect, and no change before it was run again.\n\n"
		"  assay history hackbench.throughput testcase=hackbench,nr_threads=8\n"
		"  assay history --by day proc-vmstat.nr_dirty testcase=fsmark\n"
		"  assay history --svg hackbench.throughput testcase=hackbench >throughput.svg\n",
	.main = history_main,
};
