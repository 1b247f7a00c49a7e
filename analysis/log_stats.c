/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/log_stats.h"

#include <errno.h>
#include <stdlib.h>

#include "analysis/kernel_line.h"
#include "analysis/log_id.h"
#include "analysis/view.h"

#define LEVEL_ERROR 3

static int see(struct log_ids *ids, struct text id, double seconds)
{
	char *copy;

	if (id.at == id.end)
		return 0;
	for (size_t i = 0; i < ids->count; i++)
		if (text_is(id, ids->at[i].id))
			return 0;
	if (ids->count == LOG_IDS_MAX) {
		ids->more = true;
		return 0;
	}
	if (ids->count == ids->room &&
	    view_room(&ids->at, &ids->room, ids->room ? 2 * ids->room : 8, sizeof(*ids->at)) < 0)
		return -ENOMEM;
	copy = text_copy(id);
	if (!copy)
		return -ENOMEM;
	ids->at[ids->count++] = (struct log_seen){ copy, seconds };
	return 0;
}

/* ---- lockdep: who wants which lock while holding which, told over several lines ---- */

static const char *find(struct text t, const char *words)
{
	return memmem(t.at, text_len(t), words, strlen(words));
}

/* ", at: [<ff00>] func+0x1/0x2" */
static int add_function(struct log_stats *s, struct text t)
{
	const char *at = find(t, "at: ");
	struct text word, rest;

	if (!at)
		return 0;
	rest = text_n(at + 4, (size_t)(t.end - at - 4));
	while (text_word(&rest, &word))
		if (find(word, "+0x"))
			return buf_printf(&s->lockdep, "at: %.*s ", TEXT_ARGS(word)) < 0 ? -ENOMEM : 1;
	return 0;
}

static int follow_lockdep(struct log_stats *s, struct text t)
{
	int r = 0;

	switch (s->lockdep_lines) {
	case 1: {
		const char *slash = memchr(t.at, '/', text_len(t)), *is = find(t, " is trying to acquire lock");

		if (!is)
			return 0;
		if (!slash || slash > is)
			slash = is;
		r = buf_printf(&s->lockdep, "%.*s is trying to acquire lock: ", (int)(slash - t.at), t.at);
		s->lockdep_lines += r == 0;
		return r;
	}
	case 3:
		if (!find(t, "but task is already holding lock"))
			return 0;
		s->lockdep_lines++;
		return buf_puts(&s->lockdep, "but task is already holding lock: ");
	default:
		r = add_function(s, t);
		if (r > 0)
			s->lockdep_lines++;
		return r < 0 ? r : 0;
	}
}

static int take_lockdep(struct log_stats *s, struct text t, double seconds)
{
	int r = 0;

	if (find(t, "possible circular locking dependency detected") ||
	    find(t, "possible recursive locking detected")) {
		const char *at = find(t, "WARNING: ");

		if (!at) /* "[ INFO: possible ... ]" of older kernels */
			return 0;
		buf_clear(&s->lockdep);
		s->lockdep_lines = 1;
		s->lockdep_seconds = seconds;
		return buf_add(&s->lockdep, at, (size_t)(t.end - at)) < 0 ? -ENOMEM : buf_putc(&s->lockdep, ' ');
	}
	if (s->lockdep_lines == 0 || text_len(t) > LOG_ID_MAX)
		return 0;
	r = follow_lockdep(s, text_trim(t));
	if (r == 0 && s->lockdep_lines == 5) {
		s->lockdep_lines = 0;
		r = log_id(buf_text(&s->lockdep), &s->scratch);
		if (r == 0)
			r = see(&s->crashes, buf_text(&s->scratch), s->lockdep_seconds);
	}
	return r;
}

/* ---- */

static int take_line(struct log_stats *s, const struct kernel_line *line)
{
	double seconds = line->stamped ? (double)line->usec / 1e6 : -1;
	int r = log_id_of_crash(line->text, &s->scratch);

	if (r > 0) {
		if (find(line->text, "invoked oom-killer") || find(line->text, "Out of memory: Kill"))
			s->out_of_memory = true;
		r = see(&s->crashes, buf_text(&s->scratch), seconds);
	} else if (r == 0 && line->level >= 0 && line->level <= LEVEL_ERROR && !log_line_is_dump(line->text)) {
		r = log_id(line->text, &s->scratch);
		if (r == 0)
			r = see(&s->errors, buf_text(&s->scratch), seconds);
	}
	return r < 0 ? r : take_lockdep(s, line->text, seconds);
}

int log_stats_kernel(struct log_stats *s, struct text record)
{
	struct kernel_line line = kernel_line_read(record);

	if (line.stamped) {
		s->last = (double)line.usec / 1e6;
		s->stamped = true;
	}
	return line.facility ? 0 : take_line(s, &line);
}

/* Figures that programs print beside their work. */
static bool is_ignored(struct text line)
{
	static const char *const globs[] = {
		"*records in", "*records out", "* bytes * copied, *", "real\t*", "user\t*", "sys\t*", "+ *",
	};

	for (size_t i = 0; i < sizeof(globs) / sizeof(*globs); i++)
		if (text_glob(line, globs[i]))
			return true;
	return false;
}

int log_stats_error_lines(struct log_stats *s, struct text text)
{
	struct text line;
	int r = 0;

	while (r == 0 && text_line(&text, &line)) {
		line = text_trim(line);
		if (line.at == line.end || is_ignored(line))
			continue;
		r = log_id(line, &s->scratch);
		if (r == 0)
			r = see(&s->lines, buf_text(&s->scratch), -1);
	}
	return r;
}

static int put_ids(const struct log_ids *ids, const char *family, bool stamps, struct stats *ret)
{
	int r = 0;

	for (size_t i = 0; i < ids->count && r == 0; i++) {
		r = stats_setf(ret, 1, "%s.%s", family, ids->at[i].id);
		if (r == 0 && stamps && ids->at[i].seconds >= 0)
			r = stats_setf(ret, ids->at[i].seconds, "%s.timestamp:%s", family, ids->at[i].id);
	}
	return r < 0 || !ids->more ? r : stats_setf(ret, 1, "%s.more_ids", family);
}

int log_stats_finish(const struct log_stats *s, bool read, struct stats *ret)
{
	int r = put_ids(&s->crashes, "dmesg", true, ret);

	if (r == 0 && (s->crashes.count || read))
		r = stats_set(ret, "dmesg.boot_failures", s->crashes.count > 0);
	if (r == 0 && s->crashes.count && s->stamped)
		r = stats_set(ret, "dmesg.timestamp:last", s->last);
	if (r == 0)
		r = put_ids(&s->errors, "kmsg", false, ret);
	if (r == 0)
		r = put_ids(&s->lines, "stderr", false, ret);
	if (r == 0 && s->lines.count)
		r = stats_set(ret, "stderr.has_stderr", 1);
	if (r == 0 && s->out_of_memory)
		r = stats_set(ret, "last_state.OOM", 1);
	return r;
}

static void free_ids(struct log_ids *ids)
{
	for (size_t i = 0; i < ids->count; i++)
		free(ids->at[i].id);
	free(ids->at);
	*ids = (struct log_ids){ 0 };
}

void log_stats_free(struct log_stats *s)
{
	free_ids(&s->crashes);
	free_ids(&s->errors);
	free_ids(&s->lines);
	buf_free(&s->lockdep);
	buf_free(&s->scratch);
}
