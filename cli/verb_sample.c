/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One snapshot, or a few, on stdout: what a run would record, without a run. */
#include <jansson.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analysis/reduce.h"
#include "base/log.h"
#include "base/option.h"
#include "cli/cli.h"
#include "cli/lines.h"
#include "collectors/collector.h"
#include "host/clock.h"
#include "host/limits.h"

static const struct flag flags[] = {
	{ 'c', "collectors", "LIST", "These, as below (default: all that work here)." },
	{ 'n', "count", "N", "So many snapshots (default 1)." },
	{ 'i', "interval", "TIME", "Time between them (default 1s)." },
	{ 'o', "output", "FILE", "Write them as a segment, too, for `assay dump`." },
	{ 'j', "json", NULL, "As JSON, one object a line." },
	{ 'R', "root", "DIR", "Of a recorded tree instead of this machine." },
	{ 0 },
};

struct sampling {
	const struct host *host;
	struct chosen_list chosen;
	struct collector_run *runs;
	struct sample *samples; /* those of one snapshot that succeeded */
};

static int open_all(struct sampling *s, struct err *err)
{
	s->runs = calloc(s->chosen.count + 1, sizeof(*s->runs));
	s->samples = calloc(s->chosen.count + 1, sizeof(*s->samples));
	if (!s->runs || !s->samples)
		return err_set(err, -ENOMEM, "no memory for %zu collectors", s->chosen.count);
	for (size_t i = 0; i < s->chosen.count; i++) {
		struct err why;

		if (collector_run_open(&s->runs[i], s->chosen.at[i].collector, s->host,
				       (const char *const *)s->chosen.at[i].options, &why) < 0)
			log_warning("%s: %s", s->chosen.at[i].name, why.text);
	}
	return 0;
}

static bool has_values(const struct sample *s)
{
	for (size_t word = 0; word < (shape_slots(s->shape) + 63) / 64; word++)
		if (s->present[word])
			return true;
	return false;
}

static size_t take_snapshot(struct sampling *s, uint64_t tick, struct snapshot *ret)
{
	size_t n = 0;

	*ret = (struct snapshot){ .tick = tick, .monotonic_ns = clock_monotonic(), .samples = s->samples };
	for (size_t i = 0; i < s->chosen.count; i++) {
		struct err why;

		if (!s->runs[i].is_open)
			continue;
		/* A bad line costs that line; what the others gave is there all the same. */
		if (collector_run_sample(&s->runs[i], &why) < 0)
			log_warning("%s: %s", s->chosen.at[i].name, why.text);
		if (has_values(&s->runs[i].sample))
			s->samples[n++] = s->runs[i].sample;
	}
	ret->count = n;
	return n;
}

static int sample_many(const struct verb *self, struct sampling *s, long long count, long long interval_ns, bool json,
		       const char *output)
{
	struct segment_file file = { 0 };
	uint64_t next = clock_monotonic();
	cleanup_buf struct buf text = { 0 };
	struct snapshot snapshot;
	struct err err;
	int r, status = EXIT_DONE;

	if (open_all(s, &err) < 0)
		return failed(self, &err);
	if (output && segment_file_open(&file, s->host, output, (uint64_t)interval_ns, &err) < 0)
		return failed(self, &err);
	for (long long i = 0; i < count && status == EXIT_DONE; i++) {
		if (i > 0) {
			struct timespec until;

			next += (uint64_t)interval_ns;
			until = (struct timespec){ (time_t)(next / 1000000000u), (long)(next % 1000000000u) };
			(void)clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
		}
		if (take_snapshot(s, (uint64_t)i, &snapshot) == 0 && i == 0) {
			(void)err_set(&err, -ENODATA, "no collector gives anything here; `assay doctor` tells why");
			status = failed(self, &err);
			break;
		}
		r = print_snapshot(&text, &snapshot, json);
		if (r < 0) {
			(void)err_set(&err, r, "writing the output: %s", err_name(r));
			status = failed(self, &err);
			break;
		}
		if (output && segment_file_put(&file, &snapshot, &err) < 0)
			status = failed(self, &err);
	}
	if (output && segment_file_close(&file, &err) < 0)
		status = failed(self, &err);
	return status;
}

static int sample_main(const struct verb *self, int argc, char **argv)
{
	const char *root = NULL, *list = NULL, *output = NULL;
	long long count = 1, interval_ns = 1000000000;
	struct sampling s = { 0 };
	struct host host;
	struct rlimit before;
	struct err err;
	bool json = false;
	int c, status;

	while ((c = next_option(self, argc, argv)) != -1) {
		if (c == 'c')
			list = optarg;
		else if (c == 'R')
			root = optarg;
		else if (c == 'o')
			output = optarg;
		else if (c == 'j')
			json = true;
		else if (c == 'n') {
			if (parse_number("--count", optarg, &count, &err) < 0 || count < 1)
				return usage_error(self, "--count takes a number from 1 on, not '%s'", optarg);
		} else if (c == 'i') {
			if (parse_duration("--interval", optarg, &interval_ns, &err) < 0)
				return usage_error(self, "%s", err.text);
		} else
			return option_status(c);
	}
	if (optind < argc)
		return usage_error(self, "what is '%s'?", argv[optind]);
	(void)limits_raise_files(&before); /* it ends with this process */
	if (host_open_root(&host, root, &err) < 0)
		return failed(self, &err);
	s.host = &host;
	if (choose_collectors(&host, list, &s.chosen, &err) < 0)
		status = failed(self, &err);
	else
		status = sample_many(self, &s, count, interval_ns, json, output);
	for (size_t i = 0; s.runs && i < s.chosen.count; i++)
		collector_run_close(&s.runs[i]);
	free(s.runs);
	free(s.samples);
	chosen_free(&s.chosen);
	host_close(&host);
	return status;
}

const struct verb verb_sample = {
	.name = "sample",
	.summary = "Take a snapshot of the counters now and print it.",
	.usage = "sample [OPTION]...",
	.flags = flags,
	.help = "A line for each value: KEY VALUE UNIT. Keys are those of `assay stats`, values are raw: counters "
		"count since boot.\n"
		CHOOSE_HELP "\n"
		"  assay sample -c meminfo,proc-vmstat\n"
		"  assay sample -c interrupts -n 10 -i 500ms --json\n"
		"  assay sample -o now.seg && assay dump now.seg\n",
	.main = sample_main,
};
