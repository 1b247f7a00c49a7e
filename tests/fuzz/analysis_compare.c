/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A few runs with a few keys out of any bytes -> compare, both reports. The JSON has to be JSON.
 *
 * The first bytes are options; then lines: "@A=B" begins a run whose axis A is B, "KEY VALUE" is a stat of it.
 */
#include <jansson.h>
#include <stdint.h>
#include <stdlib.h>

#include "analysis/compare.h"

#define RUNS_MAX 24

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct input {
	struct stats stats[RUNS_MAX];
	struct pairs axes[RUNS_MAX];
	struct compare_run runs[RUNS_MAX];
	size_t count;
};

static void take_run(struct input *in, struct text line)
{
	struct text name;

	if (in->count == RUNS_MAX)
		return;
	if (text_cut(&line, "=", &name))
		(void)pairs_set_text(&in->axes[in->count], name, line);
	in->runs[in->count] = (struct compare_run){ &in->stats[in->count], &in->axes[in->count], text_ends(line, "!") };
	in->count++;
}

static void take_axis(struct input *in, struct text line)
{
	struct text name;

	if (in->count && text_cut(&line, "=", &name))
		(void)pairs_set_text(&in->axes[in->count - 1], name, line);
}

static void take_stat(struct input *in, struct text line)
{
	struct text key, word;
	char digits[32];
	char *copy;

	if (in->count == 0 || !text_cut(&line, " ", &key))
		return;
	word = text_trim(line);
	if (text_len(word) >= sizeof(digits))
		word.end = word.at + sizeof(digits) - 1;
	memcpy(digits, word.at, text_len(word));
	digits[text_len(word)] = '\0';
	copy = text_copy(key);
	if (copy)
		(void)stats_set(&in->stats[in->count - 1], copy, strtod(digits, NULL));
	free(copy);
}

/* A bit of the second byte says whose rules. */
static struct compare_options options_of(const uint8_t bytes[2])
{
	if (bytes[1] & 64)
		return (struct compare_options){
			.rules = RULES_ASSAY,
			.all = bytes[0] & 4,
			.more = bytes[0] & 8,
			.kpi_only = bytes[0] & 16,
			.expand = bytes[0] & 32,
			.noise = bytes[0] & 64,
			.weak = bytes[0] & 128,
			.intervals = bytes[0] & 1,
			.top = bytes[0] & 2,
			.filter = bytes[1] & 128 ? "*a*" : NULL,
		};
	return (struct compare_options){
		.rules = RULES_LKP,
		.era = bytes[0] % 3,
		.all = bytes[0] & 4,
		.more = bytes[0] & 8,
		.kpi_only = bytes[0] & 16,
		.present_day = bytes[0] & 32,
		.max_half_only = bytes[0] & 64,
		.gap = bytes[1] % 4 == 1 ? 0.5 : 0,
		.variance = bytes[1] % 4 == 2 ? 2 : 0,
		.distance = bytes[1] % 4 == 3 ? 2 : 0,
		.filter = bytes[1] & 128 ? "*a*" : NULL,
	};
}

static void check(const struct comparison *c)
{
	struct buf text = { 0 }, json = { 0 };
	json_t *parsed;

	if (report_text(c, &text) < 0 || report_markdown(c, &text) < 0 || report_csv(c, &text) < 0 ||
	    report_html(c, &text) < 0 || report_json(c, &json) < 0)
		abort();
	parsed = json_loadb(json.data, json.len, JSON_ALLOW_NUL, NULL);
	if (!parsed)
		abort();
	json_decref(parsed);
	buf_free(&text);
	buf_free(&json);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input *in = calloc(1, sizeof(*in));
	struct compare_options options;
	struct comparison c;
	struct text rest, line;
	struct err err;

	if (!in || size < 2) {
		free(in);
		return 0;
	}
	options = options_of(data);
	rest = text_n((const char *)data + 2, size - 2);
	while (text_line(&rest, &line)) {
		if (text_skip(&line, "@"))
			take_run(in, line);
		else if (text_skip(&line, "+"))
			take_axis(in, line);
		else
			take_stat(in, line);
	}
	for (size_t i = 0; i < in->count; i++)
		stats_sort(&in->stats[i]);
	/* The last runs are earlier ones, where the rules ask for them; they have an instant and a boot each. */
	if (options.rules == RULES_ASSAY && in->count > 8) {
		options.history = in->runs + 8;
		options.history_count = in->count - 8;
	}
	for (size_t i = 0; i < in->count; i++) {
		in->runs[i].when = data[0] & 1 ? 1 + (double)(i * 7 % 5) : 0;
		in->runs[i].boot = data[0] & 2 ? (i & 1 ? "a" : i & 2 ? "b" : "c") : NULL;
	}
	if (compare(in->runs, options.history_count ? 8 : in->count, &options, &c, &err) == 0)
		check(&c);
	comparison_free(&c);
	for (size_t i = 0; i < in->count; i++) {
		stats_free(&in->stats[i]);
		pairs_free(&in->axes[i]);
	}
	free(in);
	return 0;
}
