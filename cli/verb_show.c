/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run: what it was, what it printed; or its keys over time. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/series.h"
#include "cli/cli.h"
#include "cli/place.h"
#include "lab/json.h"

static const struct flag flags[] = {
	{ 'j', "json", NULL, "As JSON." },
	{ 'o', "output", NULL, "What the command printed, as far as it was kept; its stderr goes to stderr." },
	{ 's', "store", "DIR|URL", "Where the run is looked for." },
	{ 0 },
};

struct about {
	struct pairs axes, facts;
	struct buf logs, marks;
	struct run_end end;
	uint64_t realtime_ns, start_ns, end_ns, snapshots, bytes[2], gaps;
	char id[ULID_LENGTH + 1];
	bool ended, output;
};

static int about_header(void *context, const struct run_header *h, struct err *err)
{
	struct about *a = context;

	memcpy(a->id, h->run.text, sizeof(a->id));
	if (a->realtime_ns == 0 || h->realtime_ns < a->realtime_ns)
		a->realtime_ns = h->realtime_ns;
	return 0;
}

static int about_facts(void *context, const struct pairs *axes, const struct pairs *facts, struct err *err)
{
	struct about *a = context;

	if (pairs_copy(&a->axes, axes) < 0 || pairs_copy(&a->facts, facts) < 0)
		return err_set(err, -ENOMEM, "no memory for the run's facts");
	return 0;
}

/* The command starts before it can set a mark. */
static int print_mark(struct about *a, const struct run_mark *m, struct err *err)
{
	double at = a->start_ns ? ((double)m->monotonic_ns - (double)a->start_ns) / 1e9 : 0;

	(void)buf_printf(&a->marks, "mark      %+.3f s ", at);
	(void)print_safe(&a->marks, m->name);
	if (*m->value)
		(void)buf_putc(&a->marks, ' ');
	(void)print_safe(&a->marks, m->value);
	if (buf_putc(&a->marks, '\n') < 0)
		return err_set(err, -ENOMEM, "no memory for the run's marks");
	return 0;
}

static int about_mark(void *context, const struct run_mark *m, struct err *err)
{
	struct about *a = context;

	if (strcmp(m->name, MARK_COMMAND_START) == 0)
		a->start_ns = m->monotonic_ns;
	else if (strcmp(m->name, MARK_COMMAND_END) == 0)
		a->end_ns = m->monotonic_ns;
	else
		return print_mark(a, m, err);
	return 0;
}

static int about_snapshot(void *context, const struct snapshot *snapshot, struct err *err)
{
	((struct about *)context)->snapshots++;
	return 0;
}

static int about_log(void *context, const struct run_log *log, struct err *err)
{
	struct about *a = context;

	(void)buf_puts(&a->logs, "log       ");
	(void)print_safe(&a->logs, log->source);
	(void)buf_puts(&a->logs, ": ");
	(void)print_safe(&a->logs, log->text);
	(void)buf_putc(&a->logs, '\n');
	return 0;
}

static int about_output(void *context, const struct run_output *o, struct err *err)
{
	FILE *to = o->stream == OUTPUT_STDERR ? stderr : stdout;
	struct about *a = context;
	uint64_t *at = &a->bytes[o->stream == OUTPUT_STDERR];

	if (o->offset > *at) {
		a->gaps += o->offset - *at;
		if (a->output)
			fprintf(stderr, "assay: %llu bytes are not here: they were shown and not kept\n",
				(unsigned long long)(o->offset - *at));
	}
	*at = o->offset + o->length;
	if (a->output && fwrite(o->data, 1, o->length, to) != o->length)
		return err_set(err, -EIO, "writing the output");
	return 0;
}

static int about_end(void *context, const struct run_end *end, struct err *err)
{
	struct about *a = context;

	a->end = *end;
	a->ended = true;
	return 0;
}

static const struct run_events about_events = {
	.header = about_header,
	.snapshot = about_snapshot,
	.mark = about_mark,
	.output = about_output,
	.log = about_log,
	.facts = about_facts,
	.end = about_end,
};

static void print_pairs(const char *what, const struct pairs *pairs)
{
	for (size_t i = 0; i < pairs->count; i++) {
		cleanup_buf struct buf line = { 0 };
		/* A benchmark's reading rules are for programs. */
		bool rules = strcmp(pairs->at[i].name, "benchmark.results") == 0;

		(void)buf_printf(&line, "%-9s ", what);
		(void)print_safe(&line, pairs->at[i].name);
		(void)buf_putc(&line, '=');
		(void)print_safe(&line, rules ? "..." : pairs->at[i].value);
		(void)buf_putc(&line, '\n');
		(void)print_out(&line);
	}
}

static void print_about(const struct about *a)
{
	cleanup_buf struct buf when = { 0 };

	(void)print_time(&when, a->realtime_ns);
	printf("run       %s\nstarted   %s\n", a->id, when.data);
	if (!a->ended || !a->end.exited)
		printf("ended     incomplete: the agent never saw the end\n");
	else if (a->end.signal)
		printf("ended     by signal %d (%s)\n", a->end.signal, strsignal(a->end.signal));
	else
		printf("ended     with exit status %d\n", a->end.exit_code);
	if (a->start_ns && a->end_ns)
		printf("took      %.2f s\n", (double)(a->end_ns - a->start_ns) / 1e9);
	printf("snapshots %llu\n", (unsigned long long)a->snapshots);
	printf("output    %llu bytes of stdout, %llu of stderr", (unsigned long long)a->bytes[0],
	       (unsigned long long)a->bytes[1]);
	if (a->gaps)
		printf(", %llu of them not kept", (unsigned long long)a->gaps);
	putchar('\n');
	if (a->end.ticks_missed || a->end.bytes_dropped || a->end.collector_errors)
		printf("lost      %llu ticks, %llu bytes, %llu samples\n", (unsigned long long)a->end.ticks_missed,
		       (unsigned long long)a->end.bytes_dropped, (unsigned long long)a->end.collector_errors);
	print_pairs("axis", &a->axes);
	print_pairs("fact", &a->facts);
	(void)print_out(&a->marks);
	(void)print_out(&a->logs);
}

static int print_about_json(const struct about *a)
{
	cleanup_buf struct buf text = { 0 };

	(void)buf_printf(&text, "{\"id\":\"%s\",\"axes\":", a->id);
	(void)json_pairs(&text, &a->axes);
	(void)buf_puts(&text, ",\"facts\":");
	(void)json_pairs(&text, &a->facts);
	(void)buf_printf(&text, ",\"time_ns\":%llu,\"duration_ns\":%llu,\"complete\":%s",
			 (unsigned long long)a->realtime_ns,
			 (unsigned long long)(a->end_ns > a->start_ns ? a->end_ns - a->start_ns : 0),
			 a->ended && a->end.exited ? "true" : "false");
	(void)buf_printf(&text, ",\"exit_code\":%d,\"signal\":%d,\"snapshots\":%llu,\"ticks_missed\":%llu",
			 a->end.exit_code, a->end.signal, (unsigned long long)a->snapshots,
			 (unsigned long long)a->end.ticks_missed);
	(void)buf_printf(&text, ",\"bytes_dropped\":%llu,\"output_dropped\":%llu,\"collector_errors\":%llu}\n",
			 (unsigned long long)a->end.bytes_dropped, (unsigned long long)a->end.output_dropped,
			 (unsigned long long)a->end.collector_errors);
	return print_out(&text) < 0 ? EXIT_FAILED : EXIT_DONE;
}

/* {KEY: [[SECONDS, VALUE], ...], ...} */
static int print_series(const struct series *s, bool json)
{
	cleanup_buf struct buf text = { .ceiling = (size_t)1 << 30 };

	if (json)
		(void)buf_putc(&text, '{');
	for (size_t l = 0; l < s->count; l++) {
		const struct series_line *line = &s->lines[l];
		uint64_t zero = s->start_ns || line->count == 0 ? s->start_ns : line->at[0].monotonic_ns;

		if (json) {
			(void)buf_puts(&text, l ? ",\n" : "\n");
			(void)json_text(&text, text_of(line->key));
			(void)buf_puts(&text, ":[");
		} else {
			(void)buf_puts(&text, "# ");
			(void)print_safe(&text, line->key);
			(void)buf_printf(&text, " %s %s\n", kind_name(line->kind), unit_name(line->unit));
		}
		for (size_t i = 0; i < line->count; i++) {
			double at = ((double)line->at[i].monotonic_ns - (double)zero) / 1e9;

			if (json)
				(void)buf_printf(&text, "%s[%.6f,%.15g]", i ? "," : "", at, line->at[i].value);
			else
				(void)buf_printf(&text, "%10.3f %.15g\n", at, line->at[i].value);
		}
		if (json)
			(void)buf_putc(&text, ']');
	}
	if (json)
		(void)buf_puts(&text, "}\n");
	return print_out(&text) < 0 ? EXIT_FAILED : EXIT_DONE;
}

static int show_series(const struct verb *self, struct place *place, const struct named_run *run,
		       const char *const *globs, size_t count, bool json)
{
	struct series s;
	struct err err;
	int status;

	if (series_open(&s, globs, count, &err) < 0)
		return failed(self, &err);
	if (place_read(place, run, &series_events, &s, &err) < 0) {
		status = failed(self, &err);
	} else if (s.count == 0) {
		(void)err_set(&err, -ENOENT, "no sampled key matches '%s'; `assay dump` shows which there are",
			      globs[0]);
		status = failed(self, &err);
	} else {
		status = print_series(&s, json);
	}
	series_close(&s);
	return status;
}

static int show_main(const struct verb *self, int argc, char **argv)
{
	const char *where = NULL;
	struct about about = { 0 };
	struct named_run run;
	struct place place;
	struct err err;
	bool json = false;
	int c, status = EXIT_DONE;

	while ((c = next_option(self, argc, argv)) != -1) {
		if (c == 'j')
			json = true;
		else if (c == 'o')
			about.output = true;
		else if (c == 's')
			where = optarg;
		else
			return option_status(c);
	}
	if (optind >= argc)
		return usage_error(self, "a run is needed, such as @0");
	if (place_open(&place, where, false, &err) < 0)
		return failed(self, &err);
	if (place_resolve(&place, argv[optind], &run, &err) < 0)
		status = failed(self, &err);
	else if (optind + 1 < argc)
		status = show_series(self, &place, &run, (const char *const *)argv + optind + 1,
				     (size_t)(argc - optind - 1), json);
	else if (place_read(&place, &run, &about_events, &about, &err) < 0)
		status = failed(self, &err);
	else if (!about.output)
		status = json ? print_about_json(&about) : (print_about(&about), EXIT_DONE);
	pairs_free(&about.axes);
	pairs_free(&about.facts);
	buf_free(&about.logs);
	buf_free(&about.marks);
	place_close(&place);
	return status;
}

const struct verb verb_show = {
	.name = "show",
	.summary = "Show a run, what it printed, or some of its keys over time.",
	.usage = "show [OPTION]... RUN [KEY]...",
	.flags = flags,
	.help = "A KEY may be a glob. Times are seconds since the command started, values are as sampled.\n\n"
		"  assay show @0\n"
		"  assay show @0 meminfo.Dirty 'proc-stat.*.iowait'\n"
		"  assay show @1 --output\n",
	.main = show_main,
};
