/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/compare.h"
#include "cli/cli.h"
#include "cli/place.h"
#include "lab/lab.h"

enum { RULES = 256, GAP, VARIANCE, DISTANCE, RELATIVE, PRESENT_DAY, KPI };

static const struct flag flags[] = {
	{ 'a', "axis", "NAME", "The compared axis (default: in which the groups differ, else commit)." },
	{ 'j', "json", NULL, "As JSON: {\"tables\":[...]}." },
	{ 'A', "all", NULL, "Every key, changed or not." },
	{ 'm', "more", NULL, "Also the keys that are hidden as noise." },
	{ 'k', "filter", "GLOB", "Only keys that match." },
	{ KPI, "kpi", NULL, "Only the benchmark's own results." },
	{ PRESENT_DAY, "present-day", NULL,
	  "Hide interrupts, softirqs and slabinfo, as the test robot does since 2022." },
	{ RELATIVE, "relative", "RATIO", "Smallest ratio of the medians that is shown (default 1.05)." },
	{ GAP, "gap", "G", "Changed when the gap between the ranges exceeds G times the distance of the medians." },
	{ DISTANCE, "distance", "D", "The gap rule with G = 1/2, or for fewer than 3 runs D times the longer range." },
	{ VARIANCE, "variance", "V", "Changed when the relative range grew or shrank V-fold (needs 10 runs a side)." },
	{ RULES, "rules", "NAME", "Whose rules decide: lkp (default lkp)." },
	{ 's', "store", "DIR|URL", "Where the runs are." },
	{ 0 },
};

/* An empty answer, in words. */
static void say_nothing(const struct verb *self, const struct compare_options *o, bool few_runs, bool no_key)
{
	if (no_key && o->filter)
		fprintf(stderr, "assay: %s: no key matches '%s'\n", self->name, o->filter);
	else if (few_runs)
		fprintf(stderr, "assay: %s: a group has fewer than %d whole runs, too few to call a number changed (--all shows every key)\n",
			self->name, COMPARE_RUNS_MIN);
	else
		fprintf(stderr, "assay: %s: nothing changed beyond the noise, by these rules (--all shows every key)\n",
			self->name);
}

/* The same question to a server; the answer is printed as it comes, since both doors give the same bytes. */
static int ask_server(const struct verb *self, const char *url, const struct compare_options *o, char **names,
		      bool json)
{
	cleanup_buf struct buf path = { 0 }, body = { 0 };
	struct err err;

	(void)buf_printf(&path, "/v1/compare?format=%s", json ? "json" : "text");
	for (size_t i = 0; names[i]; i++) {
		(void)buf_puts(&path, i ? "&head=" : "&base=");
		(void)url_encode(&path, names[i]);
	}
	if (o->axis) {
		(void)buf_puts(&path, "&axis=");
		(void)url_encode(&path, o->axis);
	}
	if (o->filter) {
		(void)buf_puts(&path, "&filter=");
		(void)url_encode(&path, o->filter);
	}
	(void)buf_printf(&path, "%s%s%s%s", o->all ? "&all=1" : "", o->more ? "&more=1" : "",
			 o->kpi_only ? "&kpi=1" : "", o->present_day ? "&present_day=1" : "");
	if (o->gap > 0)
		(void)buf_printf(&path, "&gap=%.17g", o->gap);
	if (o->variance > 0)
		(void)buf_printf(&path, "&variance=%.17g", o->variance);
	if (o->distance > 0)
		(void)buf_printf(&path, "&distance=%.17g", o->distance);
	if (o->relative > 0)
		(void)buf_printf(&path, "&relative=%.17g", o->relative);
	if (path.failed) {
		(void)err_set(&err, path.failed, "the question is too long");
		return failed(self, &err);
	}
	if (remote_get(url, path.data, NULL, json ? "application/json" : "text/plain", &body, &err) < 0)
		return failed(self, &err);
	if (!json && body.len == 0)
		say_nothing(self, o, false, false);
	return print_out(&body) < 0 ? EXIT_FAILED : EXIT_DONE;
}

static int compare_here(const struct verb *self, struct place *place, const struct compare_options *o, char **names,
			size_t count, bool json)
{
	struct comparison comparison = { 0 };
	cleanup_buf struct buf text = { 0 };
	struct err err;
	int r;

	progress("reading runs ...");
	r = lab_compare_names(place->store, (const char *const *)names, count, o, &comparison, &err);
	progress_end();
	if (r < 0)
		return failed(self, &err);
	if (json)
		(void)report_json(&comparison, &text);
	else
		(void)report_text(&comparison, &text);
	r = print_out(&text);
	if (!json && text.len == 0)
		say_nothing(self, o, comparison.groups_short > 0, comparison.keys == 0);
	comparison_free(&comparison);
	return r < 0 ? EXIT_FAILED : EXIT_DONE;
}

static bool number(const char *text, double *ret)
{
	struct text rest = text_of(text);
	int64_t micro;

	if (!text_decimal(&rest, 6, &micro) || rest.at != rest.end || micro <= 0)
		return false;
	*ret = (double)micro / 1e6;
	return true;
}

static int compare_main(const struct verb *self, int argc, char **argv)
{
	struct compare_options o = { .rules = RULES_LKP };
	const char *where = NULL;
	struct place place;
	bool json = false;
	struct err err;
	int c, status;

	while ((c = next_option(self, argc, argv)) != -1) {
		bool good = true;

		switch (c) {
		case 'a':
			o.axis = optarg;
			break;
		case 'j':
			json = true;
			break;
		case 'A':
			o.all = true;
			break;
		case 'm':
			o.more = true;
			break;
		case 'k':
			o.filter = optarg;
			break;
		case 's':
			where = optarg;
			break;
		case KPI:
			o.kpi_only = true;
			break;
		case PRESENT_DAY:
			o.present_day = true;
			break;
		case GAP:
			good = number(optarg, &o.gap);
			break;
		case VARIANCE:
			good = number(optarg, &o.variance);
			break;
		case DISTANCE:
			good = number(optarg, &o.distance);
			break;
		case RELATIVE:
			good = number(optarg, &o.relative);
			break;
		case RULES:
			if (strcmp(optarg, "lkp") != 0)
				return usage_error(self, "no rules called '%s'; there is: lkp", optarg);
			break;
		default:
			return option_status(c);
		}
		if (!good)
			return usage_error(self, "'%s' is not a number above 0", optarg);
	}
	if (argc - optind < 2)
		return usage_error(self, "two groups are needed: BASE and HEAD");
	if (place_open(&place, where, false, &err) < 0)
		return failed(self, &err);
	status = place.url ? ask_server(self, place.url, &o, argv + optind, json)
			   : compare_here(self, &place, &o, argv + optind, (size_t)(argc - optind), json);
	place_close(&place);
	return status;
}

const struct verb verb_compare = {
	.name = "compare",
	.summary = "Say what changed between two or more groups of runs.",
	.usage = "compare [OPTION]... BASE HEAD...",
	.flags = flags,
	.help = "A group is a value of the compared axis (v6.12), a query (commit=v6.12,testcase=hackbench) or a run "
		"(@0). Each\n"
		"group needs at least three runs before a number of it can be called changed.\n\n"
		"  assay compare v6.11 v6.12\n"
		"  assay compare testcase=hackbench,nr_threads=4 testcase=hackbench,nr_threads=8\n"
		"  assay compare --store http://127.0.0.1:7460 v6.11 v6.12 --filter 'proc-vmstat.*' --json\n",
	.main = compare_main,
};
