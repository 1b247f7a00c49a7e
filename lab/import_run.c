/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lab/import_run.h"

#include <errno.h>
#include <string.h>

#include "proto/segment.h"

#define SEAL_LEVEL 3

/* What a run is known by when it comes again: its axes and its numbers. FNV-1a, twice over for 16 bytes. */
static void mix(uint64_t state[2], const void *data, size_t size)
{
	const unsigned char *at = data;

	for (size_t i = 0; i < size; i++) {
		state[0] = (state[0] ^ at[i]) * UINT64_C(1099511628211);
		state[1] = (state[1] ^ at[i] ^ (state[0] >> 57)) * UINT64_C(1099511628211);
	}
}

static void id_of(const struct pairs *axes, const struct stats *stats, uint64_t when_ms, struct ulid *ret)
{
	uint64_t state[2] = { UINT64_C(14695981039346656037), UINT64_C(0x9e3779b97f4a7c15) };

	for (size_t i = 0; i < axes->count; i++) {
		mix(state, axes->at[i].name, strlen(axes->at[i].name) + 1);
		mix(state, axes->at[i].value, strlen(axes->at[i].value) + 1);
	}
	for (size_t i = 0; i < stats->count; i++) {
		mix(state, stats->at[i].key, strlen(stats->at[i].key) + 1);
		mix(state, &stats->at[i].value, sizeof(stats->at[i].value));
	}
	ulid_of(when_ms, (const unsigned char *)state, ret);
}

static int write_run(const struct run_header *header, const struct pairs *axes, const struct pairs *facts,
		     const struct stats *stats, struct buf *open, struct err *err)
{
	const struct run_end end = { .exited = true };
	struct segment_writer *w;
	int r = segment_writer_open(&w, header, open, err);

	if (r < 0)
		return r;
	r = segment_put_facts(w, axes, facts, open, err);
	for (size_t i = 0; i < stats->count && r == 0; i++) {
		const struct run_result result = { stats->at[i].key, stats->at[i].value, "", 0 };

		r = segment_put_result(w, &result, open, err);
	}
	if (r == 0)
		r = segment_put_end(w, &end, open, err);
	segment_writer_close(w);
	return r;
}

int import_run(struct import *in, const char *path, const struct pairs *axes, const struct stats *stats,
	       struct import_moment moment, struct err *err)
{
	struct buf open = { 0 }, sealed = { 0 };
	struct pairs facts = { 0 };
	struct run_header header = {
		.sequence = 1,
		.host = pairs_get(axes, "tbox_group") ? pairs_get(axes, "tbox_group") : "imported",
		.boot_id = "",
		.agent_version = ASSAY_VERSION,
		.realtime_ns = moment.when_ms * 1000000,
		.monotonic_ns = 1,
		.tick_ns = 1000000000,
	};
	enum put_result put;
	int r = pairs_set(&facts, IMPORTED_FACT, path);

	if (r == 0 && moment.known)
		r = pairs_set(&facts, "imported.time", "yes");
	id_of(axes, stats, moment.when_ms, &header.run);
	r = r < 0 ? err_set(err, r, "no memory") : write_run(&header, axes, &facts, stats, &open, err);
	if (r == 0)
		r = segment_seal(buf_text(&open), SEAL_LEVEL, &sealed, err);
	if (r == 0)
		r = store_put_segment(in->store, &header.run, 1, buf_text(&sealed), NULL, &put, err);
	if (r == 0) {
		in->count->runs += put == PUT_CREATED;
		in->count->known += put != PUT_CREATED; /* another path to the same numbers is no other run */
		in->count->values += stats->count;
	}
	pairs_free(&facts);
	buf_free(&open);
	buf_free(&sealed);
	return r < 0 ? err_prefix(err, "%s: ", path) : 0;
}
