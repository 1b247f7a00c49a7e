/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Protobuf's wire format, as far as shapes, snapshots and blocks need it: these are written and read directly, since
 * generated code would take memory for every message. All else of a segment goes through protobuf-c.
 *
 * Readers take from the front of a struct wire and return false, with anything read, when the bytes are not well formed.
 */
#ifndef ASSAY_PROTO_WIRE_H
#define ASSAY_PROTO_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define WIRE_VARINT_MAX 10 /* bytes */

enum wire_type { WIRE_VARINT = 0, WIRE_FIXED64 = 1, WIRE_BYTES = 2, WIRE_FIXED32 = 5 };

struct wire {
	const uint8_t *at, *end;
};

struct wire_field {
	uint32_t number;
	enum wire_type type;
	uint64_t value;    /* of a number */
	struct wire bytes; /* of WIRE_BYTES */
};

static inline size_t wire_left(struct wire w)
{
	return (size_t)(w.end - w.at);
}

static inline uint64_t wire_zigzag(uint64_t difference)
{
	return difference << 1 ^ (uint64_t)-(int64_t)(difference >> 63);
}

static inline uint64_t wire_unzigzag(uint64_t value)
{
	return value >> 1 ^ (uint64_t)-(int64_t)(value & 1);
}

static inline size_t wire_varint_size(uint64_t value)
{
	return ((size_t)(63 - __builtin_clzll(value | 1)) * 9 + 73) / 64;
}

static inline uint8_t *wire_put_varint(uint8_t *to, uint64_t value)
{
	while (value >= 0x80) {
		*to++ = (uint8_t)(value | 0x80);
		value >>= 7;
	}
	*to++ = (uint8_t)value;
	return to;
}

static inline void wire_put_u32(uint8_t *to, uint32_t value)
{
	for (int i = 0; i < 4; i++)
		to[i] = (uint8_t)(value >> 8 * i);
}

static inline uint32_t wire_u32(const uint8_t *from)
{
	return (uint32_t)from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
}

static inline uint8_t *wire_put_u64(uint8_t *to, uint64_t value)
{
	wire_put_u32(to, (uint32_t)value);
	wire_put_u32(to + 4, (uint32_t)(value >> 32));
	return to + 8;
}

static inline uint64_t wire_u64(const uint8_t *from)
{
	return wire_u32(from) | (uint64_t)wire_u32(from + 4) << 32;
}

static inline uint8_t *wire_put_tag(uint8_t *to, uint32_t number, enum wire_type type)
{
	return wire_put_varint(to, (uint64_t)number << 3 | type);
}

static inline bool wire_varint(struct wire *w, uint64_t *ret)
{
	uint64_t value = 0;

	if (w->at < w->end && *w->at < 0x80) { /* nearly all are short */
		*ret = *w->at++;
		return true;
	}
	for (unsigned shift = 0; shift < 70 && w->at < w->end; shift += 7) {
		uint8_t byte = *w->at++;

		value |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80) {
			*ret = value;
			return shift < 63 || byte < 2; /* the tenth byte holds one bit */
		}
	}
	return false;
}

static inline bool wire_field(struct wire *w, struct wire_field *ret)
{
	uint64_t tag, length;

	if (!wire_varint(w, &tag) || tag >> 3 == 0 || tag > UINT32_MAX)
		return false;
	ret->number = (uint32_t)(tag >> 3);
	ret->type = (enum wire_type)(tag & 7);
	ret->value = 0;
	ret->bytes = (struct wire){ w->at, w->at };
	switch (ret->type) {
	case WIRE_VARINT:
		return wire_varint(w, &ret->value);
	case WIRE_FIXED64:
		if (wire_left(*w) < 8)
			return false;
		ret->value = wire_u64(w->at);
		w->at += 8;
		return true;
	case WIRE_FIXED32:
		if (wire_left(*w) < 4)
			return false;
		ret->value = wire_u32(w->at);
		w->at += 4;
		return true;
	case WIRE_BYTES:
		if (!wire_varint(w, &length) || length > wire_left(*w))
			return false;
		ret->bytes = (struct wire){ w->at, w->at + length };
		w->at += length;
		return true;
	}
	return false; /* groups; proto3 has none */
}

/* The numbers of a packed list: one byte of each has its top bit clear. */
static inline size_t wire_count(struct wire w)
{
	size_t n = 0;

	for (; w.at < w.end; w.at++)
		n += *w.at < 0x80;
	return n;
}

#endif
