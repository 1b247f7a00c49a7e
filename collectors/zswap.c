/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sys/kernel/debug/zswap/<name>, a number each; only root sees debugfs, and only where it is mounted. */
#include "collectors/files.h"

#define FOLDER "sys/kernel/debug/zswap"

static const struct hint hints[] = {
	/* key                  kind     unit        help */
	{ "pool_total_size",    GAUGE,   UNIT_BYTES, "Memory that the compressed pages take." },
	{ "stored_*",           GAUGE,   UNIT_PAGES, "Pages that are kept there." },
	{ "same_filled_pages",  GAUGE,   UNIT_PAGES, "Pages of one repeated value, which take no room." },
	{ "written_back_pages", COUNTER, UNIT_PAGES, "Pages moved on to the real swap." },
	{ "pool_limit_hit",     COUNTER, UNIT_COUNT, "How often there was no room left." },
	{ "*",                  COUNTER, UNIT_COUNT, "Pages that were refused, or came twice, or did not come back, for that reason." },
	{ 0 },
};

static int zswap_open(const struct collector *self, void *state, const struct host *host, struct err *err)
{
	struct files *f = state;
	int r;

	files_begin(f, self, host);
	r = files_add_folder(f, FOLDER, "", "", err);
	return r < 0 ? r : files_end(f, err);
}

const struct collector collector_zswap = {
	.name = "zswap",
	.description = "Pages compressed in memory on their way to swap",
	.source = FOLDER "/*",
	.hints = hints,
	.state_size = sizeof(struct files),
	.probe = files_probe,
	.open = zswap_open,
	FILES_STATE,
};
