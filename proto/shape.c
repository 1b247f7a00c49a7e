/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "proto/shape.h"

#include <errno.h>
#include <stdlib.h>

#include "assay/v1/segment.pb-c.h"
#include "proto/frame.h"

_Static_assert((int)COUNTER32 == ASSAY__V1__KIND__KIND_COUNTER32, "base/metric.h and segment.proto");
_Static_assert((int)UNIT_JOULES == ASSAY__V1__UNIT__UNIT_JOULES, "base/metric.h and segment.proto");
_Static_assert((int)FOLD_MIN == ASSAY__V1__FOLD__FOLD_MIN, "base/metric.h and segment.proto");

int shape_check(const struct shape *shape, struct err *err)
{
	if (!shape->collector[0] || shape->metric_count == 0 || shape->instance_count == 0)
		return err_set(err, -EINVAL, "collector \"%s\": a shape of %zu metrics and %zu instances",
			       shape->collector, shape->metric_count, shape->instance_count);
	for (size_t i = 0; i < shape->metric_count; i++) {
		const struct metric *m = &shape->metrics[i];

		if (!m->name[0] || m->exponent < 0 || m->exponent > SHAPE_EXPONENT_MAX)
			return err_set(err, -EINVAL, "%s: metric %zu is named \"%s\" and has exponent %d",
				       shape->collector, i, m->name, m->exponent);
	}
	return 0;
}

static uint8_t *put_bytes(uint8_t *at, uint32_t number, const char *s, size_t length)
{
	at = wire_put_tag(at, number, WIRE_BYTES);
	at = wire_put_varint(at, length);
	memcpy(at, s, length);
	return at + length;
}

/* Proto3 leaves out what is 0. */
static uint8_t *put_number(uint8_t *at, uint32_t number, uint64_t value)
{
	if (value == 0)
		return at;
	at = wire_put_tag(at, number, WIRE_VARINT);
	return wire_put_varint(at, value);
}

static size_t number_size(uint64_t value)
{
	return value ? 1 + wire_varint_size(value) : 0;
}

static int put_head(const struct shape *shape, uint32_t id, struct buf *out)
{
	size_t length = strlen(shape->collector);
	uint8_t *at;

	if (buf_reserve(out, length + 3 + 3 * WIRE_VARINT_MAX) < 0)
		return out->failed;
	at = (uint8_t *)out->data + out->len;
	at = put_number(at, 1, id);
	at = put_bytes(at, 2, shape->collector, length);
	at = put_number(at, 3, shape->generation);
	out->len = (size_t)(at - (uint8_t *)out->data);
	return 0;
}

static int put_metric(const struct metric *m, struct buf *out)
{
	size_t length = strlen(m->name);
	size_t size = 1 + wire_varint_size(length) + length + number_size(m->kind) + number_size(m->unit) +
		      number_size((unsigned)m->exponent) + number_size(m->fold);
	uint8_t *at;

	if (buf_reserve(out, 1 + WIRE_VARINT_MAX + size) < 0)
		return out->failed;
	at = (uint8_t *)out->data + out->len;
	at = wire_put_tag(at, 4, WIRE_BYTES);
	at = wire_put_varint(at, size);
	at = put_bytes(at, 1, m->name, length);
	at = put_number(at, 2, m->kind);
	at = put_number(at, 3, m->unit);
	at = put_number(at, 4, (unsigned)m->exponent);
	at = put_number(at, 5, m->fold);
	out->len = (size_t)(at - (uint8_t *)out->data);
	return 0;
}

static int put_instance(const char *name, struct buf *out)
{
	size_t length = strlen(name);
	uint8_t *at;

	if (buf_reserve(out, 1 + WIRE_VARINT_MAX + length) < 0)
		return out->failed;
	at = (uint8_t *)out->data + out->len;
	at = put_bytes(at, 5, name, length);
	out->len = (size_t)(at - (uint8_t *)out->data);
	return 0;
}

int shape_put(const struct shape *shape, uint32_t id, struct buf *out, struct err *err)
{
	size_t start;
	int r = frame_begin(out, &start, err);

	if (r < 0)
		return r;
	r = put_head(shape, id, out);
	for (size_t i = 0; i < shape->metric_count && r == 0; i++)
		r = put_metric(&shape->metrics[i], out);
	for (size_t i = 0; i < shape->instance_count && r == 0; i++)
		r = put_instance(shape->instances[i], out);
	if (r < 0)
		return frame_drop(out, start, r, err);
	return frame_end(out, start, FRAME_SHAPE, err);
}

/* ---- reading ---- */

struct counted {
	size_t metrics, instances, text; /* text: bytes of all names, each with a NUL */
	struct wire collector;
	uint64_t id, generation;
};

static bool is_name(struct wire bytes)
{
	return memchr(bytes.at, '\0', wire_left(bytes)) == NULL;
}

static bool metric_name(struct wire metric, struct wire *ret)
{
	struct wire_field field;

	*ret = (struct wire){ metric.end, metric.end };
	while (metric.at < metric.end) {
		if (!wire_field(&metric, &field))
			return false;
		if (field.number == 1 && field.type == WIRE_BYTES)
			*ret = field.bytes;
	}
	return wire_left(*ret) > 0 && is_name(*ret);
}

/* One pass that takes no memory, and tells how much the second one needs. */
static int count(struct wire message, struct counted *ret, struct err *err)
{
	struct wire_field field;
	struct wire name;

	*ret = (struct counted){ .collector = { message.end, message.end } };
	while (message.at < message.end) {
		if (!wire_field(&message, &field))
			return err_set(err, -EBADMSG, "a shape that is not well formed");
		if (field.number == 1 && field.type == WIRE_VARINT) {
			ret->id = field.value;
		} else if (field.number == 2 && field.type == WIRE_BYTES) {
			ret->collector = field.bytes;
		} else if (field.number == 3 && field.type == WIRE_VARINT) {
			ret->generation = field.value;
		} else if (field.number == 4 && field.type == WIRE_BYTES) {
			if (!metric_name(field.bytes, &name))
				return err_set(err, -EBADMSG, "a shape whose metric %zu has no proper name",
					       ret->metrics);
			ret->metrics++;
			ret->text += wire_left(name) + 1;
		} else if (field.number == 5 && field.type == WIRE_BYTES) {
			if (!is_name(field.bytes))
				return err_set(err, -EBADMSG, "a shape whose instance %zu holds a NUL", ret->instances);
			ret->instances++;
			ret->text += wire_left(field.bytes) + 1;
		}
	}
	ret->text += wire_left(ret->collector) + 1;
	if (ret->id == 0 || ret->id > UINT32_MAX || ret->generation > UINT32_MAX)
		return err_set(err, -EBADMSG, "a shape without a proper id or generation");
	if (wire_left(ret->collector) == 0 || !is_name(ret->collector))
		return err_set(err, -EBADMSG, "shape %u without a proper collector", (unsigned)ret->id);
	if (ret->metrics == 0 || ret->instances == 0)
		return err_set(err, -EBADMSG, "shape %u has %zu metrics and %zu instances", (unsigned)ret->id,
			       ret->metrics, ret->instances);
	return 0;
}

static const char *keep(char **text, struct wire bytes)
{
	char *at = *text;
	size_t length = wire_left(bytes);

	memcpy(at, bytes.at, length);
	at[length] = '\0';
	*text += length + 1;
	return at;
}

static struct wire bytes_of(const char *s)
{
	return (struct wire){ (const uint8_t *)s, (const uint8_t *)s + strlen(s) };
}

static bool get_metric(struct wire message, char **text, struct metric *ret)
{
	struct wire_field field;
	struct wire name;

	*ret = (struct metric){ 0 };
	if (!metric_name(message, &name))
		return false;
	ret->name = keep(text, name);
	while (message.at < message.end) {
		if (!wire_field(&message, &field))
			return false;
		if (field.type != WIRE_VARINT)
			continue;
		if (field.number == 2)
			ret->kind = field.value <= COUNTER32 ? (enum kind)field.value : KIND_UNKNOWN;
		else if (field.number == 3)
			ret->unit = field.value <= UNIT_JOULES ? (enum unit)field.value : UNIT_NONE;
		else if (field.number == 4 && field.value > SHAPE_EXPONENT_MAX)
			return false;
		else if (field.number == 4)
			ret->exponent = (int)field.value;
		else if (field.number == 5)
			ret->fold = field.value <= FOLD_MIN ? (enum fold)field.value : FOLD_NONE;
	}
	return true;
}

int shape_get(struct wire message, size_t slots, uint32_t *id, struct shape *ret, void **memory, struct err *err)
{
	struct counted n;
	struct wire_field field;
	struct metric *metrics;
	const char **instances;
	size_t metric = 0, instance = 0;
	char *text;
	int r = count(message, &n, err);

	if (r < 0)
		return r;
	if (n.metrics > slots / n.instances)
		return err_set(err, -EMSGSIZE, "shape %u: %zu metrics x %zu instances; room for %zu slots is left",
			       (unsigned)n.id, n.metrics, n.instances, slots);
	metrics = malloc(n.metrics * sizeof(*metrics) + n.instances * sizeof(*instances) + n.text);
	if (!metrics)
		return err_set(err, -ENOMEM, "no memory for shape %u", (unsigned)n.id);
	instances = (const char **)(metrics + n.metrics);
	text = (char *)(instances + n.instances);
	*ret = (struct shape){
		.collector = keep(&text, n.collector),
		.generation = (uint32_t)n.generation,
		.metrics = metrics,
		.metric_count = n.metrics,
		.instances = instances,
		.instance_count = n.instances,
	};
	while (message.at < message.end && wire_field(&message, &field)) {
		if (field.number == 5 && field.type == WIRE_BYTES)
			instances[instance++] = keep(&text, field.bytes);
		if (field.number != 4 || field.type != WIRE_BYTES)
			continue;
		if (!get_metric(field.bytes, &text, &metrics[metric++])) {
			free(metrics);
			return err_set(err, -EBADMSG, "shape %u: metric %zu has an exponent above %d", (unsigned)n.id,
				       metric - 1, SHAPE_EXPONENT_MAX);
		}
	}
	*id = (uint32_t)n.id;
	*memory = metrics;
	return 0;
}

int shape_copy(const struct shape *shape, struct shape *ret, void **memory, struct err *err)
{
	size_t room = strlen(shape->collector) + 1;
	struct metric *metrics;
	const char **instances;
	char *text;

	for (size_t i = 0; i < shape->metric_count; i++)
		room += strlen(shape->metrics[i].name) + 1;
	for (size_t i = 0; i < shape->instance_count; i++)
		room += strlen(shape->instances[i]) + 1;
	metrics = malloc(shape->metric_count * sizeof(*metrics) + shape->instance_count * sizeof(*instances) + room);
	if (!metrics)
		return err_set(err, -ENOMEM, "%s: no memory for its shape", shape->collector);
	instances = (const char **)(metrics + shape->metric_count);
	text = (char *)(instances + shape->instance_count);
	*ret = *shape;
	ret->metrics = metrics;
	ret->instances = instances;
	ret->collector = keep(&text, bytes_of(shape->collector));
	for (size_t i = 0; i < shape->metric_count; i++) {
		metrics[i] = shape->metrics[i];
		metrics[i].name = keep(&text, bytes_of(shape->metrics[i].name));
	}
	for (size_t i = 0; i < shape->instance_count; i++)
		instances[i] = keep(&text, bytes_of(shape->instances[i]));
	*memory = metrics;
	return 0;
}

bool shape_same(const struct shape *a, const struct shape *b)
{
	if (a->generation != b->generation || a->metric_count != b->metric_count ||
	    a->instance_count != b->instance_count || strcmp(a->collector, b->collector) != 0)
		return false;
	for (size_t i = 0; i < a->metric_count; i++) {
		const struct metric *m = &a->metrics[i], *n = &b->metrics[i];

		if (m->kind != n->kind || m->unit != n->unit || m->exponent != n->exponent || m->fold != n->fold ||
		    strcmp(m->name, n->name) != 0)
			return false;
	}
	for (size_t i = 0; i < a->instance_count; i++)
		if (strcmp(a->instances[i], b->instances[i]) != 0)
			return false;
	return true;
}
