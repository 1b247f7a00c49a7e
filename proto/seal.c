/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "proto/seal.h"

#include <errno.h>
#include <zstd.h>

#include "proto/segment.h"

bool seal_is(struct text bytes)
{
	return text_len(bytes) >= 4 && memcmp(bytes.at, "\x28\xb5\x2f\xfd", 4) == 0;
}

static void free_cctx(ZSTD_CCtx **c)
{
	(void)ZSTD_freeCCtx(*c);
}

static void free_dctx(ZSTD_DCtx **d)
{
	(void)ZSTD_freeDCtx(*d);
}

int segment_seal(struct text open, int level, struct buf *out, struct err *err)
{
	__attribute__((cleanup(free_cctx))) ZSTD_CCtx *c = ZSTD_createCCtx();
	size_t room = ZSTD_compressBound(text_len(open)), n;

	if (!c || ZSTD_isError(ZSTD_CCtx_setParameter(c, ZSTD_c_compressionLevel, level)) ||
	    ZSTD_isError(ZSTD_CCtx_setParameter(c, ZSTD_c_checksumFlag, 1)))
		return err_set(err, -ENOMEM, "seal: no memory for zstd");
	if (buf_reserve(out, room) < 0)
		return err_set(err, out->failed, "seal: no room for %zu bytes", room);
	n = ZSTD_compress2(c, out->data + out->len, room, open.at, text_len(open));
	if (ZSTD_isError(n))
		return err_set(err, -ENOMEM, "seal: %s", ZSTD_getErrorName(n));
	out->len += n;
	out->data[out->len] = '\0';
	return 0;
}

static int too_large(size_t limit, struct err *err)
{
	return err_set(err, -EMSGSIZE, "the segment unpacks to more than %zu bytes", limit);
}

/* The size was not told: unpack piece by piece and stop at the limit. */
static int unpack_stream(ZSTD_DCtx *d, struct text sealed, size_t limit, struct buf *ret, struct err *err)
{
	ZSTD_inBuffer in = { sealed.at, text_len(sealed), 0 };
	size_t more = 1;

	while (more) {
		ZSTD_outBuffer out = { NULL, 0, 0 };

		if (buf_reserve(ret, 1) < 0)
			return ret->failed == -EMSGSIZE ? too_large(limit, err)
							: err_set(err, -ENOMEM, "unpack: no memory");
		out.dst = ret->data + ret->len;
		out.size = ret->size - ret->len - 1;
		if (out.size > limit - ret->len)
			out.size = limit - ret->len;
		more = ZSTD_decompressStream(d, &out, &in);
		if (ZSTD_isError(more))
			return err_set(err, -EBADMSG, "unpack: byte %zu: %s", in.pos, ZSTD_getErrorName(more));
		ret->len += out.pos;
		if (more && in.pos == in.size && out.pos < out.size)
			return err_set(err, -EBADMSG, "unpack: the sealed bytes end too early, at %zu", in.size);
	}
	return 0;
}

int seal_unpack(struct text sealed, size_t limit, struct buf *ret, struct err *err)
{
	__attribute__((cleanup(free_dctx))) ZSTD_DCtx *d = NULL;
	unsigned long long size = ZSTD_getFrameContentSize(sealed.at, text_len(sealed));
	size_t packed, n;

	if (size == ZSTD_CONTENTSIZE_ERROR)
		return err_set(err, -EBADMSG, "unpack: not a zstd frame");
	if (size != ZSTD_CONTENTSIZE_UNKNOWN && size > limit)
		return too_large(limit, err);
	packed = ZSTD_findFrameCompressedSize(sealed.at, text_len(sealed));
	if (ZSTD_isError(packed))
		return err_set(err, -EBADMSG, "unpack: %s", ZSTD_getErrorName(packed));
	if (packed != text_len(sealed))
		return err_set(err, -EBADMSG, "unpack: %zu bytes behind the sealed segment",
			       text_len(sealed) - packed);
	d = ZSTD_createDCtx();
	if (!d)
		return err_set(err, -ENOMEM, "unpack: no memory for zstd");
	ret->ceiling = limit;
	if (size == ZSTD_CONTENTSIZE_UNKNOWN)
		return unpack_stream(d, sealed, limit, ret, err);
	if (buf_reserve(ret, (size_t)size) < 0)
		return err_set(err, ret->failed, "unpack: no memory for %llu bytes", size);
	n = ZSTD_decompressDCtx(d, ret->data, (size_t)size, sealed.at, text_len(sealed));
	if (ZSTD_isError(n))
		return err_set(err, -EBADMSG, "unpack: %s", ZSTD_getErrorName(n));
	ret->len = n;
	ret->data[n] = '\0';
	return 0;
}
