/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A run in a fresh folder, whose segments are delivered to a buffer as lines (tests/support/told.h), and collectors
 * that the test steers.
 */
#ifndef ASSAY_TESTS_AGENT_AGENT_RIG_H
#define ASSAY_TESTS_AGENT_AGENT_RIG_H

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "agent/agent.h"
#include "host/clock.h"
#include "proto/segment.h"
#include "tests/support/shared.h"
#include "tests/support/told.h"

#define RIG_RUN "01J8ZQ4B3N5R7T9VWXYZ012345"

struct rig {
	char folder[256], spool[300];
	struct host host;
	struct agent_plan plan;
	struct agent_outcome outcome;
	struct err err;
	struct buf told;      /* what arrived */
	struct buf notices;
	pthread_mutex_t mutex;
	uint32_t last;        /* sequence that arrived last */
	int refuse;           /* what the other side answers instead of taking it */
};

static inline int rig_take(void *context, const struct ulid *run, uint32_t sequence, struct text sealed, struct err *err)
{
	struct rig *rig = context;
	struct segment_report report;
	int r;

	if (rig->refuse)
		return err_set(err, rig->refuse, "refused by the test");
	if (strcmp(run->text, RIG_RUN) != 0 || sequence <= rig->last)
		return err_set(err, -EINVAL, "segment %u of %s does not follow %u", (unsigned)sequence, run->text,
			       (unsigned)rig->last);
	r = segment_read(sealed, NULL, false, &told_events, &rig->told, &report, err);
	if (r == 0)
		rig->last = sequence;
	return r;
}

static inline void rig_notice(void *context, const char *text)
{
	struct rig *rig = context;

	(void)pthread_mutex_lock(&rig->mutex);
	(void)buf_printf(&rig->notices, "%s\n", text);
	(void)pthread_mutex_unlock(&rig->mutex);
}

static inline int rig_setup(void **state)
{
	struct rig *rig = calloc(1, sizeof(*rig));

	assert_non_null(rig);
	fresh_folder(rig->folder, sizeof(rig->folder));
	(void)snprintf(rig->spool, sizeof(rig->spool), "%s/spool", rig->folder);
	(void)pthread_mutex_init(&rig->mutex, NULL);
	rig->host = (struct host){ .root_fd = -1, .page_size = 4096, .ticks_per_second = 100, .root = "test" };
	rig->plan = (struct agent_plan){
		.host = &rig->host,
		.spool = rig->spool,
		.run = { RIG_RUN },
		.quiet = true,
		.deliver = rig_take,
		.deliver_context = rig,
		.notice = rig_notice,
		.notice_context = rig,
	};
	assert_int_equal(pairs_set(&rig->plan.axes, "testcase", "bench"), 0);
	assert_int_equal(pairs_set(&rig->plan.facts, "host.name", "lab1"), 0);
	*state = rig;
	return 0;
}

static inline int rig_teardown(void **state)
{
	struct rig *rig = *state;

	pairs_free(&rig->plan.axes);
	pairs_free(&rig->plan.facts);
	buf_free(&rig->told);
	buf_free(&rig->notices);
	remove_tree(rig->folder);
	free(rig);
	return 0;
}

/* Run `sh -c script`. */
static inline int rig_run(struct rig *rig, const char *script)
{
	char *argv[] = { (char[]){ "sh" }, (char[]){ "-c" }, NULL, NULL };
	char *copy = strdup(script);
	int r;

	argv[2] = copy;
	rig->plan.command = argv;
	r = agent_run(&rig->plan, &rig->outcome, &rig->err);
	rig->plan.command = NULL;
	free(copy);
	return r;
}

static inline bool rig_was_told(const struct rig *rig, const char *part)
{
	return rig->told.data && strstr(rig->told.data, part) != NULL;
}

static inline bool rig_was_noticed(const struct rig *rig, const char *part)
{
	return rig->notices.data && strstr(rig->notices.data, part) != NULL;
}

/* The number of a result line, or NAN-like -1 when there is none. */
static inline double rig_result(const struct rig *rig, const char *key)
{
	char start[300];
	const char *at;

	(void)snprintf(start, sizeof(start), "result %s ", key);
	at = rig->told.data ? strstr(rig->told.data, start) : NULL;
	return at ? strtod(at + strlen(start), NULL) : -1;
}

static inline size_t rig_count(const struct rig *rig, const char *part)
{
	size_t count = 0;

	for (const char *at = rig->told.data; at && (at = strstr(at, part)); at++)
		count++;
	return count;
}

/* Is there nothing in the spool? */
static inline bool rig_spool_is_empty(const struct rig *rig)
{
	return rmdir(rig->spool) == 0; /* only an empty folder goes */
}

#endif
