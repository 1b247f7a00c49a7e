/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "server/queue.h"

void queue_open(struct queue *q)
{
	*q = (struct queue){ 0 };
	(void)pthread_mutex_init(&q->lock, NULL);
	(void)pthread_cond_init(&q->filled, NULL);
	q->last = &q->first;
}

void queue_close(struct queue *q)
{
	(void)pthread_mutex_lock(&q->lock);
	q->closed = true;
	(void)pthread_cond_broadcast(&q->filled);
	(void)pthread_mutex_unlock(&q->lock);
}

void queue_free(struct queue *q)
{
	(void)pthread_cond_destroy(&q->filled);
	(void)pthread_mutex_destroy(&q->lock);
}

bool queue_put(struct queue *q, struct request *request)
{
	bool open;

	(void)pthread_mutex_lock(&q->lock);
	open = !q->closed;
	if (open) {
		request->next = NULL;
		*q->last = request;
		q->last = &request->next;
		(void)pthread_cond_signal(&q->filled);
	}
	(void)pthread_mutex_unlock(&q->lock);
	return open;
}

struct request *queue_take(struct queue *q, unsigned most)
{
	struct request *taken, **end;

	(void)pthread_mutex_lock(&q->lock);
	while (!q->first && !q->closed)
		(void)pthread_cond_wait(&q->filled, &q->lock);
	taken = q->first;
	end = &q->first;
	while (*end && most-- > 0)
		end = &(*end)->next;
	q->first = *end;
	if (!q->first)
		q->last = &q->first;
	if (taken)
		*end = NULL;
	(void)pthread_mutex_unlock(&q->lock);
	return taken;
}
