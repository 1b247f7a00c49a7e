/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 *    8       0 sda 109916 11636 7124076 550966 115172 4137 9296402 219723 0 51641 694795 [31 2 4096 77 [4958 2319]]
 *
 * major, minor, name, then 11 numbers; since 4.18 four more for discards, since 5.5 two for flushes. A partition of an
 * old kernel has four: reads, sectors read, writes, sectors written. Further ones are kept by their place.
 */
#include "collectors/columns.h"
#include "collectors/digits.h"

static const char *const names[] = {
	"read_ios", "read_merges", "read_sectors", "read_ticks",
	"write_ios", "write_merges", "write_sectors", "write_ticks",
	"in_flight", "io_ticks", "time_in_queue",
	"discard_ios", "discard_merges", "discard_sectors", "discard_ticks",
	"flush_ios", "flush_ticks",
	"field18", "field19", "field20", "field21", "field22", "field23", "field24",
	NULL,
};

#define FIELDS      (sizeof(names) / sizeof(*names) - 1)
#define OLD_FIELDS  4
#define LEAST       11

/* The times are kept longer and printed in 32 bits. */
static const struct hint hints[] = {
	/* key          kind       unit               help */
	{ "in_flight",     GAUGE,     UNIT_COUNT,        "Requests that the device has now." },
	{ "time_in_queue", COUNTER32, UNIT_MILLISECONDS, "Time of requests, summed up over those in flight." },
	{ "*_ticks",       COUNTER32, UNIT_MILLISECONDS, "Time that requests of that kind took; io_ticks: in which there was one." },
	{ "*_sectors",     COUNTER,   UNIT_SECTORS,      "Sectors of 512 bytes, by kind of request." },
	{ "*_ios",         COUNTER,   UNIT_COUNT,        "Requests done, by kind." },
	{ "*_merges",      COUNTER,   UNIT_COUNT,        "Requests that were merged into another, by kind." },
	{ "*",             COUNTER,   UNIT_NONE,         "A number that newer kernels print behind the known ones." },
	{ 0 },
};

static bool disk_head(const char *at, const char *line_end, struct text *name, const char **numbers)
{
	struct text rest = { at, line_end };
	uint64_t ignored;

	if (!text_u64(&rest, &ignored) || !text_u64(&rest, &ignored) || !text_word(&rest, name) || rest.at == line_end)
		return false;
	*numbers = rest.at + 1;
	return true;
}

static const char *disk_numbers(const char *at, const char *end, uint64_t *values, uint32_t *present)
{
	static const unsigned old_place[OLD_FIELDS] = { 0, 2, 4, 6 };
	unsigned count = 0;

	while (count < FIELDS) {
		at = skip_blanks(at, end);
		if (at == end || *at == '\n')
			break;
		at = digits_u64(at, end, &values[count]);
		if (!at || !is_number_end(at, end))
			return NULL;
		count++;
	}
	if (count == OLD_FIELDS) {
		for (unsigned i = OLD_FIELDS; i-- > 0;) {
			values[old_place[i]] = values[i];
			*present |= UINT32_C(1) << old_place[i];
		}
		return at;
	}
	*present = (UINT32_C(1) << count) - 1;
	return count < LEAST ? NULL : at;
}

static const struct columns_format format = { names, disk_head, disk_numbers };

static int diskstats_open(const struct collector *self, void *state, const struct host *host, struct err *err)
{
	return columns_open(state, self, &format, host, err);
}

const struct collector collector_diskstats = {
	.name = "diskstats",
	.description = "Requests, sectors and times of block devices",
	.source = "proc/diskstats",
	.hints = hints,
	.state_size = sizeof(struct columns),
	.open = diskstats_open,
	.shape = columns_shape,
	.sample = columns_sample,
	.close = columns_close,
};
