/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "server/readers.h"

#include <errno.h>
#include <stdlib.h>

#include "server/exchange.h"
#include "server/route.h"

static void *reader_run(void *context)
{
	struct reader *reader = context;
	struct request *request;

	while ((request = queue_take(reader->queue, 1))) {
		request->route->get(request, reader->store);
		exchange_resume(request);
	}
	return NULL;
}

int readers_open(struct readers *readers, const struct store_options *options, unsigned count, struct err *err)
{
	int r = 0;

	*readers = (struct readers){ .at = calloc(count, sizeof(*readers->at)) };
	queue_open(&readers->queue);
	if (!readers->at)
		r = err_set(err, -ENOMEM, "no memory for %u readers", count);
	while (r == 0 && readers->count < count) {
		struct reader *reader = &readers->at[readers->count];

		reader->queue = &readers->queue;
		r = store_open(&reader->store, options, err);
		if (r < 0)
			break;
		r = -pthread_create(&reader->thread, NULL, reader_run, reader);
		if (r < 0) {
			store_close(reader->store);
			err_set(err, r, "no thread to read the store: %s", err_name(r));
			break;
		}
		readers->count++;
	}
	if (r < 0) {
		readers_stop(readers);
		readers_close(readers);
	}
	return r;
}

void readers_stop(struct readers *readers)
{
	queue_close(&readers->queue);
	for (unsigned i = 0; i < readers->count; i++)
		(void)pthread_join(readers->at[i].thread, NULL);
}

void readers_close(struct readers *readers)
{
	for (unsigned i = 0; i < readers->count; i++)
		store_close(readers->at[i].store);
	free(readers->at);
	queue_free(&readers->queue);
}
