/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/lines.h"

#include <errno.h>
#include <string.h>

#include "analysis/reduce.h"
#include "cli/cli.h"
#include "host/clock.h"
#include "host/facts.h"
#include "lab/json.h"

#define PIECE ((size_t)64 << 10)

/* Out with it, so that a machine of a thousand CPUs costs no more memory than one of two. */
static int flush_piece(struct buf *piece)
{
	int r = print_out(piece);

	buf_clear(piece);
	return r;
}

static int print_slot(struct buf *to, struct buf *key, const struct sample *s, size_t metric, size_t instance, bool json,
		      bool *first)
{
	const struct shape *shape = s->shape;
	const struct metric *m = &shape->metrics[metric];
	size_t slot = sample_slot(s, metric, instance);

	if (!sample_has(s, slot))
		return 0;
	buf_clear(key);
	(void)key_of(shape->collector, shape->instances[instance], m->name, key);
	if (key->failed)
		return key->failed;
	if (json) {
		(void)buf_puts(to, *first ? "" : ",");
		(void)json_text(to, buf_text(key));
		(void)buf_putc(to, ':');
		(void)print_value(to, s->values[slot], m);
	} else {
		const char *unit = unit_name(m->unit);

		(void)print_safe(to, key->data);
		(void)buf_putc(to, ' ');
		(void)print_value(to, s->values[slot], m);
		(void)buf_printf(to, "%s%s\n", *unit ? " " : "", unit);
	}
	*first = false;
	return to->len < PIECE ? to->failed : flush_piece(to);
}

int print_snapshot(struct buf *piece, const struct snapshot *snapshot, bool json)
{
	cleanup_buf struct buf key = { 0 };
	bool first = true;
	int r = 0;

	if (json)
		(void)buf_printf(piece, "{\"tick\":%llu,\"monotonic_ns\":%llu,\"lateness_ns\":%llu,\"values\":{",
				 (unsigned long long)snapshot->tick, (unsigned long long)snapshot->monotonic_ns,
				 (unsigned long long)snapshot->lateness_ns);
	else
		(void)buf_printf(piece, "# tick %llu at %llu.%06llu s\n", (unsigned long long)snapshot->tick,
				 (unsigned long long)(snapshot->monotonic_ns / 1000000000u),
				 (unsigned long long)(snapshot->monotonic_ns / 1000u % 1000000u));
	for (size_t i = 0; i < snapshot->count && r == 0; i++) {
		const struct sample *s = &snapshot->samples[i];

		for (size_t instance = 0; instance < s->shape->instance_count && r == 0; instance++)
			for (size_t metric = 0; metric < s->shape->metric_count && r == 0; metric++)
				r = print_slot(piece, &key, s, metric, instance, json, &first);
	}
	if (r == 0 && json)
		r = buf_puts(piece, "}}\n");
	return r < 0 ? r : flush_piece(piece);
}

/* What was put lies in the file at once, open: who interrupts a long recording has it all the same. */
static int write_on(struct segment_file *f, struct err *err)
{
	size_t more = f->open.len - f->written;

	if (fwrite(f->open.data + f->written, 1, more, f->file) != more || fflush(f->file) != 0)
		return err_set(err, -EIO, "%s: %s", f->path, err_name(errno));
	f->written = f->open.len;
	return 0;
}

int segment_file_open(struct segment_file *f, const struct host *host, const char *path, uint64_t tick_ns,
		      struct err *err)
{
	struct run_header header = { .sequence = 1, .agent_version = ASSAY_VERSION, .boot_id = "", .tick_ns = tick_ns };
	struct pairs facts = { 0 }, axes = { 0 };
	int r;

	f->open.ceiling = (size_t)1 << 30;
	header.realtime_ns = clock_realtime();
	header.monotonic_ns = clock_monotonic();
	r = ulid_make(header.realtime_ns / 1000000u, &header.run, err);
	if (r == 0)
		r = host_facts(host, &facts, err);
	if (r == 0) {
		const char *name = pairs_get(&facts, "host.name"), *boot = pairs_get(&facts, "host.boot_id");

		header.host = name ? name : "";
		header.boot_id = boot ? boot : "";
		f->path = path;
		f->file = fopen(path, "wbe");
		if (!f->file)
			r = err_set(err, -errno, "%s: %s", path, err_name(errno));
	}
	if (r == 0)
		r = segment_writer_open(&f->writer, &header, &f->open, err);
	if (r == 0)
		r = segment_put_facts(f->writer, &axes, &facts, &f->open, err);
	pairs_free(&facts);
	return r;
}

int segment_file_put(struct segment_file *f, const struct snapshot *snapshot, struct err *err)
{
	int r = segment_put_snapshot(f->writer, snapshot, &f->open, err);

	return r < 0 ? r : write_on(f, err);
}

int segment_file_close(struct segment_file *f, struct err *err)
{
	cleanup_buf struct buf sealed = { .ceiling = (size_t)1 << 30 };
	int r = segment_seal(buf_text(&f->open), 3, &sealed, err);

	if (r == 0 && (fseek(f->file, 0, SEEK_SET) != 0 || ftruncate(fileno(f->file), 0) != 0 ||
		       fwrite(sealed.data, 1, sealed.len, f->file) != sealed.len))
		r = err_set(err, -EIO, "%s: %s", f->path, err_name(errno));
	if (fclose(f->file) != 0 && r == 0)
		r = err_set(err, -errno, "%s: %s", f->path, err_name(errno));
	segment_writer_close(f->writer);
	buf_free(&f->open);
	return r;
}
