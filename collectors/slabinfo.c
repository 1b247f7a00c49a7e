/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 *   slabinfo - version: 2.1
 *   # name            <active_objs> <num_objs> <objsize> <objperslab> <pagesperslab> : tunables <limit> ...
 *   dentry              204    210    192   21    1 : tunables    0    0    0 : slabdata     10     10      0
 *
 * A name may hold blanks, colons and dots: it is what stands before the five numbers before " : tunables". The tunables
 * and the last number belong to an allocator that the kernel has no more; they are not recorded.
 */
#include <errno.h>

#include "collectors/columns.h"
#include "collectors/digits.h"
#include "collectors/only_root.h"

static const char *const names[] = {
	"active_objs", "num_objs", "objsize", "objperslab", "pagesperslab", "active_slabs", "num_slabs", NULL,
};

#define NUMBERS 5 /* before the tunables */

static const struct hint hints[] = {
	/* key            kind   unit        help */
	{ "active_objs",  GAUGE, UNIT_COUNT, "Objects of that cache in use." },
	{ "num_objs",     GAUGE, UNIT_COUNT, "Objects that its slabs have room for." },
	{ "objsize",      GAUGE, UNIT_BYTES, "Size of one object." },
	{ "objperslab",   GAUGE, UNIT_COUNT, "Objects in one slab." },
	{ "pagesperslab", GAUGE, UNIT_PAGES, "Pages of one slab." },
	{ "active_slabs", GAUGE, UNIT_COUNT, "Slabs with an object in use." },
	{ "num_slabs",    GAUGE, UNIT_COUNT, "Slabs." },
	{ 0 },
};

static bool slab_head(const char *at, const char *line_end, struct text *name, const char **numbers)
{
	static const char tunables[] = " : tunables ";
	const char *stop = memmem(at, (size_t)(line_end - at), tunables, sizeof(tunables) - 1);
	const char *begin;

	if (!stop || *at == '#')
		return false;
	begin = stop;
	for (int word = 0; word < NUMBERS; word++) {
		while (begin > at && is_blank(begin[-1]))
			begin--;
		while (begin > at && !is_blank(begin[-1]))
			begin--;
	}
	*name = text_trim((struct text){ at, begin });
	*numbers = name->end + 1; /* the blank behind the name: how many follow depends on the number */
	return text_len(*name) > 0;
}

static const char *slab_numbers(const char *at, const char *end, uint64_t *values, uint32_t *present)
{
	static const char tunables[] = " : tunables ";
	static const char slabdata[] = ": slabdata ";
	static const char usual[] = " : tunables    0    0    0 : slabdata "; /* what all kernels print since 6.8 */

	for (int i = 0; i < NUMBERS; i++) {
		at = number_u64(at, end, &values[i]);
		if (!at || !is_number_end(at, end))
			return NULL;
	}
	if ((size_t)(end - at) > sizeof(usual) && memcmp(at, usual, sizeof(usual) - 1) == 0) {
		at += sizeof(usual) - 1;
	} else {
		if ((size_t)(end - at) < sizeof(tunables) || memcmp(at, tunables, sizeof(tunables) - 1) != 0)
			return NULL;
		at += sizeof(tunables) - 1;
		while (at < end && *at != ':' && *at != '\n')
			at++;
		if ((size_t)(end - at) < sizeof(slabdata) || memcmp(at, slabdata, sizeof(slabdata) - 1) != 0)
			return NULL;
		at += sizeof(slabdata) - 1;
	}
	for (int i = NUMBERS; i < NUMBERS + 2; i++) {
		at = number_u64(at, end, &values[i]);
		if (!at || !is_number_end(at, end))
			return NULL;
	}
	*present = (UINT32_C(1) << (NUMBERS + 2)) - 1;
	return at;
}

static const struct columns_format format = { names, slab_head, slab_numbers };

static int slabinfo_open(const struct collector *self, void *state, const struct host *host, struct err *err)
{
	static const char version[] = "slabinfo - version: 2.";
	struct columns *c = state;
	int r = columns_open(c, self, &format, host, err);

	if (r == 0 && !text_starts(procfile_first(&c->file), version))
		r = err_set(err, -ENOTSUP, "%s: not of version 2.x", self->source);
	return only_root_explain(self, r, err);
}

const struct collector collector_slabinfo = {
	.name = "slabinfo",
	.description = "Objects and slabs of the kernel's caches",
	.source = "proc/slabinfo",
	.hints = hints,
	.state_size = sizeof(struct columns),
	.dear = true,
	.probe = only_root_probe,
	.open = slabinfo_open,
	.shape = columns_shape,
	.sample = columns_sample,
	.close = columns_close,
};
