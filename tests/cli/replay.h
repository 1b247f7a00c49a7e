/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recorded trees of one machine, one after the other, on the whole road: the files of a folder become those of the next
 * tree, every collector that works samples them as it would the machine, the reducer makes the stats of a run of it.
 */
#ifndef ASSAY_TESTS_CLI_REPLAY_H
#define ASSAY_TESTS_CLI_REPLAY_H

#include <fcntl.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collectors/collector.h"
#include "tests/analysis/play.h"
#include "tests/support/shared.h"

#define REPLAY_MOST 256

struct replay {
	struct play play; /* its stats are here after replay_finish() */
	char folder[256];
	struct host host;
	struct collector_run runs[REPLAY_MOST];
	struct sample samples[REPLAY_MOST];
	size_t count;
	struct err err;
	size_t failures; /* samples that told of something */
};

static inline void replay_open(struct replay *r)
{
	*r = (struct replay){ .host = { .root_fd = -1 } };
	play_open(&r->play);
	fresh_folder(r->folder, sizeof(r->folder));
	play_fact(&r->play, "page.size", "4096");
	play_fact(&r->play, REDUCE_PER_CPU_FACT, "yes");
}

static inline void replay_write(const char *path, const char *content, size_t length)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, content, length), (ssize_t)length);
	(void)close(fd);
}

/* Each file of the tree `from` is written, or its counterpart taken away, below `to`. */
static inline void replay_walk(const char *from, const char *to, bool take_away)
{
	char root[1000];
	char *const roots[] = { root, NULL };
	FTS *walk;

	(void)snprintf(root, sizeof(root), "%s", from);
	walk = fts_open(roots, FTS_LOGICAL | FTS_NOCHDIR, NULL);
	assert_non_null(walk);
	for (FTSENT *e; (e = fts_read(walk));) {
		char path[2000];

		(void)snprintf(path, sizeof(path), "%s/%s", to, e->fts_path + strlen(from));
		if (!take_away && e->fts_info == FTS_D)
			(void)mkdir(path, 0777);
		if (e->fts_info != FTS_F)
			continue;
		if (take_away && access(path, F_OK) < 0) {
			assert_int_equal(truncate(e->fts_path, 0), 0); /* who has it open finds nothing */
			assert_int_equal(unlink(e->fts_path), 0);
		} else if (!take_away) {
			struct buf content = read_whole(e->fts_path);

			replay_write(path, content.data ? content.data : "", content.len);
			buf_free(&content);
		}
	}
	(void)fts_close(walk);
}

static inline void replay_snapshot(struct replay *r, double seconds)
{
	struct snapshot snapshot = { .monotonic_ns = (uint64_t)(seconds * (double)SECOND + 0.5), .samples = r->samples };

	for (size_t i = 0; i < r->count; i++) {
		r->failures += collector_run_sample(&r->runs[i], &r->err) < 0;
		if (!r->runs[i].is_open)
			continue;
		r->runs[i].sample.begin_ns = snapshot.monotonic_ns;
		r->samples[snapshot.count++] = r->runs[i].sample;
	}
	assert_int_equal(reduce_events.snapshot(r->play.reduce, &snapshot, &r->err), 0);
}

/* The machine looks like the tree, and is sampled at that time. `only`: this collector, or NULL for all. */
static inline void replay_tree(struct replay *r, const char *tree, double seconds, const char *only)
{
	replay_walk(r->folder, tree, true);
	replay_walk(tree, r->folder, false);
	if (r->host.root_fd < 0) {
		assert_int_equal(host_open_root(&r->host, r->folder, &r->err), 0);
		for (size_t i = 0; collectors[i]; i++) {
			if ((only && strcmp(collectors[i]->name, only) != 0) ||
			    collector_probe(collectors[i], &r->host, &r->err) < 0 ||
			    collector_run_open(&r->runs[r->count], collectors[i], &r->host, NULL, &r->err) < 0)
				continue;
			assert_true(++r->count < REPLAY_MOST);
		}
	}
	replay_snapshot(r, seconds);
}

static inline void replay_finish(struct replay *r)
{
	play_end(&r->play, 0, 0);
	play_finish(&r->play);
}

static inline void replay_close(struct replay *r)
{
	for (size_t i = 0; i < r->count; i++)
		collector_run_close(&r->runs[i]);
	if (r->host.root_fd >= 0)
		host_close(&r->host);
	remove_tree(r->folder);
	play_close(&r->play);
}

#endif
