/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/courier.h"

#include <errno.h>
#include <stdio.h>
#include <sys/random.h>

#include "host/clock.h"

#define SECOND UINT64_C(1000000000)
#define PAUSE_LEAST (SECOND / 10)
#define PAUSE_MOST  (60 * SECOND)

uint64_t pause_random(void)
{
	uint64_t number;

	return getrandom(&number, sizeof(number), GRND_NONBLOCK) == (ssize_t)sizeof(number) ? number : clock_monotonic();
}

uint64_t pause_next(struct pause *pause, uint64_t asked_ns, uint64_t random)
{
	uint64_t whole = PAUSE_MOST;
	uint64_t ns;

	if (pause->failures < 10 && 2 * PAUSE_LEAST << pause->failures < PAUSE_MOST)
		whole = 2 * PAUSE_LEAST << pause->failures;
	pause->failures++;
	ns = whole / 2 + random % (whole / 2);
	return ns > asked_ns ? ns : asked_ns;
}

static bool is_refusal(int code)
{
	return code == -EEXIST || code == -EBADMSG || code == -EMSGSIZE;
}

int destination_take(struct destination *d, struct spool *spool, uint32_t sequence, size_t *bytes, uint64_t *retry_ns,
		     struct err *err)
{
	cleanup_buf struct buf sealed = { .ceiling = SIZE_MAX / 2 };
	int r = spool_read(spool, sequence, &sealed, err);

	*retry_ns = 0;
	if (r < 0)
		return r == -ENOENT ? r : is_refusal(r) ? err_set(err, -EIO, "%s", err->text) : r;
	if (d->shipper)
		r = shipper_put(d->shipper, &spool->run, sequence, buf_text(&sealed), retry_ns, err);
	else
		r = d->deliver(d->context, &spool->run, sequence, buf_text(&sealed), err);
	if (r == -ENOENT)
		r = err->code = -EAGAIN; /* a place that is not there, such as a disk not mounted: the segment is */
	if (r == 0) {
		*bytes += sealed.len;
		spool_drop(spool, sequence);
	} else if (is_refusal(r)) {
		spool_set_aside(spool, sequence);
	}
	return r;
}

/* Until `until_ns` or a word from somebody; the lock is held. */
static void wait_until(struct courier *c, uint64_t until_ns)
{
	const struct timespec at = { (time_t)(until_ns / SECOND), (long)(until_ns % SECOND) };

	(void)pthread_cond_timedwait(&c->wake, &c->mutex, &at);
}

/* Sleeps, the lock held. False: it is not worth to wait any longer. */
static bool rest(struct courier *c, uint64_t until_ns)
{
	while (clock_monotonic() < until_ns) {
		if (until_ns > atomic_load(&c->give_up_ns))
			return false;
		wait_until(c, until_ns);
	}
	return true;
}

static void tell(struct courier *c, const char *text)
{
	if (c->notice)
		c->notice(c->notice_context, text);
}

static void complain(struct courier *c, uint32_t sequence, int r, const struct err *why)
{
	char text[512];

	c->last = *why;
	if (is_refusal(r)) {
		c->refused++;
		(void)snprintf(text, sizeof(text), "segment %u was refused and is kept in the spool: %s",
			       (unsigned)sequence, why->text);
		tell(c, text);
	} else if (!c->complained) {
		c->complained = true;
		(void)snprintf(text, sizeof(text), "cannot deliver now, will try again: %s", why->text);
		tell(c, text);
	}
}

static bool deliver_next(struct courier *c, struct pause *pause)
{
	struct err err = { 0 };
	uint64_t retry_ns;
	size_t bytes = 0;
	uint32_t sequence = c->next;
	int r;

	(void)pthread_mutex_unlock(&c->mutex);
	r = destination_take(&c->destination, c->spool, sequence, &bytes, &retry_ns, &err);
	if (r < 0 && r != -ENOENT)
		complain(c, sequence, r, &err);
	(void)pthread_mutex_lock(&c->mutex);
	if (r == 0 || r == -ENOENT || is_refusal(r)) {
		c->next++;
		c->complained = false;
		pause->failures = 0;
		return true;
	}
	return rest(c, clock_monotonic() + pause_next(pause, retry_ns, pause_random()));
}

static void *work(void *context)
{
	struct courier *c = context;
	struct pause pause = { 0 };

	(void)pthread_mutex_lock(&c->mutex);
	for (;;) {
		if (c->next <= c->ready) {
			if (clock_monotonic() >= atomic_load(&c->give_up_ns) || !deliver_next(c, &pause))
				break;
		} else if (c->closing) {
			break;
		} else {
			(void)pthread_cond_wait(&c->wake, &c->mutex);
		}
	}
	(void)pthread_mutex_unlock(&c->mutex);
	return NULL;
}

void courier_open(struct courier *c)
{
	pthread_condattr_t attributes;

	c->next = 1;
	atomic_store(&c->give_up_ns, UINT64_MAX);
	(void)pthread_mutex_init(&c->mutex, NULL);
	(void)pthread_condattr_init(&attributes);
	(void)pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	(void)pthread_cond_init(&c->wake, &attributes);
	(void)pthread_condattr_destroy(&attributes);
	if (c->destination.shipper)
		shipper_obey(c->destination.shipper, &c->give_up_ns);
}

int courier_start(struct courier *c, struct err *err)
{
	int r = pthread_create(&c->thread, NULL, work, c);

	c->running = r == 0;
	return r ? err_set(err, -r, "no thread to deliver segments: %s", err_name(r)) : 0;
}

void courier_ready(struct courier *c, uint32_t sequence)
{
	(void)pthread_mutex_lock(&c->mutex);
	c->ready = sequence;
	(void)pthread_cond_signal(&c->wake);
	(void)pthread_mutex_unlock(&c->mutex);
}

uint32_t courier_finish(struct courier *c, uint64_t grace_ns)
{
	(void)pthread_mutex_lock(&c->mutex);
	c->closing = true;
	atomic_store(&c->give_up_ns, clock_monotonic() + grace_ns);
	(void)pthread_cond_signal(&c->wake);
	(void)pthread_mutex_unlock(&c->mutex);
	if (c->running)
		(void)pthread_join(c->thread, NULL);
	return c->ready - (c->next - 1) + c->refused;
}

void courier_close(struct courier *c)
{
	(void)pthread_cond_destroy(&c->wake);
	(void)pthread_mutex_destroy(&c->mutex);
}
