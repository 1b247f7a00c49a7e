/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "server/deadlines.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>

#define SECOND_NS UINT64_C(1000000000)

static uint64_t now_ns(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * SECOND_NS + (uint64_t)t.tv_nsec;
}

static struct timespec timespec_of(uint64_t ns)
{
	return (struct timespec){ .tv_sec = (time_t)(ns / SECOND_NS), .tv_nsec = (long)(ns % SECOND_NS) };
}

static void shut_those_that_passed(struct deadlines *d, uint64_t now)
{
	for (struct deadline *deadline = d->first; deadline; deadline = deadline->next) {
		if (deadline->at_ns && deadline->at_ns < now) {
			(void)shutdown(deadline->fd, SHUT_RDWR); /* its thread sees the end, and closes it */
			deadline->at_ns = 0;
		}
	}
}

static void *deadlines_run(void *context)
{
	struct deadlines *d = context;

	(void)pthread_mutex_lock(&d->lock);
	while (!d->closed) {
		uint64_t now = now_ns();
		struct timespec until;

		shut_those_that_passed(d, now);
		now += d->span_ns / 4 < SECOND_NS ? d->span_ns / 4 : SECOND_NS;
		until = timespec_of(now);
		(void)pthread_cond_timedwait(&d->ended, &d->lock, &until);
	}
	(void)pthread_mutex_unlock(&d->lock);
	return NULL;
}

int deadlines_open(struct deadlines *d, uint64_t span_ns, struct err *err)
{
	pthread_condattr_t monotonic;
	int r;

	*d = (struct deadlines){ .span_ns = span_ns };
	(void)pthread_mutex_init(&d->lock, NULL);
	(void)pthread_condattr_init(&monotonic);
	(void)pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	(void)pthread_cond_init(&d->ended, &monotonic);
	(void)pthread_cond_init(&d->none, &monotonic);
	(void)pthread_condattr_destroy(&monotonic);
	r = -pthread_create(&d->thread, NULL, deadlines_run, d);
	if (r == 0)
		return 0;
	(void)pthread_cond_destroy(&d->none);
	(void)pthread_cond_destroy(&d->ended);
	(void)pthread_mutex_destroy(&d->lock);
	return err_set(err, r, "no thread to watch slow clients: %s", err_name(r));
}

void deadlines_close(struct deadlines *d)
{
	(void)pthread_mutex_lock(&d->lock);
	d->closed = true;
	(void)pthread_cond_signal(&d->ended);
	(void)pthread_mutex_unlock(&d->lock);
	(void)pthread_join(d->thread, NULL);
	(void)pthread_cond_destroy(&d->none);
	(void)pthread_cond_destroy(&d->ended);
	(void)pthread_mutex_destroy(&d->lock);
}

bool deadlines_end_all(struct deadlines *d, uint64_t patience_ns)
{
	const struct timespec until = timespec_of(now_ns() + patience_ns);
	bool none;

	(void)pthread_mutex_lock(&d->lock);
	d->ending = true;
	for (struct deadline *deadline = d->first; deadline; deadline = deadline->next)
		(void)shutdown(deadline->fd, SHUT_RDWR);
	while (d->first && pthread_cond_timedwait(&d->none, &d->lock, &until) == 0)
		;
	none = !d->first;
	(void)pthread_mutex_unlock(&d->lock);
	return none;
}

/* What has come already could be read behind the end of the stream, too; what comes after it the kernel refuses. */
void deadline_refuse(int fd)
{
	char part[4096];

	(void)shutdown(fd, SHUT_RDWR);
	while (recv(fd, part, sizeof(part), MSG_DONTWAIT) > 0)
		;
}

struct deadline *deadline_begin(struct deadlines *d, int fd)
{
	struct deadline *deadline = calloc(1, sizeof(*deadline));

	if (!deadline) {
		deadline_refuse(fd);
		return NULL;
	}
	deadline->fd = fd;
	deadline->at_ns = now_ns() + d->span_ns;
	(void)pthread_mutex_lock(&d->lock);
	if (d->ending) {
		(void)pthread_mutex_unlock(&d->lock);
		free(deadline);
		deadline_refuse(fd);
		return NULL;
	}
	deadline->next = d->first;
	deadline->link = &d->first;
	if (d->first)
		d->first->link = &deadline->next;
	d->first = deadline;
	(void)pthread_mutex_unlock(&d->lock);
	return deadline;
}

static void deadline_set(struct deadlines *d, struct deadline *deadline, uint64_t at_ns)
{
	if (!deadline)
		return;
	(void)pthread_mutex_lock(&d->lock);
	deadline->at_ns = at_ns;
	(void)pthread_mutex_unlock(&d->lock);
}

void deadline_renew(struct deadlines *d, struct deadline *deadline)
{
	deadline_set(d, deadline, now_ns() + d->span_ns);
}

void deadline_pause(struct deadlines *d, struct deadline *deadline)
{
	deadline_set(d, deadline, 0);
}

void deadline_end(struct deadlines *d, struct deadline *deadline)
{
	if (!deadline)
		return;
	(void)pthread_mutex_lock(&d->lock);
	*deadline->link = deadline->next;
	if (deadline->next)
		deadline->next->link = deadline->link;
	if (!d->first)
		(void)pthread_cond_signal(&d->none);
	(void)pthread_mutex_unlock(&d->lock);
	free(deadline);
}
