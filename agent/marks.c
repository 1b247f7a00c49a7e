/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/marks.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/take.h"
#include "base/text.h"

static char *path_of(const char *spool, const struct ulid *run)
{
	cleanup_free char *here = *spool == '/' ? NULL : getcwd(NULL, 0);
	char *path = NULL;

	if (*spool != '/' && !here)
		return NULL;
	if (asprintf(&path, "%s%s%s/%s/" SPOOL_MARKS, here ? here : "", here ? "/" : "", spool, run->text) < 0)
		return NULL;
	return path;
}

int marks_offer(const char *spool, const struct ulid *run, char **before, struct err *err)
{
	cleanup_free char *path = path_of(spool, run);
	const char *present = getenv(MARKS_VARIABLE);

	*before = present ? strdup(present) : NULL;
	if (path && (*before || !present) && setenv(MARKS_VARIABLE, path, 1) == 0)
		return 0;
	free(*before);
	return err_set(err, -ENOMEM, "no memory for the command's environment");
}

void marks_withdraw(char *before)
{
	if (before)
		(void)setenv(MARKS_VARIABLE, before, 1);
	else
		(void)unsetenv(MARKS_VARIABLE);
	free(before);
}

static bool is_printable(struct text t)
{
	for (; t.at < t.end; t.at++)
		if ((unsigned char)*t.at < ' ' || *t.at == 0x7f)
			return false;
	return true;
}

static bool is_own(struct text name)
{
	static const char *const own[] = { MARK_COMMAND_START,	  MARK_COMMAND_END, MARK_COMMAND_STOP,
					   MARK_COMMAND_CONTINUE, MARK_SUSPEND,	    MARK_CLOCK,
					   MARK_DROPPED,	  MARK_MISSED };

	for (size_t i = 0; i < sizeof(own) / sizeof(*own); i++)
		if (text_is(name, own[i]))
			return true;
	return false;
}

static void take_line(struct marks *m, struct text line)
{
	char name[MARK_NAME_MAX + 1], value[MARK_VALUE_MAX + 1];
	struct text first;

	line = text_trim(line);
	if (line.at == line.end)
		return;
	if (!text_word(&line, &first) || text_len(first) > MARK_NAME_MAX || is_own(first)) {
		m->refused++;
		return;
	}
	line = text_trim(line);
	if (!is_printable(first) || !is_printable(line) || text_len(line) > MARK_VALUE_MAX || m->count == MARKS_MOST) {
		m->refused++;
		return;
	}
	(void)snprintf(name, sizeof(name), "%.*s", TEXT_ARGS(first));
	(void)snprintf(value, sizeof(value), "%.*s", TEXT_ARGS(line));
	m->count++;
	recorder_mark(m->recorder, name, value);
}

static void take_byte(struct marks *m, char c)
{
	if (c != '\n') {
		if (m->length < sizeof(m->line))
			m->line[m->length++] = c;
		else
			m->too_long = true;
		return;
	}
	if (m->too_long)
		m->refused++;
	else
		take_line(m, text_n(m->line, m->length));
	m->too_long = false;
	m->length = 0;
}

static void drain(struct marks *m)
{
	char bytes[4096];
	ssize_t n;

	while ((n = read(m->fd, bytes, sizeof(bytes))) > 0)
		for (ssize_t i = 0; i < n; i++)
			take_byte(m, bytes[i]);
}

static void *work(void *context)
{
	struct marks *m = context;
	struct pollfd at[2] = { { .fd = m->stop, .events = POLLIN }, { .fd = m->fd, .events = POLLIN } };

	for (;;) {
		int r = poll(at, 2, -1);

		if (r < 0 && errno != EINTR)
			return NULL;
		if (r > 0 && at[0].revents)
			return NULL;
		if (r > 0 && at[1].revents)
			drain(m);
	}
}

int marks_start(struct marks *m, int folder, struct recorder *recorder, struct err *err)
{
	int r;

	*m = (struct marks){ .recorder = recorder, .fd = -1, .stop = -1 };
	if (mkfifoat(folder, SPOOL_MARKS, 0600) < 0)
		return err_set(err, -errno, "no marks: a FIFO in the spool: %s", err_name(errno));
	/* Opened for both, so that a writer that ends is no end of the file. */
	m->fd = openat(folder, SPOOL_MARKS, O_RDWR | O_NONBLOCK | O_CLOEXEC);
	r = m->fd < 0 ? -errno : 0;
	if (r == 0) {
		m->stop = eventfd(0, EFD_CLOEXEC);
		r = m->stop < 0 ? -errno : -pthread_create(&m->thread, NULL, work, m);
	}
	if (r == 0) {
		m->running = true;
		return 0;
	}
	take_close_fd(&m->stop);
	take_close_fd(&m->fd);
	return err_set(err, r, "no marks: %s", err_name(r));
}

void marks_stop(struct marks *m)
{
	char text[96];

	if (!m->running)
		return;
	(void)eventfd_write(m->stop, 1);
	(void)pthread_join(m->thread, NULL);
	m->running = false;
	drain(m);
	if (m->length)
		take_byte(m, '\n');
	take_close_fd(&m->stop);
	take_close_fd(&m->fd);
	if (m->refused == 0)
		return;
	(void)snprintf(text, sizeof(text), "%llu marks of the command were refused", (unsigned long long)m->refused);
	recorder_log(m->recorder, LOG_SOURCE_AGENT, text);
}
