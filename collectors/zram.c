/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 *   sys/block/zram<n>/mm_stat     5373952     5451    73728        0    73728     1267        0        0        0
 *   sys/block/zram<n>/io_stat           0        0        0   131072
 *   sys/block/zram<n>/bd_stat           0        0        0          with a device behind, in units of 4 KiB
 *
 * Columns were added at the end with time; the sixth of mm_stat was zero_pages before 4.11, the seventh num_migrated
 * before 4.7. Before 4.1 each number is a file of its own, of the same names. A device that gets its size, or loses
 * it, changes proc/partitions, and a new generation begins.
 */
#include <stdio.h>

#include "collectors/files.h"
#include "collectors/watch.h"

#define FOLDER "sys/block"

struct zram {
	struct files files; /* first: files_shape() looks for it there */
	struct watch partitions;
};

static const struct hint hints[] = {
	/* key                kind     unit        help */
	{ "orig_data_size",   GAUGE,   UNIT_BYTES, "Data that is kept, as it was." },
	{ "compr_data_size",  GAUGE,   UNIT_BYTES, "The same, compressed." },
	{ "mem_used_total",   GAUGE,   UNIT_BYTES, "Memory that it takes, all included." },
	{ "mem_limit",        GAUGE,   UNIT_BYTES, "How much it may take, as set; 0 is without bound." },
	{ "mem_used_max",     GAUGE,   UNIT_BYTES, "The most that it took." },
	{ "same_pages",       GAUGE,   UNIT_PAGES, "Pages of one repeated value, which take no room." },
	{ "zero_pages",       GAUGE,   UNIT_PAGES, "Pages of zeros, which take no room." },
	{ "pages_compacted",  COUNTER, UNIT_PAGES, "Pages freed by moving objects together." },
	{ "num_migrated",     COUNTER, UNIT_COUNT, "Objects moved together." },
	{ "huge_pages",       GAUGE,   UNIT_PAGES, "Pages that could not be compressed." },
	{ "huge_pages_since", COUNTER, UNIT_PAGES, "Pages that could not be compressed, since the device was set up." },
	{ "bd_count",         GAUGE,   UNIT_COUNT, "Data on the device behind, in units of 4 KiB." },
	{ "bd_*",             COUNTER, UNIT_COUNT, "Data read from or written to the device behind, in units of 4 KiB." },
	{ "*",                COUNTER, UNIT_COUNT, "Requests that failed, were invalid, or told that pages are free." },
	{ 0 },
};

static const char *const mm_stat[] = {
	"orig_data_size", "compr_data_size", "mem_used_total", "mem_limit", "mem_used_max", "same_pages",
	"pages_compacted", "huge_pages", "huge_pages_since", NULL,
};
static const char *const io_stat[] = { "failed_reads", "failed_writes", "invalid_io", "notify_free", NULL };
static const char *const bd_stat[] = { "bd_count", "bd_reads", "bd_writes", NULL };

static const struct {
	const char *name;
	const char *const *columns;
} rows[] = { { "mm_stat", mm_stat }, { "io_stat", io_stat }, { "bd_stat", bd_stat } };

static const char *const singles[] = {
	"orig_data_size", "compr_data_size", "mem_used_total", "mem_limit", "mem_used_max", "zero_pages", "num_migrated",
	"num_reads", "num_writes", "failed_reads", "failed_writes", "invalid_io", "notify_free",
};

static int add_device(struct files *f, const char *device, struct err *err)
{
	size_t before = f->count;
	char path[256];
	int r = 0;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows) && r == 0; i++)
		if (snprintf(path, sizeof(path), FOLDER "/%s/%s", device, rows[i].name) < (int)sizeof(path))
			r = files_add_columns(f, path, rows[i].columns, device, err);
	if (f->count > before)
		return r;
	for (size_t i = 0; i < sizeof(singles) / sizeof(*singles) && r == 0; i++)
		if (snprintf(path, sizeof(path), FOLDER "/%s/%s", device, singles[i]) < (int)sizeof(path))
			r = files_add(f, path, singles[i], device, err);
	return r;
}

static int zram_open(const struct collector *self, void *state, const struct host *host, struct err *err)
{
	struct zram *z = state;
	struct names entries = { 0 };
	int r;

	files_begin(&z->files, self, host);
	r = host_list(host, FOLDER, &entries, err);
	for (size_t i = 0; i < entries.count && r == 0; i++)
		if (text_glob(text_of(entries.at[i]), "zram*"))
			r = add_device(&z->files, entries.at[i], err);
	names_free(&entries);
	if (r == 0)
		r = watch_open(&z->partitions, host, "proc/partitions", err);
	return r < 0 ? r : files_end(&z->files, err);
}

static int zram_sample(void *state, struct sample *out, struct err *err)
{
	struct zram *z = state;
	int r = watch_check(&z->partitions, err);

	return r < 0 ? r : files_sample(&z->files, out, err);
}

static void zram_close(void *state)
{
	struct zram *z = state;

	files_close(&z->files);
	watch_close(&z->partitions);
}

const struct collector collector_zram = {
	.name = "zram",
	.description = "Block devices that are compressed memory",
	.source = FOLDER "/zram*/mm_stat " FOLDER "/zram*/io_stat " FOLDER "/zram*/bd_stat " FOLDER "/zram*/orig_data_size proc/partitions",
	.hints = hints,
	.state_size = sizeof(struct zram),
	.probe = files_probe,
	.open = zram_open,
	.shape = files_shape,
	.sample = zram_sample,
	.close = zram_close,
};
