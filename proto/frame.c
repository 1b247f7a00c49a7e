/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "proto/frame.h"

#include <errno.h>

#include "proto/crc32c.h"
#include "proto/segment.h"

#define HEAD_BYTES   8 /* len, crc32c */
#define LENGTH_BYTES 4 /* the most that a message's length takes: SEGMENT_FRAME_MAX is less than 2^28 */
#define ROOM         (HEAD_BYTES + 1 + LENGTH_BYTES)

int frame_begin(struct buf *out, size_t *start, struct err *err)
{
	int r = buf_reserve(out, ROOM);

	*start = out->len;
	if (r < 0)
		return frame_drop(out, *start, r, err);
	out->len += ROOM;
	return 0;
}

int frame_drop(struct buf *out, size_t start, int code, struct err *err)
{
	out->len = start;
	if (out->data)
		out->data[start] = '\0';
	return err_set(err, code, code == -EMSGSIZE ? "the segment is full at %zu bytes: seal it and begin another"
						    : "no memory behind %zu bytes of a segment",
		       start);
}

int frame_end(struct buf *out, size_t start, enum frame_kind kind, struct err *err)
{
	size_t message = out->len - start - ROOM;
	uint8_t *head = (uint8_t *)out->data + start, *at = head + HEAD_BYTES;
	size_t length;

	if (message > SEGMENT_FRAME_MAX - 1 - LENGTH_BYTES) {
		out->len = start;
		return err_set(err, -EMSGSIZE, "a frame of %zu bytes; at most %zu can be read back", message,
			       SEGMENT_FRAME_MAX);
	}
	at = wire_put_tag(at, kind, WIRE_BYTES);
	at = wire_put_varint(at, message);
	memmove(at, head + ROOM, message); /* the length took fewer bytes than it might have */
	length = (size_t)(at - head) - HEAD_BYTES + message;
	wire_put_u32(head, (uint32_t)length);
	wire_put_u32(head + 4, crc32c(head + HEAD_BYTES, length));
	out->len = start + HEAD_BYTES + length;
	out->data[out->len] = '\0';
	return 0;
}

bool frame_next(struct text *rest, struct wire *ret)
{
	const uint8_t *head = (const uint8_t *)rest->at;
	size_t left = text_len(*rest), length;

	if (left < HEAD_BYTES)
		return false;
	length = wire_u32(head);
	/* A length of 0 would hold for a tail of zeros, as a file system leaves it behind after a crash. */
	if (length == 0 || length > SEGMENT_FRAME_MAX || length > left - HEAD_BYTES)
		return false;
	if (crc32c(head + HEAD_BYTES, length) != wire_u32(head + 4))
		return false;
	*ret = (struct wire){ head + HEAD_BYTES, head + HEAD_BYTES + length };
	rest->at += HEAD_BYTES + length;
	return true;
}

bool frame_open(struct wire frame, enum frame_kind *kind, struct wire *message)
{
	struct wire_field field;

	*kind = FRAME_NONE;
	*message = (struct wire){ frame.end, frame.end };
	while (frame.at < frame.end) {
		if (!wire_field(&frame, &field))
			return false;
		if (field.type != WIRE_BYTES || field.number > FRAME_END || field.number == 9)
			continue; /* of a later version */
		*kind = (enum frame_kind)field.number; /* of a oneof the last one holds */
		*message = field.bytes;
	}
	return true;
}
