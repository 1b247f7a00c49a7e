/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/told.h"

#include <inttypes.h>

static int header(void *context, const struct run_header *h, struct err *err)
{
	return buf_printf(context, "header %s %" PRIu32 " %s %s %s %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", h->run.text,
			  h->sequence, h->host, h->boot_id, h->agent_version, h->realtime_ns, h->monotonic_ns,
			  h->tick_ns);
}

static void told_sample(struct buf *told, const struct sample *s)
{
	const struct shape *shape = s->shape;

	(void)buf_printf(told, "  %s/%" PRIu32 " %" PRIu64 "+%" PRIu64 ":", shape->collector, shape->generation,
			 s->begin_ns, s->cost_ns);
	for (size_t m = 0; m < shape->metric_count; m++) {
		for (size_t i = 0; i < shape->instance_count; i++) {
			size_t slot = sample_slot(s, m, i);

			(void)buf_printf(told, " %s[%s]=", shape->metrics[m].name, shape->instances[i]);
			if (sample_has(s, slot))
				(void)buf_printf(told, "%" PRId64, s->values[slot]);
			else
				(void)buf_putc(told, '-');
		}
	}
	(void)buf_putc(told, '\n');
}

void told_snapshot(struct buf *told, const struct snapshot *snapshot)
{
	(void)buf_printf(told, "snapshot %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", snapshot->tick, snapshot->monotonic_ns,
			 snapshot->lateness_ns);
	for (size_t i = 0; i < snapshot->count; i++)
		told_sample(told, &snapshot->samples[i]);
}

static int snapshot_told(void *context, const struct snapshot *snapshot, struct err *err)
{
	struct buf *told = context;

	told_snapshot(told, snapshot);
	return told->failed;
}

static int mark(void *context, const struct run_mark *m, struct err *err)
{
	return buf_printf(context, "mark %" PRIu64 " %s %s\n", m->monotonic_ns, m->name, m->value);
}

static int result(void *context, const struct run_result *r, struct err *err)
{
	return buf_printf(context, "result %s %.17g %s %d\n", r->key, r->value, r->unit, r->direction);
}

static int output(void *context, const struct run_output *o, struct err *err)
{
	return buf_printf(context, "output %d %" PRIu64 " %zu ", (int)o->stream, o->offset, o->length) ||
	       buf_add(context, o->data, o->length) || buf_putc(context, '\n');
}

static int log_line(void *context, const struct run_log *l, struct err *err)
{
	return buf_printf(context, "log %" PRIu64 " %s %s\n", l->monotonic_ns, l->source, l->text);
}

static void pairs_told(struct buf *told, const char *what, const struct pairs *pairs)
{
	(void)buf_printf(told, " %s", what);
	for (size_t i = 0; i < pairs->count; i++)
		(void)buf_printf(told, " %s=%s", pairs->at[i].name, pairs->at[i].value);
}

static int facts(void *context, const struct pairs *axes, const struct pairs *others, struct err *err)
{
	struct buf *told = context;

	(void)buf_puts(told, "facts");
	pairs_told(told, "axes", axes);
	pairs_told(told, "others", others);
	return buf_putc(told, '\n');
}

static int end(void *context, const struct run_end *e, struct err *err)
{
	return buf_printf(context, "end %d %d %d %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", e->exited,
			  e->exit_code, e->signal, e->ticks_missed, e->bytes_dropped, e->output_dropped,
			  e->collector_errors);
}

const struct run_events told_events = {
	.header = header,
	.snapshot = snapshot_told,
	.mark = mark,
	.result = result,
	.output = output,
	.log = log_line,
	.facts = facts,
	.end = end,
};
