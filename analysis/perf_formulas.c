/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/perf_formulas.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/expression.h"
#include "base/take.h"

#define TERMS 5

/* factor x sum of `above` / sum of `below`; a name with '-' before it is taken away. */
static const struct {
	const char *key;
	double factor;
	const char *above[TERMS], *below[TERMS];
} ratios[] = {
	{ "ipc", 1, { "instructions" }, { "cpu-cycles" } },
	{ "cpi", 1, { "cpu-cycles" }, { "instructions" } },
	{ "MPKI", 1000, { "cache-misses" }, { "instructions" } },
	{ "cache-miss-rate%", 100, { "cache-misses" }, { "cache-references" } },
	{ "branch-miss-rate%", 100, { "branch-misses" }, { "branch-instructions" } },
	{ "cycles-between-cache-misses", 1, { "cpu-cycles" }, { "cache-misses" } },
	{ "instructions-per-iTLB-miss", 1, { "instructions" }, { "iTLB-load-misses" } },
	/* Hits and misses in the divisor: so the kernel test robot has it, not perf. */
	{ "dTLB-load-miss-rate%", 100, { "dTLB-load-misses" }, { "dTLB-load-misses", "dTLB-loads" } },
	{ "dTLB-store-miss-rate%", 100, { "dTLB-store-misses" }, { "dTLB-store-misses", "dTLB-stores" } },
	{ "iTLB-load-miss-rate%", 100, { "iTLB-load-misses" }, { "iTLB-load-misses", "iTLB-loads" } },
	{ "node-load-miss-rate%", 100, { "node-load-misses" }, { "node-load-misses", "node-loads" } },
	{ "node-store-miss-rate%", 100, { "node-store-misses" }, { "node-store-misses", "node-stores" } },
#define LEVEL_1                                                                                \
	{                                                                                      \
		"topdown-retiring", "topdown-bad-spec", "topdown-fe-bound", "topdown-be-bound" \
	}
	{ "topdown-retiring%", 100, { "topdown-retiring" }, LEVEL_1 },
	{ "topdown-bad-spec%", 100, { "topdown-bad-spec" }, LEVEL_1 },
	{ "topdown-fe-bound%", 100, { "topdown-fe-bound" }, LEVEL_1 },
	{ "topdown-be-bound%", 100, { "topdown-be-bound" }, LEVEL_1 },
	{ "topdown-retiring%", 100, { "topdown-slots-retired" }, { "topdown-total-slots" } },
	{ "topdown-bad-spec%",
	  100,
	  { "topdown-slots-issued", "-topdown-slots-retired", "topdown-recovery-bubbles" },
	  { "topdown-total-slots" } },
	{ "topdown-fe-bound%", 100, { "topdown-fetch-bubbles" }, { "topdown-total-slots" } },
	{ "topdown-be-bound%",
	  100,
	  { "topdown-total-slots", "-topdown-fetch-bubbles", "-topdown-slots-issued", "-topdown-recovery-bubbles" },
	  { "topdown-total-slots" } },
};

/* Beside these perf prints a rate. */
static const char *const rated[] = {
	"cache-references", "branch-instructions", "dTLB-loads",       "dTLB-stores",  "dTLB-store-misses",
	"iTLB-loads",	    "node-loads",	   "node-load-misses", "node-stores",  "node-store-misses",
	"page-faults",	    "context-switches",	   "cpu-migrations",   "minor-faults", "major-faults",
};

static bool count_of(const struct perf_counts *c, const char *name, double *ret)
{
	int row = names_find(c->names, text_of(name), -1);

	if (row < 0 || !c->has[row])
		return false;
	*ret = c->at[row];
	return true;
}

static bool sum_of(const struct perf_counts *c, const char *const terms[TERMS], double *ret)
{
	*ret = 0;
	for (size_t i = 0; i < TERMS && terms[i]; i++) {
		bool less = terms[i][0] == '-';
		double value;

		if (!count_of(c, terms[i] + less, &value))
			return false;
		*ret += less ? -value : value;
	}
	return true;
}

int perf_ratios(const struct perf_counts *c, perf_put put, void *context)
{
	int r = 0;

	for (size_t i = 0; i < sizeof(ratios) / sizeof(*ratios) && r == 0; i++) {
		double above, below;

		if (sum_of(c, ratios[i].above, &above) && sum_of(c, ratios[i].below, &below) && below > 0)
			r = put(context, ratios[i].key, ratios[i].factor * above / below);
	}
	return r;
}

int perf_metrics(const struct perf_counts *c, perf_put put, void *context)
{
	static const char *const units[] = { NULL, "metric.K/sec", "metric.M/sec", "metric.G/sec" };
	double sums[4] = { 0 }, clock_ms, value;
	int r = 0;

	if (!count_of(c, "task-clock", &clock_ms) || clock_ms <= 0)
		return 0;
	for (size_t i = 0; i < sizeof(rated) / sizeof(*rated); i++) {
		size_t unit = 0;

		if (!count_of(c, rated[i], &value))
			continue;
		for (value /= clock_ms / 1000; value > 1000 && unit < 3; unit++)
			value /= 1000;
		sums[unit] += value;
	}
	for (size_t unit = 1; unit < 4 && r == 0; unit++)
		if (sums[unit] > 0)
			r = put(context, units[unit], sums[unit]);
	if (r == 0 && count_of(c, "cpu-cycles", &value) && value > 0)
		r = put(context, "metric.GHz", value / clock_ms / 1e6);
	return r;
}

/* ---- memory controllers ---- */

/* "UNC_M_RPQ_INSERTS", also behind a PMU's name and "::": RPQ. */
static bool queue_of(const char *name, struct text *ret)
{
	const char *at = strstr(name, "UNC_M_");
	struct text rest;

	if (!at || (at > name && at[-1] != ':'))
		return false;
	rest = text_of(at + strlen("UNC_M_"));
	if (!text_ends(rest, "_INSERTS"))
		return false;
	rest.end -= strlen("_INSERTS");
	*ret = rest;
	return text_len(rest) > 0 && text_len(rest) < 64;
}

/* The event of the same PMU. */
static bool sister(const struct perf_counts *c, const char *inserts, const char *middle, const char *ending,
		   double *ret)
{
	int before = (int)(strstr(inserts, "UNC_M_") - inserts);
	char name[300];

	return snprintf(name, sizeof(name), "%.*sUNC_M_%s%s", before, inserts, middle, ending) < (int)sizeof(name) &&
	       count_of(c, name, ret);
}

static int put_queue(const struct perf_counts *c, size_t row, double boxes, struct text queue, perf_put put,
		     void *context)
{
	const char *inserts = names_at(c->names, (int)row);
	double occupancy, ticks;
	char middle[64], key[100];
	int r;

	(void)snprintf(middle, sizeof(middle), "%.*s", TEXT_ARGS(queue));
	(void)snprintf(key, sizeof(key), "%s_throughput_MBps", middle);
	for (char *at = key; *at != '\0' && at < key + strlen(middle); at++)
		if (*at >= 'A' && *at <= 'Z')
			*at = (char)(*at - 'A' + 'a');
	r = put(context, key, c->at[row] * 64 / (1 << 20) / c->seconds);
	if (r < 0 || boxes <= 0 || !sister(c, inserts, middle, "_OCCUPANCY", &occupancy) ||
	    !sister(c, inserts, "CLOCKTICKS", "", &ticks) || ticks <= 0)
		return r;
	(void)snprintf(key + strlen(middle), sizeof(key) - strlen(middle), "_latency_ns");
	return put(context, key, occupancy / c->at[row] / (ticks / boxes / c->seconds) * 1e9);
}

int perf_uncore(const struct perf_counts *c, double boxes, perf_put put, void *context)
{
	struct text queue;
	int r = 0;

	for (size_t row = 0; row < c->names->count && r == 0; row++)
		if (c->has[row] && c->at[row] > 0 && c->seconds > 0 && queue_of(names_at(c->names, (int)row), &queue))
			r = put_queue(c, row, boxes, queue, put, context);
	return r;
}

/* ---- ratios of the user ---- */

static bool is_of_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* The longest name that stands at `at`; -1: none. */
static int longest(const struct names *names, struct text at)
{
	size_t length = 0;
	int found = -1;

	for (int row = 0; row < (int)names->count; row++) {
		struct text rest = at;

		if (!text_skip(&rest, names_at(names, row)) || names->length[row] <= length ||
		    (rest.at < rest.end && is_of_name(*rest.at)))
			continue;
		length = names->length[row];
		found = row;
	}
	return found;
}

/* With "e12" for the name of row 12: expressions know no '-', ':' and '/' in names. */
static int with_rows(const struct names *names, struct text expression, struct buf *ret)
{
	buf_clear(ret);
	while (expression.at < expression.end) {
		int row = longest(names, expression);

		if (row >= 0) {
			(void)buf_printf(ret, "e%d", row);
			expression.at += names->length[row];
			continue;
		}
		do /* a word is passed whole: no name begins within it */
			(void)buf_putc(ret, *expression.at);
		while (is_of_name(*expression.at++) && expression.at < expression.end && is_of_name(*expression.at));
	}
	return ret->failed;
}

static int put_wanted(struct scope *scope, const struct perf_counts *c, struct text name, struct text expression,
		      perf_put put, void *context)
{
	cleanup_buf struct buf rewritten = { 0 };
	struct column value = { 0 };
	struct err ignored;
	char key[200];
	bool many;
	int r = with_rows(c->names, expression, &rewritten);

	if (r < 0 || text_len(name) >= sizeof(key))
		return r == -ENOMEM ? r : 0;
	(void)snprintf(key, sizeof(key), "%.*s", TEXT_ARGS(name));
	if (expression_check(scope, buf_text(&rewritten), &many, &ignored) < 0)
		return 0;
	r = expression_values(scope, buf_text(&rewritten), &value, &ignored);
	if (r == 0 && value.count == 1 && isfinite(value.at[0]))
		r = put(context, key, value.at[0]);
	column_free(&value);
	return r;
}

int perf_wanted(const struct perf_counts *c, struct text lines, perf_put put, void *context)
{
	cleanup_free struct column *columns = calloc(c->names->count + 1, sizeof(*columns));
	cleanup_free bool *many = calloc(c->names->count + 1, sizeof(*many));
	cleanup_free double *values = calloc(c->names->count + 1, sizeof(*values));
	struct names rows = { 0 };
	struct scope scope = { .names = &rows, .many = many, .columns = columns };
	struct text line, name;
	int r = columns && many && values ? 0 : -ENOMEM;

	for (size_t row = 0; row < c->names->count && r == 0; row++) {
		char word[24];

		(void)snprintf(word, sizeof(word), "e%zu", row);
		r = names_add(&rows, text_of(word)) < 0 ? -ENOMEM : 0;
		values[row] = c->at[row];
		columns[row] = (struct column){ &values[row], c->has[row], 1 };
	}
	while (r == 0 && text_line(&lines, &line))
		if (text_cut(&line, ":", &name))
			r = put_wanted(&scope, c, text_trim(name), text_trim(line), put, context);
	names_free(&rows);
	return r;
}
