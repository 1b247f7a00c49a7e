/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "server/ingest.h"

#include <errno.h>
#include <inttypes.h>

#include "server/exchange.h"

#define PUTS_MAX STORE_BATCH_MAX /* of one commit */

bool ingest_hold(struct ingest *ingest, struct request *request, size_t bytes)
{
	size_t before = atomic_fetch_add(&ingest->held, bytes);

	if (bytes > ingest->ceiling || before > ingest->ceiling - bytes) {
		(void)atomic_fetch_sub(&ingest->held, bytes);
		return false;
	}
	request->held += bytes;
	return true;
}

void ingest_release(struct ingest *ingest, struct request *request)
{
	(void)atomic_fetch_sub(&ingest->held, request->held);
	request->held = 0;
	buf_free(&request->body);
}

int ingest_health(struct ingest *ingest, struct err *err)
{
	struct err broken;

	(void)pthread_mutex_lock(&ingest->lock);
	broken = ingest->broken;
	(void)pthread_mutex_unlock(&ingest->lock);
	if (broken.code)
		*err = broken;
	return broken.code;
}

static void note_health(struct ingest *ingest, const struct err *broken)
{
	(void)pthread_mutex_lock(&ingest->lock);
	ingest->broken = *broken;
	(void)pthread_mutex_unlock(&ingest->lock);
}

static void answer_put(struct request *request, enum put_result result)
{
	static const struct {
		unsigned status;
		const char *word;
	} answers[] = { [PUT_CREATED] = { MHD_HTTP_CREATED, "created" }, [PUT_SAME] = { MHD_HTTP_OK, "same" } };
	struct buf body = { 0 };

	if (result == PUT_CONFLICT) {
		answer_error(request, MHD_HTTP_CONFLICT, "run %s has other bytes under segment %" PRIu32 " already",
			     request->run.text, request->sequence);
		return;
	}
	(void)buf_printf(&body, "{\"run\":\"%s\",\"segment\":%" PRIu32 ",\"stored\":\"%s\"}\n", request->run.text,
			 request->sequence, answers[result].word);
	answer_with(request, answers[result].status, TYPE_JSON, &body);
}

/* True when it is not the client's fault. */
static bool answer_refusal(struct request *request, const struct err *err)
{
	bool ours = false;

	if (err->code == -EBADMSG)
		answer_error(request, MHD_HTTP_UNPROCESSABLE_CONTENT, "%s", err->text);
	else if (err->code == -EMSGSIZE)
		answer_error(request, MHD_HTTP_CONTENT_TOO_LARGE, "%s", err->text);
	else
		ours = true;
	if (ours)
		answer_error(request,
			     err->code == -ENOSPC || err->code == -EDQUOT ? MHD_HTTP_INSUFFICIENT_STORAGE
									  : MHD_HTTP_SERVICE_UNAVAILABLE,
			     "%s", err->text);
	return ours;
}

/* All requests of the list are given back when it returns. */
static void commit(struct ingest *ingest, struct request *list)
{
	enum put_result results[PUTS_MAX];
	struct err broken = { 0 };
	size_t n = 0;

	for (struct request *q = list; q; q = q->next, n++) {
		struct err err = { 0 };

		if (store_put_segment(ingest->store, &q->run, q->sequence, buf_text(&q->body), ingest->batch,
				      &results[n], &err) < 0 &&
		    answer_refusal(q, &err))
			broken = err;
		ingest_release(ingest, q);
	}
	n = 0;
	if (store_sync(ingest->store, ingest->batch, &broken) < 0)
		for (struct request *q = list; q; q = q->next)
			(void)answer_refusal(q, &broken);
	note_health(ingest, &broken);
	for (struct request *q = list, *next; q; q = next, n++) {
		next = q->next;
		if (!q->answer.status)
			answer_put(q, results[n]);
		exchange_resume(q); /* from here on the connection's */
	}
}

static void *ingest_run(void *context)
{
	struct ingest *ingest = context;
	struct request *list;

	while ((list = queue_take(&ingest->queue, PUTS_MAX)))
		commit(ingest, list);
	return NULL;
}

int ingest_open(struct ingest *ingest, const struct store_options *options, size_t ceiling, struct err *err)
{
	int r;

	*ingest = (struct ingest){ .ceiling = ceiling };
	r = store_open(&ingest->store, options, err);
	if (r < 0)
		return r;
	ingest->batch = store_batch_new();
	if (!ingest->batch) {
		store_close(ingest->store);
		return err_set(err, -ENOMEM, "no memory to take segments");
	}
	(void)pthread_mutex_init(&ingest->lock, NULL);
	queue_open(&ingest->queue);
	r = -pthread_create(&ingest->thread, NULL, ingest_run, ingest);
	if (r == 0)
		return 0;
	queue_free(&ingest->queue);
	(void)pthread_mutex_destroy(&ingest->lock);
	store_batch_free(ingest->batch);
	store_close(ingest->store);
	return err_set(err, r, "no thread to take segments: %s", err_name(r));
}

void ingest_stop(struct ingest *ingest)
{
	queue_close(&ingest->queue);
	(void)pthread_join(ingest->thread, NULL);
}

void ingest_close(struct ingest *ingest)
{
	queue_free(&ingest->queue);
	(void)pthread_mutex_destroy(&ingest->lock);
	store_batch_free(ingest->batch);
	store_close(ingest->store);
}
