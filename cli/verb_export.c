/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <stdio.h>

#include "cli/cli.h"
#include "cli/place.h"
#include "lab/export.h"

static const struct flag flags[] = {
	{ 'f', "format", "FORM", "json (default), csv, matrix, openmetrics or benchstat." },
	{ 'k', "filter", "GLOB", "Only keys that match." },
	{ 's', "store", "DIR", "Where the runs are." },
	{ 0 },
};

static int export_main(const struct verb *self, int argc, char **argv)
{
	cleanup_buf struct buf text = { 0 };
	const char *where = NULL, *form = "json", *filter = NULL;
	struct place place;
	struct err err = { 0 };
	int c, r;

	while ((c = next_option(self, argc, argv)) != -1) {
		if (c == 'f')
			form = optarg;
		else if (c == 'k')
			filter = optarg;
		else if (c == 's')
			where = optarg;
		else
			return option_status(c);
	}
	if (argc - optind != 1)
		return usage_error(self, "one run or query is needed, such as @0 or testcase=hackbench");
	if (place_open(&place, where, false, &err) < 0)
		return failed(self, &err);
	progress("reading runs ...");
	r = place.url ? err_set(&err, -EINVAL, "stats are exported where the runs are: --store DIR")
		      : lab_export(place.store, argv[optind], form, filter, &text, &err);
	progress_end();
	place_close(&place);
	if (r < 0)
		return failed(self, &err);
	return print_out(&text) < 0 ? EXIT_FAILED : EXIT_DONE;
}

const struct verb verb_export = {
	.name = "export",
	.summary = "Print the numbers of runs in the forms that other programs read.",
	.usage = "export [OPTION]... RUN|QUERY",
	.flags = flags,
	.help = "csv and matrix are what import reads; openmetrics is for promtool, benchstat for Go's tool of that "
		"name.\n\n"
		"  assay export --format csv testcase=hackbench >runs.csv\n"
		"  assay export --format openmetrics -k 'hackbench.*' v6.12 | promtool check metrics\n",
	.main = export_main,
};
