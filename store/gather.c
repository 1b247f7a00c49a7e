/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/gather.h"

#include <errno.h>
#include <stdlib.h>

struct gathering {
	struct gathered *to;
	const struct ulid *run;
	uint32_t sequence;
	bool has_header;
};

static int on_header(void *context, const struct run_header *header, struct err *err)
{
	struct gathering *g = context;

	if (strcmp(header->run.text, g->run->text) != 0)
		return err_set(err, -EBADMSG, "the segment is of run %s, not of %s", header->run.text, g->run->text);
	if (header->sequence != g->sequence)
		return err_set(err, -EBADMSG, "the segment is number %u of its run, not %u", header->sequence,
			       g->sequence);
	if (g->has_header)
		return err_set(err, -EBADMSG, "a second header in the segment");
	g->has_header = true;
	g->to->realtime_ns = header->realtime_ns;
	g->to->host = text_copy(text_of(header->host ? header->host : ""));
	return g->to->host ? 0 : err_set(err, -ENOMEM, "no memory");
}

static int on_mark(void *context, const struct run_mark *mark, struct err *err)
{
	struct gathered *to = ((struct gathering *)context)->to;

	if (strcmp(mark->name, MARK_COMMAND_START) == 0 && (!to->has_start || mark->monotonic_ns < to->start_ns)) {
		to->has_start = true;
		to->start_ns = mark->monotonic_ns;
	} else if (strcmp(mark->name, MARK_COMMAND_END) == 0 && (!to->has_stop || mark->monotonic_ns > to->stop_ns)) {
		to->has_stop = true;
		to->stop_ns = mark->monotonic_ns;
	}
	return 0;
}

static int on_result(void *context, const struct run_result *result, struct err *err)
{
	struct gathered *to = ((struct gathering *)context)->to;
	struct gathered_result *row;

	if (to->result_count == GATHER_RESULTS)
		return err_set(err, -EMSGSIZE, "more than %d results in the segment", GATHER_RESULTS);
	if (to->result_count == to->result_room) {
		size_t room = to->result_room ? 2 * to->result_room : 16;
		struct gathered_result *more = reallocarray(to->results, room, sizeof(*more));

		if (!more)
			return err_set(err, -ENOMEM, "no memory");
		to->results = more;
		to->result_room = room;
	}
	row = &to->results[to->result_count];
	row->key = text_copy(text_of(result->key));
	row->unit = text_copy(text_of(result->unit ? result->unit : ""));
	row->value = result->value;
	row->direction = result->direction;
	if (!row->key || !row->unit) {
		free(row->key);
		free(row->unit);
		return err_set(err, -ENOMEM, "no memory");
	}
	to->result_count++;
	return 0;
}

static int on_facts(void *context, const struct pairs *axes, const struct pairs *facts, struct err *err)
{
	struct gathered *to = ((struct gathering *)context)->to;

	to->pairs_told += (axes ? axes->count : 0) + (facts ? facts->count : 0);
	if (to->pairs_told > GATHER_PAIRS)
		return err_set(err, -EMSGSIZE, "more than %d axes and facts in the segment", GATHER_PAIRS);
	if ((axes && pairs_copy(&to->axes, axes) < 0) || (facts && pairs_copy(&to->facts, facts) < 0))
		return err_set(err, -ENOMEM, "no memory");
	return 0;
}

static int on_end(void *context, const struct run_end *end, struct err *err)
{
	struct gathered *to = ((struct gathering *)context)->to;

	to->ended = true;
	to->end = *end;
	return 0;
}

static const struct run_events gathering_events = {
	.header = on_header,
	.mark = on_mark,
	.result = on_result,
	.facts = on_facts,
	.end = on_end,
};

int gather(struct gathered *ret, const struct segment_limits *limits, const struct ulid *run, uint32_t sequence,
	   struct text bytes, struct err *err)
{
	struct gathering g = { ret, run, sequence, false };
	int r;

	*ret = (struct gathered){ 0 };
	r = segment_read(bytes, limits, false, &gathering_events, &g, NULL, err);
	if (r == 0 && !g.has_header)
		r = err_set(err, -EBADMSG, "a segment without a header");
	return r;
}

void gathered_free(struct gathered *g)
{
	free(g->host);
	pairs_free(&g->axes);
	pairs_free(&g->facts);
	for (size_t i = 0; i < g->result_count; i++) {
		free(g->results[i].key);
		free(g->results[i].unit);
	}
	free(g->results);
	*g = (struct gathered){ 0 };
}
