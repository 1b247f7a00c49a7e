/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/compare.h"
#include "cli/cli.h"
#include "cli/place.h"
#include "lab/lab.h"
#include "lab/matrix.h"

enum { FIRST_LONG = 256 }; /* options without a letter are told apart by their place in the table */

static const struct flag flags[] = {
	{ 'a', "axis", "NAME", "The compared axis (default: in which the groups differ, else commit)." },
	{ 'f', "format", "FORM", "text (default), json, markdown, csv, or html: one page with everything in it." },
	{ 'j', "json", NULL, "The same as --format json." },
	{ 'A', "all", NULL, "Every key, changed or not." },
	{ 'm', "more", NULL, "Also the keys that are hidden as noise." },
	{ 'k', "filter", "GLOB", "Only keys that match. All are judged together all the same." },
	{ FIRST_LONG + 12, "family", "NAME", "Only keys of this family: proc-vmstat." },
	{ 'i', "intervals", NULL, "With the 95 % interval and the q of each change." },
	{ 'x', "expand", NULL, "Under a line of many CPUs, those that changed." },
	{ 'q', "q", "Q", "The share of shown lines that may be false (default 0.05)." },
	{ FIRST_LONG + 0, "effect", "E", "Changes up to this ratio are not looked for (default 0.005)." },
	{ FIRST_LONG + 1, "weak", NULL, "Also lines of weak evidence (q up to 0.2), in a block of their own." },
	{ FIRST_LONG + 2, "noise", NULL, "Also keys whose noise changed." },
	{ FIRST_LONG + 3, "top", "N", "Only the N surest lines." },
	{ FIRST_LONG + 4, "no-history", NULL, "Earlier runs have no say in how noisy a key is." },
	{ FIRST_LONG + 5, "kpi", NULL, "Only the benchmark's own results." },
	{ FIRST_LONG + 6, "present-day", NULL,
	  "Hide interrupts, softirqs and slabinfo, as the test robot does since 2022." },
	{ FIRST_LONG + 7, "rules", "NAME", "Whose rules decide: assay or lkp, the test robot's (default assay)." },
	{ FIRST_LONG + 8, "relative", "RATIO", "lkp: smallest ratio of the medians that is shown (default 1.05)." },
	{ FIRST_LONG + 9, "gap", "G", "lkp: changed when the gap between the ranges exceeds G times the distance of the medians." },
	{ FIRST_LONG + 10, "distance", "D", "lkp: the gap rule with G = 1/2, or for fewer than 3 runs D times the longer range." },
	{ FIRST_LONG + 11, "variance", "V", "lkp: changed when the relative range grew or shrank V-fold (needs 10 runs a side)." },
	{ 'H', "history", "FILE", "Earlier runs, where the groups are files." },
	{ 's', "store", "DIR|URL", "Where the runs are." },
	{ 0 },
};

struct question {
	struct lab_options options;
	struct pairs asked; /* the same by their names, for a server */
	const char *history; /* a file of earlier runs */
	const struct lab_form *form;
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

static bool are_matrices(char **names)
{
	for (size_t i = 0; names[i]; i++)
		if (!lab_is_matrix(names[i]))
			return false;
	return true;
}

/* The same question to a server; the answer is printed as it comes, since both doors give the same bytes. */
static int ask_server(const struct verb *self, const char *url, const struct question *q, char **names)
{
	cleanup_buf struct buf path = { 0 }, body = { 0 };
	struct err err;

	(void)buf_printf(&path, "/v1/compare?format=%s", q->form->name);
	for (size_t i = 0; names[i]; i++) {
		(void)buf_puts(&path, i ? "&head=" : "&base=");
		(void)url_encode(&path, names[i]);
	}
	for (size_t i = 0; i < q->asked.count; i++) {
		(void)buf_printf(&path, "&%s=", q->asked.at[i].name);
		(void)url_encode(&path, q->asked.at[i].value);
	}
	if (path.failed) {
		(void)err_set(&err, path.failed, "the question is too long");
		return failed(self, &err);
	}
	if (remote_get(url, path.data, NULL, "*/*", &body, &err) < 0)
		return failed(self, &err);
	if (body.len == 0)
		say_nothing(self, &q->options.compare, false, false);
	return print_out(&body) < 0 ? EXIT_FAILED : EXIT_DONE;
}

/* In a store, or without one, in files. */
static int compare_here(const struct verb *self, struct place *place, const struct question *q, char **names,
			size_t count)
{
	const struct compare_options *o = &q->options.compare;
	struct comparison comparison = { 0 };
	cleanup_buf struct buf text = { 0 };
	struct err err;
	int r;

	progress("reading runs ...");
	r = place ? lab_compare_names(place->store, (const char *const *)names, count, &q->options, &comparison, &err)
		  : lab_compare_matrices((const char *const *)names, count, q->history, &q->options, &comparison, &err);
	progress_end();
	if (r < 0)
		return failed(self, &err);
	(void)q->form->write(&comparison, &text);
	r = print_out(&text);
	if (comparison.rows == 0)
		say_nothing(self, o, comparison.groups_short > 0, comparison.keys == 0);
	comparison_free(&comparison);
	return r < 0 ? EXIT_FAILED : EXIT_DONE;
}

/* The flag's name is the option's, but for the dash. */
static int take_option(struct question *q, int letter, const char *value, struct err *err)
{
	const struct flag *flag = flags;
	char name[32];

	while (flag->letter != letter)
		flag++;
	(void)snprintf(name, sizeof(name), "%s", flag->name);
	for (char *at = name; *at; at++)
		*at = *at == '-' ? '_' : *at;
	if (pairs_set(&q->asked, name, flag->value ? value : "1") < 0)
		return err_set(err, -ENOMEM, "no memory");
	return lab_option_set(&q->options, name, flag->value ? value : "1", err);
}

static int compare_main(const struct verb *self, int argc, char **argv)
{
	struct question q = { .form = lab_form_find("text") };
	const char *where = NULL;
	struct place place;
	struct err err;
	int c, status;

	while ((c = next_option(self, argc, argv)) != -1) {
		if (c == 'j' || c == 'f')
			q.form = lab_form_find(c == 'j' ? "json" : optarg);
		else if (c == 's')
			where = optarg;
		else if (c == 'H')
			q.history = optarg;
		else if (c < 0 || take_option(&q, c, optarg, &err) < 0) {
			pairs_free(&q.asked);
			return c < 0 ? option_status(c) : usage_error(self, "%s", err.text);
		}
	}
	if (!q.form) {
		pairs_free(&q.asked);
		return usage_error(self, "there is no such format; there are: text, json, markdown, csv, html");
	}
	if (argc - optind < 2) {
		pairs_free(&q.asked);
		return usage_error(self, "two groups are needed: BASE and HEAD");
	}
	if (are_matrices(argv + optind)) {
		status = compare_here(self, NULL, &q, argv + optind, (size_t)(argc - optind));
		pairs_free(&q.asked);
		return status;
	}
	if (q.history) {
		pairs_free(&q.asked);
		return usage_error(self, "--history is for files of runs; a store knows its earlier runs");
	}
	if (place_open(&place, where, false, &err) < 0) {
		pairs_free(&q.asked);
		return failed(self, &err);
	}
	status = place.url ? ask_server(self, place.url, &q, argv + optind)
			   : compare_here(self, &place, &q, argv + optind, (size_t)(argc - optind));
	place_close(&place);
	pairs_free(&q.asked);
	return status;
}

const struct verb verb_compare = {
	.name = "compare",
	.summary = "Say what changed between two or more groups of runs.",
	.usage = "compare [OPTION]... BASE HEAD...",
	.flags = flags,
	.help = "A group is a value of the compared axis (v6.12), a query (commit=v6.12,testcase=hackbench) or a run "
		"(@0). Each\n"
		"group needs at least three runs before a number of it can be called changed. Earlier runs of the same\n"
		"benchmark on the same machine tell how noisy each key is, so that few runs are enough. A group may be a\n"
		"file, too, {\"KEY\":[run 1, run 2, ...]}, or a folder with such a matrix.json.\n\n"
		"  assay compare v6.11 v6.12\n"
		"  assay compare --intervals --expand v6.11 v6.12\n"
		"  assay compare --rules lkp v6.11 v6.12\n"
		"  assay compare --format html v6.11 v6.12 >changed.html\n"
		"  assay compare testcase=hackbench,nr_threads=4 testcase=hackbench,nr_threads=8\n"
		"  assay compare --store http://127.0.0.1:7460 v6.11 v6.12 --filter 'proc-vmstat.*' --json\n",
	.main = compare_main,
};
