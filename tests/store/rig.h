/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A store in a fresh folder, and segments to put into it. Bytes are the same whenever a segment is made of the same
 * values, so that a test can make them again and compare.
 */
#ifndef ASSAY_TESTS_STORE_RIG_H
#define ASSAY_TESTS_STORE_RIG_H

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/take.h"
#include "proto/segment.h"
#include "store/store.h"
#include "tests/support/shared.h"

#define SECOND UINT64_C(1000000000)

/* What a segment says; zero and NULL leave a frame out. */
struct said {
	const char *axes, *facts; /* "name=value,name=value" */
	uint64_t start_ns, stop_ns;
	const char *result;
	double value;
	const char *output;
	size_t noise; /* bytes that do not pack */
	bool end;
	int exit_code;
};

struct rig {
	char folder[256];
	char path[300]; /* of the store */
	struct store *store;
	struct err err;
};

static inline struct ulid id_of(const char *text)
{
	struct ulid ret;

	assert_true(ulid_is(text_of(text)));
	memcpy(ret.text, text, sizeof(ret.text));
	return ret;
}

static inline void pairs_of(struct pairs *ret, const char *text)
{
	struct text rest = text_of(text ? text : "");

	while (rest.at < rest.end) {
		struct text name, value;

		assert_true(text_cut(&rest, "=", &name));
		value = rest;
		if (!text_cut(&rest, ",", &value))
			rest.at = rest.end;
		assert_int_equal(pairs_set_text(ret, name, value), 0);
	}
}

/* Noise that zstd cannot pack, from a seed. */
static inline void noise_fill(char *ret, size_t length, uint64_t seed)
{
	uint64_t x = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;

	for (size_t i = 0; i < length; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		ret[i] = (char)(x >> 32);
	}
}

/* A sealed segment in a buffer the caller frees. */
static inline struct buf segment_of(const struct ulid *run, uint32_t sequence, const struct said *said)
{
	struct run_header header = { .run = *run, .sequence = sequence, .host = "box-1", .boot_id = "b",
				     .agent_version = "1", .realtime_ns = (1000 + sequence) * SECOND,
				     .monotonic_ns = sequence * SECOND, .tick_ns = SECOND };
	struct buf open = { .ceiling = (size_t)300 << 20 }, ret = { 0 };
	struct pairs axes = { 0 }, facts = { 0 };
	struct segment_writer *w = NULL;
	struct err err;

	pairs_of(&axes, said->axes);
	pairs_of(&facts, said->facts);
	assert_int_equal(segment_writer_open(&w, &header, &open, &err), 0);
	if (axes.count || facts.count)
		assert_int_equal(segment_put_facts(w, &axes, &facts, &open, &err), 0);
	if (said->start_ns) {
		struct run_mark mark = { said->start_ns, MARK_COMMAND_START, "" };

		assert_int_equal(segment_put_mark(w, &mark, &open, &err), 0);
	}
	if (said->stop_ns) {
		struct run_mark mark = { said->stop_ns, MARK_COMMAND_END, "" };

		assert_int_equal(segment_put_mark(w, &mark, &open, &err), 0);
	}
	if (said->result) {
		struct run_result result = { said->result, said->value, "MB/s", 1 };

		assert_int_equal(segment_put_result(w, &result, &open, &err), 0);
	}
	if (said->output) {
		struct run_output output = { OUTPUT_STDOUT, 0, said->output, strlen(said->output) };

		assert_int_equal(segment_put_output(w, &output, &open, &err), 0);
	}
	if (said->noise) {
		char *noise = malloc(said->noise);
		struct run_output output = { OUTPUT_STDERR, 0, noise, said->noise };

		assert_non_null(noise);
		noise_fill(noise, said->noise, sequence + (uint64_t)(unsigned char)run->text[25]);
		assert_int_equal(segment_put_output(w, &output, &open, &err), 0);
		free(noise);
	}
	if (said->end) {
		struct run_end end = { .exited = true, .exit_code = said->exit_code };

		assert_int_equal(segment_put_end(w, &end, &open, &err), 0);
	}
	assert_int_equal(segment_seal(buf_text(&open), 3, &ret, &err), 0);
	segment_writer_close(w);
	pairs_free(&axes);
	pairs_free(&facts);
	buf_free(&open);
	return ret;
}

static inline void rig_open(struct rig *rig)
{
	struct store_options options = { .path = rig->path };

	if (store_open(&rig->store, &options, &rig->err) < 0)
		fail_msg("%s", rig->err.text);
}

static inline void rig_close(struct rig *rig)
{
	store_close(rig->store);
	rig->store = NULL;
}

static inline void rig_again(struct rig *rig)
{
	rig_close(rig);
	rig_open(rig);
}

static inline int rig_setup(void **state)
{
	struct rig *rig = calloc(1, sizeof(*rig));

	assert_non_null(rig);
	fresh_folder(rig->folder, sizeof(rig->folder));
	(void)snprintf(rig->path, sizeof(rig->path), "%s/store", rig->folder);
	rig_open(rig);
	*state = rig;
	return 0;
}

static inline int rig_teardown(void **state)
{
	struct rig *rig = *state;

	store_close(rig->store);
	remove_tree(rig->folder);
	free(rig);
	return 0;
}

/* Put one; the test fails when it is refused. */
static inline enum put_result rig_put(struct rig *rig, const char *run, uint32_t sequence, const struct said *said)
{
	struct ulid id = id_of(run);
	cleanup_buf struct buf sealed = segment_of(&id, sequence, said);
	enum put_result ret;

	if (store_put_segment(rig->store, &id, sequence, buf_text(&sealed), NULL, &ret, &rig->err) < 0)
		fail_msg("%s", rig->err.text);
	return ret;
}

/* How many files lie in a folder of the store. */
static inline size_t rig_files(struct rig *rig, const char *folder)
{
	char path[600];
	size_t n = 0;
	DIR *dir;

	(void)snprintf(path, sizeof(path), "%s/%s", rig->path, folder);
	dir = opendir(path);
	if (!dir)
		return 0;
	for (struct dirent *e; (e = readdir(dir));)
		n += e->d_name[0] != '.';
	(void)closedir(dir);
	return n;
}

#endif
