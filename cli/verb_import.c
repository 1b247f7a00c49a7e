/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/axes.h"
#include "cli/cli.h"
#include "cli/place.h"
#include "lab/import.h"

static const struct flag flags[] = {
	{ 'p', "param", "KEY=VALUE",
	  "An axis of all runs, over what the file or its path says; may be given more than once." },
	{ 'n', "name", "NAME", "The same as -p testcase=NAME." },
	{ 's', "store", "DIR", "Where the runs go." },
	{ 0 },
};

static int import_main(const struct verb *self, int argc, char **argv)
{
	struct import_count count = { 0 };
	struct pairs axes = { 0 };
	const char *where = NULL;
	struct place place;
	struct err err = { 0 };
	int c, r = 0, status = EXIT_DONE;

	while ((c = next_option(self, argc, argv)) != -1) {
		if (c == 's')
			where = optarg;
		else if (c == 'p')
			r = axes_parse(&axes, "-p", optarg, &err);
		else if (c == 'n')
			r = pairs_set(&axes, "testcase", optarg);
		else
			r = -1;
		if (r < 0) {
			pairs_free(&axes);
			return c < 0 ? option_status(c) : usage_error(self, "%s", *err.text ? err.text : "no memory");
		}
	}
	if (optind == argc) {
		pairs_free(&axes);
		return usage_error(self, "a file or a folder is needed");
	}
	if (place_open(&place, where, true, &err) < 0) {
		pairs_free(&axes);
		return failed(self, &err);
	}
	if (place.url) {
		(void)err_set(&err, -EINVAL, "runs are imported into a folder: --store DIR");
		status = failed(self, &err);
	}
	for (int i = optind; i < argc && status == EXIT_DONE; i++) {
		progress("%s ...", argv[i]);
		r = lab_import(place.store, argv[i], &axes, &count, &err);
		progress_end();
		if (r < 0)
			status = failed(self, &err);
	}
	if (status == EXIT_DONE || count.files)
		fprintf(stderr,
			"assay: %zu run%s from %zu file%s, %zu values; %zu were here already, %zu values missing\n",
			count.runs, count.runs == 1 ? "" : "s", count.files, count.files == 1 ? "" : "s", count.values,
			count.known, count.missing);
	place_close(&place);
	pairs_free(&axes);
	return status;
}

const struct verb verb_import = {
	.name = "import",
	.summary = "Take numbers that other programs recorded as runs.",
	.usage = "import [OPTION]... FILE|DIR...",
	.flags = flags,
	.help = "matrix.json and stats.json of LKP (a folder is searched for them, and its path below tells the axes), "
		"the JSON\n"
		"of a Prometheus range query, and CSV: a head, then a row a run; columns axis.NAME are axes, time is "
		"when.\n\n"
		"  assay import -n hackbench -p commit=v6.12 matrix.json\n"
		"  assay import /lkp/result\n"
		"  curl -s \"$prometheus/api/v1/query_range?...\" >run.json; assay import -n web -p commit=v2 "
		"run.json\n",
	.main = import_main,
};
