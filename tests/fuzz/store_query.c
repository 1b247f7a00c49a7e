/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The query language: whatever is typed is parsed or refused with words, and what was parsed can be asked of a store.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/store.h"

/* One empty store for all inputs: the statements that a query makes are the thing tried. */
static struct store *empty_store(void)
{
	char folder[] = "/tmp/assay-fuzz.XXXXXX", path[64];
	struct store_options options = { .path = folder, .read_only = true };
	struct store *ret;
	struct err err;

	if (!mkdtemp(folder))
		abort();
	(void)snprintf(path, sizeof(path), "%s/runs", folder);
	if (mkdir(path, 0700) < 0 || store_open(&ret, &options, &err) < 0)
		abort();
	(void)rmdir(path); /* it is open, and empty: nothing stays behind */
	(void)rmdir(folder);
	return ret;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct store *store;
	char *text = malloc(size + 1);
	struct store_query query;
	struct store_runs runs;
	struct ulid id;
	struct err err = { 0 };

	if (!text)
		abort();
	if (!store)
		store = empty_store();
	memcpy(text, data, size);
	text[size] = '\0';
	if (store_query_parse(&query, text, &err) == 0) {
		if (store_find(store, &query, &runs, &err) < 0) {
			(void)fprintf(stderr, "%s\n", err.text);
			abort();
		}
		store_runs_free(&runs);
	} else if (!err.code || !err.text[0]) {
		abort();
	}
	store_query_free(&query);
	if (store_resolve(store, text, &id, &err) == 0)
		abort(); /* there is none */
	free(text);
	return 0;
}
