/* SPDX-License-Identifier: GPL-3.0-or-later */
/* proc/sys/kernel/random/{entropy_avail,poolsize}, in bits. */
#include <stdio.h>

#include "collectors/files.h"

#define FOLDER "proc/sys/kernel/random/"

static const struct hint hints[] = {
	/* key            kind   unit        help */
	{ "entropy_avail", GAUGE, UNIT_COUNT, "Bits of entropy there are." },
	{ "poolsize",      GAUGE, UNIT_COUNT, "Bits of entropy there is room for." },
	{ 0 },
};

static int entropy_open(const struct collector *self, void *state, const struct host *host, struct err *err)
{
	struct files *f = state;
	char path[128];
	int r = 0;

	files_begin(f, self, host);
	for (size_t i = 0; hints[i].key && r == 0; i++) {
		(void)snprintf(path, sizeof(path), FOLDER "%s", hints[i].key);
		r = files_add(f, path, hints[i].key, "", err);
	}
	return r < 0 ? r : files_end(f, err);
}

const struct collector collector_entropy = {
	.name = "entropy",
	.description = "What the random number generator has gathered",
	.source = FOLDER "entropy_avail " FOLDER "poolsize",
	.hints = hints,
	.state_size = sizeof(struct files),
	.interval_ms = 10000,
	.open = entropy_open,
	FILES_STATE,
};
