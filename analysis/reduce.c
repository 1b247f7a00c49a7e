/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/reduce.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/outcome.h"
#include "analysis/slot_keys.h"
#include "analysis/view.h"

#define VIEWS_MAX 32

struct reduce {
	struct track *tracks;
	uint32_t *wanted; /* [track] one bit for each view that looks at it */
	size_t track_count, track_room, wanted_room;
	void *states[VIEWS_MAX];
	struct outcome outcome;
	struct pairs axes, facts;
	uint64_t cost_ns, lateness_ns; /* of all samples; of the latest snapshot */
	uint64_t start_ns, end_ns;     /* of the command */
	bool stopped;
};

int reduce_open(struct reduce **ret, struct err *err)
{
	struct reduce *r = calloc(1, sizeof(*r));

	if (!r)
		return err_set(err, -ENOMEM, "reduce: no memory");
	for (size_t i = 0; views[i]; i++) {
		if (views[i]->state_size == 0)
			continue;
		r->states[i] = calloc(1, views[i]->state_size);
		if (!r->states[i]) {
			reduce_close(r);
			return err_set(err, -ENOMEM, "reduce: no memory");
		}
	}
	*ret = r;
	return 0;
}

void reduce_close(struct reduce *r)
{
	if (!r)
		return;
	for (size_t i = 0; views[i]; i++) {
		if (views[i]->free && r->states[i])
			views[i]->free(r->states[i]);
		free(r->states[i]);
	}
	for (size_t i = 0; i < r->track_count; i++)
		track_close(&r->tracks[i]);
	free(r->tracks);
	free(r->wanted);
	outcome_free(&r->outcome);
	pairs_free(&r->axes);
	pairs_free(&r->facts);
	free(r);
}

static uint32_t views_of(const char *collector)
{
	uint32_t wanted = 0;

	for (size_t i = 0; views[i]; i++)
		for (const char *const *c = views[i]->collectors; c && *c; c++)
			if (strcmp(*c, collector) == 0)
				wanted |= UINT32_C(1) << i;
	return wanted;
}

static int find_track(struct reduce *r, const char *collector, size_t *ret, struct err *err)
{
	size_t room = r->track_room ? 2 * r->track_room : 16;

	for (*ret = 0; *ret < r->track_count; ++*ret)
		if (strcmp(r->tracks[*ret].collector, collector) == 0)
			return 0;
	if (r->track_count == r->track_room && (view_room(&r->wanted, &r->wanted_room, room, sizeof(*r->wanted)) < 0 ||
						view_room(&r->tracks, &r->track_room, room, sizeof(*r->tracks)) < 0))
		return err_set(err, -ENOMEM, "reduce: no memory");
	if (track_open(&r->tracks[r->track_count], collector, err) < 0)
		return err->code;
	r->wanted[r->track_count++] = views_of(collector);
	return 0;
}

static enum phase phase_of(const struct reduce *r, uint64_t begin_ns)
{
	return r->stopped && begin_ns >= r->end_ns ? PHASE_AFTER : PHASE_INSIDE;
}

/* A shape may be told anew at the address of an older one; on_header() forgets the addresses then. */
static bool is_bound(const struct track *t, const struct shape *shape)
{
	return t->shape == shape && t->generation == shape->generation && t->metric_count == shape->metric_count &&
	       t->instance_count == shape->instance_count;
}

static int take_sample(struct reduce *r, const struct sample *sample, struct err *err)
{
	struct sight sight = { .sample = sample, .facts = &r->facts };
	struct track *t;
	size_t nth;

	if (find_track(r, sample->shape->collector, &nth, err) < 0)
		return err->code;
	t = &r->tracks[nth];
	if (!is_bound(t, sample->shape) && track_bind(t, sample->shape, err) < 0)
		return err->code;
	sight.track = t;
	sight.phase = phase_of(r, sample->begin_ns);
	if (t->samples > 0 && sample->begin_ns > t->last_ns) {
		sight.seconds = (double)(sample->begin_ns - t->last_ns) / 1e9;
		sight.start = (double)(sample->begin_ns - t->first_ns) / 1e9;
	}
	for (size_t i = 0; r->wanted[nth] >> i; i++)
		if (r->wanted[nth] >> i & 1 && views[i]->sample(r->states[i], &sight) < 0)
			return err_set(err, -ENOMEM, "%s: no memory", views[i]->name);
	track_sample(t, sample, sight.phase);
	return 0;
}

static int on_header(void *context, const struct run_header *header, struct err *err)
{
	struct reduce *r = context;

	for (size_t i = 0; i < r->track_count; i++)
		r->tracks[i].shape = NULL;
	return 0;
}

static int on_snapshot(void *context, const struct snapshot *snapshot, struct err *err)
{
	struct reduce *r = context;

	if (snapshot->lateness_ns > r->lateness_ns)
		r->lateness_ns = snapshot->lateness_ns;
	for (size_t i = 0; i < snapshot->count; i++) {
		r->cost_ns += snapshot->samples[i].cost_ns;
		if (take_sample(r, &snapshot->samples[i], err) < 0)
			return err->code;
	}
	return 0;
}

static int on_mark(void *context, const struct run_mark *mark, struct err *err)
{
	struct reduce *r = context;

	if (strcmp(mark->name, MARK_COMMAND_START) == 0) {
		r->start_ns = mark->monotonic_ns;
	} else if (strcmp(mark->name, MARK_COMMAND_END) == 0) {
		r->stopped = true;
		r->end_ns = mark->monotonic_ns;
	}
	return 0;
}

static int on_result(void *context, const struct run_result *result, struct err *err)
{
	struct reduce *r = context;

	return outcome_result(&r->outcome, result) < 0 ? err_set(err, -ENOMEM, "reduce: no memory") : 0;
}

static int on_output(void *context, const struct run_output *output, struct err *err)
{
	struct reduce *r = context;

	return outcome_output(&r->outcome, output) < 0 ? err_set(err, -ENOMEM, "reduce: no memory") : 0;
}

static int on_log(void *context, const struct run_log *log, struct err *err)
{
	struct reduce *r = context;

	return outcome_log(&r->outcome, log) < 0 ? err_set(err, -ENOMEM, "reduce: no memory") : 0;
}

static int on_facts(void *context, const struct pairs *axes, const struct pairs *facts, struct err *err)
{
	struct reduce *r = context;

	if (pairs_copy(&r->axes, axes) < 0 || pairs_copy(&r->facts, facts) < 0)
		return err_set(err, -ENOMEM, "reduce: no memory");
	return 0;
}

static int on_end(void *context, const struct run_end *end, struct err *err)
{
	struct reduce *r = context;

	r->outcome.end = *end;
	r->outcome.ended = true;
	return 0;
}

const struct run_events reduce_events = {
	.header = on_header,
	.snapshot = on_snapshot,
	.mark = on_mark,
	.result = on_result,
	.output = on_output,
	.log = on_log,
	.facts = on_facts,
	.end = on_end,
};

const struct view_key reduce_keys[] = {
	{ "agent.cost_ms",            UNIT_MILLISECONDS, "Time that all samples of the run took together." },
	{ "agent.lateness_ms.max",    UNIT_MILLISECONDS, "How late a snapshot came at most." },
	{ "agent.ticks_missed",       UNIT_COUNT,        "Snapshots that were due and not taken." },
	{ "agent.bytes_dropped",      UNIT_BYTES,        "What found no place in the spool." },
	{ "agent.output_dropped",     UNIT_BYTES,        "What the command printed and nobody kept." },
	{ "agent.kernel_log_lost",    UNIT_COUNT,        "Records of the kernel's log that were overwritten or found no place." },
	{ "agent.collector_failures", UNIT_COUNT,        "Samples that could not be taken, or only in part." },
	{ 0 },
};

/* What watching the run cost, and what of it was lost. */
static int put_agent(const struct reduce *r, struct stats *ret)
{
	const struct run_end *end = &r->outcome.end;
	const struct stat_value keys[] = {
		{ "agent.cost_ms", (double)r->cost_ns / 1e6 },
		{ "agent.lateness_ms.max", (double)r->lateness_ns / 1e6 },
		{ "agent.ticks_missed", (double)end->ticks_missed },
		{ "agent.bytes_dropped", (double)end->bytes_dropped },
		{ "agent.output_dropped", (double)end->output_dropped },
		{ "agent.collector_failures", (double)end->collector_errors },
	};
	int result = 0;

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys) && result == 0; i++)
		if (keys[i].value > 0)
			result = stats_set(ret, keys[i].key, keys[i].value);
	return result;
}

static int fill(struct reduce *r, struct stats *ret, struct err *err)
{
	struct view_end end = { &r->facts, r->tracks, r->track_count };

	for (size_t i = 0; i < r->track_count; i++)
		if (slot_keys(&r->tracks[i], ret) < 0)
			return err_set(err, -ENOMEM, "reduce: no memory");
	for (size_t i = 0; views[i]; i++)
		if (views[i]->finish(r->states[i], &end, ret) < 0)
			return err_set(err, -ENOMEM, "%s: no memory", views[i]->name);
	if (put_agent(r, ret) < 0)
		return err_set(err, -ENOMEM, "reduce: no memory");
	return outcome_finish(&r->outcome, &r->axes, &r->facts, ret, err);
}

int reduce_finish(struct reduce *r, struct stats *ret, struct err *err)
{
	struct stats s = { 0 };
	int result = fill(r, &s, err);

	if (result < 0) {
		stats_free(&s);
		return result;
	}
	stats_sort(&s);
	if (perf_path_length(&s) < 0) {
		stats_free(&s);
		return err_set(err, -ENOMEM, "reduce: no memory");
	}
	*ret = s;
	return 0;
}
