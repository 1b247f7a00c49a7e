/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Our side of bytes.sh: reads the segments of one run, in order, and prints their bytes, the values in them, and the
 * bytes of the run once packed.
 *
 *   bench_bytes SEGMENT...
 */
#include <stdio.h>
#include <string.h>

#include "base/take.h"
#include "proto/segment.h"

struct run {
	struct segment_packer *packer;
	unsigned long long values;
};

static int on_snapshot(void *context, const struct snapshot *snapshot, struct err *err)
{
	struct run *run = context;

	for (size_t i = 0; i < snapshot->count; i++) {
		const struct sample *s = &snapshot->samples[i];
		size_t words = (shape_slots(s->shape) + 63) / 64;

		for (size_t word = 0; word < words; word++)
			run->values += (unsigned long long)__builtin_popcountll(s->present[word]);
	}
	return 0;
}

static int take_file(const char *path, struct buf *ret)
{
	FILE *file = fopen(path, "re");
	char piece[65536];
	size_t n;
	int r = file ? 0 : -1;

	while (r == 0 && (n = fread(piece, 1, sizeof(piece), file)) > 0)
		r = buf_add(ret, piece, n);
	if (file)
		(void)fclose(file);
	return r;
}

int main(int argc, char **argv)
{
	static const struct run_events count = { .snapshot = on_snapshot };
	cleanup_buf struct buf packed = { 0 };
	struct run run = { 0 };
	size_t wire = 0;
	struct err err = { 0 };
	int r = segment_packer_open(&run.packer, &err);

	for (int i = 1; i < argc && r == 0; i++) {
		cleanup_buf struct buf segment = { 0 };

		if (take_file(argv[i], &segment) < 0)
			r = err_set(&err, -1, "%s: cannot be read", argv[i]);
		if (r == 0)
			r = segment_read(buf_text(&segment), NULL, false, &count, &run, NULL, &err);
		if (r == 0)
			r = segment_read(buf_text(&segment), NULL, false, &segment_packer_events, run.packer, NULL,
					 &err);
		wire += segment.len;
	}
	if (r == 0)
		r = segment_packer_finish(run.packer, SEGMENT_PACK_LEVEL, &packed, &err);
	segment_packer_close(run.packer);
	if (r < 0) {
		(void)fprintf(stderr, "bench_bytes: %s\n", err.text);
		return 1;
	}
	printf("%zu %llu %zu\n", wire, run.values, packed.len);
	return 0;
}
