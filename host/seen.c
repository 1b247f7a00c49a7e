/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/seen.h"

#include <errno.h>
#include <stdlib.h>

void seen_note(const struct host *host, const char *path, int result)
{
	struct seen *seen = host->seen;
	int row;

	if (!seen)
		return;
	row = names_add(&seen->paths, text_of(path));
	if (row >= 0 && (size_t)row >= seen->room) {
		size_t room = seen->room ? 2 * seen->room : 256;
		int *results = realloc(seen->results, room * sizeof(*results));

		if (results) {
			seen->results = results;
			seen->room = room;
		}
	}
	if (row < 0 || (size_t)row >= seen->room)
		seen->failed = true;
	else
		seen->results[row] = result;
}

bool seen_has(const struct seen *seen, const char *path)
{
	int row = names_find(&seen->paths, text_of(path), -1);

	return row >= 0 && (size_t)row < seen->room;
}

int seen_find(const struct seen *seen, const char *path)
{
	return seen_has(seen, path) ? seen->results[names_find(&seen->paths, text_of(path), -1)] : -ENOENT;
}

void seen_free(struct seen *seen)
{
	names_free(&seen->paths);
	free(seen->results);
	*seen = (struct seen){ 0 };
}
