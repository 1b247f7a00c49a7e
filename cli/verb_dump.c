/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A segment, or a whole run, as text: what was written, frame by frame. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/take.h"
#include "cli/cli.h"
#include "cli/lines.h"
#include "cli/place.h"

static const struct flag flags[] = {
	{ 'j', "json", NULL, "Snapshots as JSON, one object a line, and nothing else." },
	{ 's', "store", "DIR|URL", "Where a run is looked for." },
	{ 'f', "frames", NULL, "Also headers, shapes, marks, facts, results, output and ends." },
	{ 0 },
};

struct dump {
	bool json, frames;
	struct buf text;
	struct names collectors; /* whose shape was told */
	uint32_t *generations;   /* of each, the one told last */
};

/* Print what has gathered; the buffer stays small however long the run is. */
static int out(struct dump *d, struct err *err)
{
	int r = print_out(&d->text);

	buf_clear(&d->text);
	return r < 0 ? err_set(err, r, "writing the output: %s", err_name(r)) : 0;
}

static int dump_header(void *context, const struct run_header *h, struct err *err)
{
	struct dump *d = context;

	if (!d->frames)
		return 0;
	(void)buf_printf(&d->text, "# header run %s segment %u of ", h->run.text, h->sequence);
	(void)print_safe(&d->text, *h->host ? h->host : "an unnamed host");
	(void)buf_puts(&d->text, " at ");
	(void)print_time(&d->text, h->realtime_ns);
	(void)buf_printf(&d->text, " tick %g s\n", (double)h->tick_ns / 1e9);
	return out(d, err);
}

static int note_generation(struct dump *d, const struct shape *shape, bool *fresh)
{
	struct text name = text_of(shape->collector);
	int at = names_find(&d->collectors, name, 0);

	if (at < 0) {
		uint32_t *more = realloc(d->generations, (d->collectors.count + 1) * sizeof(*more));

		if (!more)
			return -ENOMEM;
		d->generations = more;
		at = names_add(&d->collectors, name);
		if (at < 0)
			return at;
		d->generations[at] = 0;
	}
	*fresh = d->generations[at] != shape->generation;
	d->generations[at] = shape->generation;
	return 0;
}

/* A line for each collector that measures other things than before. */
static int dump_shapes(struct dump *d, const struct snapshot *snapshot)
{
	int r = 0;

	for (size_t i = 0; i < snapshot->count && r == 0; i++) {
		const struct shape *shape = snapshot->samples[i].shape;
		bool fresh = false;

		r = note_generation(d, shape, &fresh);
		if (fresh) {
			(void)buf_puts(&d->text, "# shape ");
			(void)print_safe(&d->text, shape->collector);
			(void)buf_printf(&d->text, " generation %u: %zu metrics x %zu instances\n", shape->generation,
					 shape->metric_count, shape->instance_count);
		}
	}
	return r < 0 ? r : d->text.failed;
}

static int dump_snapshot(void *context, const struct snapshot *snapshot, struct err *err)
{
	struct dump *d = context;
	int r = d->frames ? dump_shapes(d, snapshot) : 0;

	if (r == 0)
		r = print_snapshot(&d->text, snapshot, d->json);

	return r < 0 ? err_set(err, r, "writing the output: %s", err_name(r)) : 0;
}

static int dump_mark(void *context, const struct run_mark *m, struct err *err)
{
	struct dump *d = context;

	if (!d->frames)
		return 0;
	(void)buf_printf(&d->text, "# mark ");
	(void)print_safe(&d->text, m->name);
	(void)buf_printf(&d->text, " %s%sat %.6f s\n", m->value, *m->value ? " " : "", (double)m->monotonic_ns / 1e9);
	return out(d, err);
}

static int dump_result(void *context, const struct run_result *result, struct err *err)
{
	struct dump *d = context;

	if (!d->frames)
		return 0;
	(void)buf_puts(&d->text, "# result ");
	(void)print_safe(&d->text, result->key);
	(void)buf_printf(&d->text, " %.17g %s\n", result->value, result->unit);
	return out(d, err);
}

static int dump_output(void *context, const struct run_output *o, struct err *err)
{
	struct dump *d = context;

	if (!d->frames)
		return 0;
	(void)buf_printf(&d->text, "# output %s from byte %llu, %zu bytes\n",
			 o->stream == OUTPUT_STDOUT ? "stdout" : "stderr", (unsigned long long)o->offset, o->length);
	return out(d, err);
}

static int dump_log(void *context, const struct run_log *log, struct err *err)
{
	struct dump *d = context;

	if (!d->frames)
		return 0;
	(void)buf_puts(&d->text, "# log ");
	(void)print_safe(&d->text, log->source);
	(void)buf_puts(&d->text, ": ");
	(void)print_safe(&d->text, log->text);
	(void)buf_putc(&d->text, '\n');
	return out(d, err);
}

static int dump_facts(void *context, const struct pairs *axes, const struct pairs *facts, struct err *err)
{
	const struct pairs *lists[] = { axes, facts };
	struct dump *d = context;

	for (size_t l = 0; d->frames && l < 2; l++) {
		for (size_t i = 0; i < lists[l]->count; i++) {
			(void)buf_printf(&d->text, "# %s ", l ? "fact" : "axis");
			(void)print_safe(&d->text, lists[l]->at[i].name);
			(void)buf_putc(&d->text, '=');
			(void)print_safe(&d->text, lists[l]->at[i].value);
			(void)buf_putc(&d->text, '\n');
		}
	}
	return out(d, err);
}

static int dump_end(void *context, const struct run_end *end, struct err *err)
{
	struct dump *d = context;

	if (!d->frames)
		return 0;
	(void)buf_printf(&d->text,
			 "# end %s, exit %d, signal %d, %llu ticks missed, %llu bytes dropped, %llu of output, %llu "
			 "failed samples\n",
			 end->exited ? "seen" : "never seen", end->exit_code, end->signal,
			 (unsigned long long)end->ticks_missed, (unsigned long long)end->bytes_dropped,
			 (unsigned long long)end->output_dropped, (unsigned long long)end->collector_errors);
	return out(d, err);
}

static const struct run_events dump_events = {
	.header = dump_header,
	.snapshot = dump_snapshot,
	.mark = dump_mark,
	.result = dump_result,
	.output = dump_output,
	.log = dump_log,
	.facts = dump_facts,
	.end = dump_end,
};

static int read_file(const char *path, struct buf *ret, struct err *err)
{
	cleanup_fd int fd = open(path, O_RDONLY | O_CLOEXEC);
	char part[65536];
	ssize_t n;

	if (fd < 0)
		return err_set(err, -errno, "%s", err_name(errno));
	while ((n = read(fd, part, sizeof(part))) > 0)
		if (buf_add(ret, part, (size_t)n) < 0)
			return err_set(err, ret->failed, "larger than %zu bytes, which no segment is", ret->ceiling);
	return n < 0 ? err_set(err, -errno, "%s", err_name(errno)) : 0;
}

static int dump_file(const char *name, struct dump *d, struct err *err)
{
	struct segment_report report = { 0 };
	cleanup_buf struct buf bytes = { .ceiling = (size_t)1 << 30 };
	int r = read_file(name, &bytes, err);

	if (r == 0)
		r = segment_read(buf_text(&bytes), NULL, true, &dump_events, d, &report, err);
	if (r < 0)
		return err_prefix(err, "%s: ", name);
	if (report.torn)
		fprintf(stderr, "assay: %s: %zu bytes behind the last whole frame are torn\n", name, report.torn);
	return 0;
}

static int dump_main(const struct verb *self, int argc, char **argv)
{
	struct dump d = { 0 };
	const char *where = NULL;
	struct named_run run;
	struct place place;
	struct stat st;
	struct err err;
	int c, r;

	while ((c = next_option(self, argc, argv)) != -1) {
		if (c == 'j')
			d.json = true;
		else if (c == 'f')
			d.frames = true;
		else if (c == 's')
			where = optarg;
		else
			return option_status(c);
	}
	if (d.json && d.frames)
		return usage_error(self, "--json shows snapshots only; leave one of --json and --frames out");
	if (optind != argc - 1)
		return usage_error(self, "a segment's file or a run is needed");
	if (stat(argv[optind], &st) == 0 && S_ISREG(st.st_mode)) {
		r = dump_file(argv[optind], &d, &err);
	} else {
		r = place_open(&place, where, false, &err);
		if (r == 0) {
			r = place_resolve(&place, argv[optind], &run, &err);
			if (r == 0)
				r = place_read(&place, &run, &dump_events, &d, &err);
			place_close(&place);
		}
	}
	buf_free(&d.text);
	names_free(&d.collectors);
	free(d.generations);
	return r < 0 ? failed(self, &err) : EXIT_DONE;
}

const struct verb verb_dump = {
	.name = "dump",
	.summary = "Print what a segment or a run holds, snapshot by snapshot.",
	.usage = "dump [OPTION]... SEGMENT|RUN",
	.flags = flags,
	.help = "Lines are those of `assay sample`. A torn segment is shown up to its last whole frame.\n\n"
		"  assay dump now.seg\n"
		"  assay dump @0 --frames | less\n",
	.main = dump_main,
};
