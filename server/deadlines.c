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
		until = (struct timespec){ .tv_sec = (time_t)(now / SECOND_NS), .tv_nsec = (long)(now % SECOND_NS) };
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
	(void)pthread_condattr_destroy(&monotonic);
	r = -pthread_create(&d->thread, NULL, deadlines_run, d);
	if (r == 0)
		return 0;
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
	(void)pthread_cond_destroy(&d->ended);
	(void)pthread_mutex_destroy(&d->lock);
}

struct deadline *deadline_begin(struct deadlines *d, int fd)
{
	struct deadline *deadline = calloc(1, sizeof(*deadline));

	if (!deadline)
		return NULL;
	deadline->fd = fd;
	deadline->at_ns = now_ns() + d->span_ns;
	(void)pthread_mutex_lock(&d->lock);
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
	(void)pthread_mutex_unlock(&d->lock);
	free(deadline);
}
