/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "proto/message.h"

#include <errno.h>
#include <stdlib.h>

#include "assay/v1/segment.pb-c.h"
#include "base/take.h"
#include "proto/segment.h"

_Static_assert((int)OUTPUT_STDERR == ASSAY__V1__OUTPUT__STREAM__STREAM_STDERR, "base/run.h and segment.proto");

/* ---- writing ---- */

static ProtobufCBinaryData bytes_of(const char *s)
{
	return (ProtobufCBinaryData){ strlen(s), (uint8_t *)(uintptr_t)s };
}

static int put(enum frame_kind kind, const ProtobufCMessage *message, struct buf *out, struct err *err)
{
	size_t start, size = protobuf_c_message_get_packed_size(message);
	int r = frame_begin(out, &start, err);

	if (r < 0)
		return r;
	if (buf_reserve(out, size) < 0)
		return frame_drop(out, start, out->failed, err);
	out->len += protobuf_c_message_pack(message, (uint8_t *)out->data + out->len);
	return frame_end(out, start, kind, err);
}

int message_put_header(const struct run_header *header, struct buf *out, struct err *err)
{
	Assay__V1__Header m = ASSAY__V1__HEADER__INIT;

	m.run = bytes_of(header->run.text);
	m.sequence = header->sequence;
	m.host = bytes_of(header->host);
	m.boot_id = bytes_of(header->boot_id);
	m.agent_version = bytes_of(header->agent_version);
	m.realtime_ns = header->realtime_ns;
	m.monotonic_ns = header->monotonic_ns;
	m.tick_ns = header->tick_ns;
	return put(FRAME_HEADER, &m.base, out, err);
}

int segment_put_mark(struct segment_writer *w, const struct run_mark *mark, struct buf *out, struct err *err)
{
	Assay__V1__Mark m = ASSAY__V1__MARK__INIT;

	m.monotonic_ns = mark->monotonic_ns;
	m.name = bytes_of(mark->name);
	m.value = bytes_of(mark->value);
	return put(FRAME_MARK, &m.base, out, err);
}

int segment_put_result(struct segment_writer *w, const struct run_result *result, struct buf *out, struct err *err)
{
	Assay__V1__Result m = ASSAY__V1__RESULT__INIT;

	m.key = bytes_of(result->key);
	m.value = result->value;
	m.unit = bytes_of(result->unit);
	m.direction = result->direction;
	return put(FRAME_RESULT, &m.base, out, err);
}

int segment_put_output(struct segment_writer *w, const struct run_output *output, struct buf *out, struct err *err)
{
	Assay__V1__Output m = ASSAY__V1__OUTPUT__INIT;

	m.stream = (Assay__V1__Output__Stream)output->stream;
	m.offset = output->offset;
	m.data = (ProtobufCBinaryData){ output->length, (uint8_t *)(uintptr_t)output->data };
	return put(FRAME_OUTPUT, &m.base, out, err);
}

int segment_put_log(struct segment_writer *w, const struct run_log *log, struct buf *out, struct err *err)
{
	Assay__V1__Log m = ASSAY__V1__LOG__INIT;

	m.monotonic_ns = log->monotonic_ns;
	m.source = bytes_of(log->source);
	m.text = bytes_of(log->text);
	return put(FRAME_LOG, &m.base, out, err);
}

/* Pair messages for all of `pairs`, in memory of the caller's. */
static Assay__V1__Pair **pairs_to(const struct pairs *pairs, Assay__V1__Pair *at, Assay__V1__Pair **list)
{
	for (size_t i = 0; i < pairs->count; i++) {
		at[i] = (Assay__V1__Pair)ASSAY__V1__PAIR__INIT;
		at[i].name = bytes_of(pairs->at[i].name);
		at[i].value = bytes_of(pairs->at[i].value);
		list[i] = &at[i];
	}
	return list;
}

int segment_put_facts(struct segment_writer *w, const struct pairs *axes, const struct pairs *facts, struct buf *out,
		      struct err *err)
{
	Assay__V1__Facts m = ASSAY__V1__FACTS__INIT;
	size_t count = axes->count + facts->count;
	cleanup_free Assay__V1__Pair *at = calloc(count + 1, sizeof(*at));
	cleanup_free Assay__V1__Pair **list = calloc(count + 1, sizeof(Assay__V1__Pair *));

	if (!at || !list)
		return err_set(err, -ENOMEM, "no memory for %zu facts", count);
	m.n_axes = axes->count;
	m.axes = pairs_to(axes, at, list);
	m.n_facts = facts->count;
	m.facts = pairs_to(facts, at + axes->count, list + axes->count);
	return put(FRAME_FACTS, &m.base, out, err);
}

int segment_put_end(struct segment_writer *w, const struct run_end *end, struct buf *out, struct err *err)
{
	Assay__V1__End m = ASSAY__V1__END__INIT;

	m.exited = end->exited;
	m.exit_code = (uint32_t)end->exit_code;
	m.signal = (uint32_t)end->signal;
	m.ticks_missed = end->ticks_missed;
	m.bytes_dropped = end->bytes_dropped;
	m.output_dropped = end->output_dropped;
	m.collector_errors = end->collector_errors;
	return put(FRAME_END, &m.base, out, err);
}

/* ---- reading ---- */

static void *take_of_arena(void *arena, size_t size)
{
	return arena_take_bounded(arena, size);
}

static void give_back_all_at_once(void *arena, void *pointer)
{
}

/* What the arena gave is followed by a NUL. False: there is one inside, too. */
static bool string(ProtobufCBinaryData bytes, const char **ret)
{
	*ret = bytes.len ? (const char *)bytes.data : "";
	return strlen(*ret) == bytes.len;
}

static int header(const Assay__V1__Header *m, struct run_header *ret, struct err *err)
{
	if (m->run.len != ULID_LENGTH || !ulid_is(text_n((const char *)m->run.data, m->run.len)))
		return err_set(err, -EBADMSG, "a header whose run is no ULID");
	memcpy(ret->run.text, m->run.data, ULID_LENGTH);
	ret->run.text[ULID_LENGTH] = '\0';
	ret->sequence = m->sequence;
	ret->realtime_ns = m->realtime_ns;
	ret->monotonic_ns = m->monotonic_ns;
	ret->tick_ns = m->tick_ns;
	if (!string(m->host, &ret->host) || !string(m->boot_id, &ret->boot_id) ||
	    !string(m->agent_version, &ret->agent_version))
		return err_set(err, -EBADMSG, "a header with a NUL in a name");
	return 0;
}

static int mark(const Assay__V1__Mark *m, const struct run_events *events, void *context, struct err *err)
{
	struct run_mark event = { .monotonic_ns = m->monotonic_ns };

	if (!string(m->name, &event.name) || !string(m->value, &event.value))
		return err_set(err, -EBADMSG, "a mark with a NUL in it");
	return events->mark ? events->mark(context, &event, err) : 0;
}

static int result(const Assay__V1__Result *m, const struct run_events *events, void *context, struct err *err)
{
	struct run_result event = { .value = m->value };

	if (!string(m->key, &event.key) || !string(m->unit, &event.unit))
		return err_set(err, -EBADMSG, "a result with a NUL in a name");
	event.direction = (m->direction > 0) - (m->direction < 0);
	return events->result ? events->result(context, &event, err) : 0;
}

static int output(const Assay__V1__Output *m, const struct run_events *events, void *context, struct err *err)
{
	struct run_output event = { .offset = m->offset, .length = m->data.len };

	if (m->stream == ASSAY__V1__OUTPUT__STREAM__STREAM_STDOUT)
		event.stream = OUTPUT_STDOUT;
	else if (m->stream == ASSAY__V1__OUTPUT__STREAM__STREAM_STDERR)
		event.stream = OUTPUT_STDERR;
	event.data = event.length ? (const char *)m->data.data : "";
	return events->output ? events->output(context, &event, err) : 0;
}

static int log_line(const Assay__V1__Log *m, const struct run_events *events, void *context, struct err *err)
{
	struct run_log event = { .monotonic_ns = m->monotonic_ns };

	if (!string(m->source, &event.source) || !string(m->text, &event.text))
		return err_set(err, -EBADMSG, "a log line with a NUL in it");
	return events->log ? events->log(context, &event, err) : 0;
}

static int pairs_of(Assay__V1__Pair **list, size_t count, struct arena *arena, struct pairs *ret, struct err *err)
{
	if (count == 0)
		return 0;
	ret->at = arena_take_bounded(arena, count * sizeof(*ret->at));
	if (!ret->at)
		return err_set(err, arena->failed, "no memory for %zu facts", count);
	for (size_t i = 0; i < count; i++) {
		const char *name, *value;

		if (!string(list[i]->name, &name) || !string(list[i]->value, &value) || !name[0])
			return err_set(err, -EBADMSG, "a fact with a NUL in it, or without a name");
		ret->at[i].name = (char *)(uintptr_t)name;
		ret->at[i].value = (char *)(uintptr_t)value;
	}
	ret->count = ret->room = count;
	return 0;
}

static int facts(const Assay__V1__Facts *m, struct arena *arena, const struct run_events *events, void *context,
		 struct err *err)
{
	struct pairs axes = { 0 }, others = { 0 };
	int r = pairs_of(m->axes, m->n_axes, arena, &axes, err);

	if (r == 0)
		r = pairs_of(m->facts, m->n_facts, arena, &others, err);
	if (r < 0)
		return r;
	return events->facts ? events->facts(context, &axes, &others, err) : 0;
}

static int end(const Assay__V1__End *m, const struct run_events *events, void *context, struct err *err)
{
	struct run_end event = {
		.exited = m->exited,
		.exit_code = (int)m->exit_code,
		.signal = (int)m->signal,
		.ticks_missed = m->ticks_missed,
		.bytes_dropped = m->bytes_dropped,
		.output_dropped = m->output_dropped,
		.collector_errors = m->collector_errors,
	};

	return events->end ? events->end(context, &event, err) : 0;
}

static const ProtobufCMessageDescriptor *descriptor_of(enum frame_kind kind)
{
	switch (kind) {
	case FRAME_HEADER:
		return &assay__v1__header__descriptor;
	case FRAME_MARK:
		return &assay__v1__mark__descriptor;
	case FRAME_RESULT:
		return &assay__v1__result__descriptor;
	case FRAME_OUTPUT:
		return &assay__v1__output__descriptor;
	case FRAME_LOG:
		return &assay__v1__log__descriptor;
	case FRAME_FACTS:
		return &assay__v1__facts__descriptor;
	case FRAME_END:
		return &assay__v1__end__descriptor;
	default:
		return NULL;
	}
}

int message_tell(enum frame_kind kind, struct wire message, struct arena *arena, const struct run_events *events,
		 void *context, struct message_told *ret, struct err *err)
{
	static const struct run_events nobody = { 0 };
	ProtobufCAllocator allocator = { take_of_arena, give_back_all_at_once, arena };
	const ProtobufCMessageDescriptor *descriptor = descriptor_of(kind);
	void *m;
	int r;

	if (!descriptor)
		return 0;
	if (!events)
		events = &nobody;
	m = protobuf_c_message_unpack(descriptor, &allocator, wire_left(message), message.at);
	if (!m && arena->failed == -EMSGSIZE)
		return err_set(err, -EMSGSIZE, "a message of %zu bytes that takes more than %zu", wire_left(message),
			       arena->ceiling);
	if (!m)
		return arena->failed ? err_set(err, arena->failed, "no memory for a message")
				     : err_set(err, -EBADMSG, "a message that is not well formed");
	switch (kind) {
	case FRAME_HEADER:
		r = header(m, &ret->header, err);
		return r == 0 && events->header ? events->header(context, &ret->header, err) : r;
	case FRAME_MARK:
		return mark(m, events, context, err);
	case FRAME_RESULT:
		return result(m, events, context, err);
	case FRAME_OUTPUT:
		return output(m, events, context, err);
	case FRAME_LOG:
		return log_line(m, events, context, err);
	case FRAME_FACTS:
		return facts(m, arena, events, context, err);
	default:
		ret->end = true;
		return end(m, events, context, err);
	}
}
