/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The target of a request: taken apart, found in the table, its parts read as a run and a segment. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "server/route.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct target *target = malloc(sizeof(*target));
	char *raw = malloc(size + 1);
	struct err err = { 0 };
	const struct route *route;

	if (!target || !raw)
		abort();
	memcpy(raw, data, size);
	raw[size] = '\0';
	if (target_parse(target, raw, &err) == 0) {
		size_t decoded = 0;

		for (unsigned i = 0; i < target->part_count; i++)
			decoded += strlen(target->parts[i]);
		for (unsigned i = 0; i < target->argument_count; i++)
			decoded += strlen(target->arguments[i].name) + strlen(target->arguments[i].value);
		if (decoded > size)
			abort();
		(void)target_argument(target, "query");
		route = route_find(target);
		if (route && route->put) {
			struct ulid run;
			uint32_t sequence;

			if (route_run(target->parts[2], &run, &err) == 0 && strchr(run.text, '/'))
				abort();
			if (route_sequence(target->parts[4], &sequence, &err) == 0 && sequence == 0)
				abort();
		}
	}
	free(raw);
	free(target);
	return 0;
}
