/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * iostat.cpu.* in percent, and iostat.<disk>.* (spec A.3.3) of every whole disk that did something. A partition is a
 * name that is another one's and digits behind it ("sda1" of "sda"), with a 'p' between where that ends in a digit
 * ("nvme0n1p2" of "nvme0n1").
 *
 * Rates and `util` are taken over the whole window; await, r_await, w_await, svctm and the request sizes are formed in
 * each interval that has such requests, and averaged over these intervals. Of await, r_await, w_await, svctm and
 * avgqu-sz also the largest interval's: <key>.max.
 */
#include <stdlib.h>

#include "analysis/reduce.h"
#include "analysis/view.h"

enum field {
	READS,
	READ_MERGES,
	READ_SECTORS,
	READ_MS,
	WRITES,
	WRITE_MERGES,
	WRITE_SECTORS,
	WRITE_MS,
	IO_MS,
	QUEUE_MS,
	DISCARDS, /* since 4.18 */
	DISCARD_MERGES,
	DISCARD_SECTORS,
	DISCARD_MS,
	FLUSHES, /* since 5.5 */
	FLUSH_MS,
	FIELDS
};

static const char *const fields[FIELDS] = {
	[READS] = "read_ios",
	[READ_MERGES] = "read_merges",
	[READ_SECTORS] = "read_sectors",
	[READ_MS] = "read_ticks",
	[WRITES] = "write_ios",
	[WRITE_MERGES] = "write_merges",
	[WRITE_SECTORS] = "write_sectors",
	[WRITE_MS] = "write_ticks",
	[IO_MS] = "io_ticks",
	[QUEUE_MS] = "time_in_queue",
	[DISCARDS] = "discard_ios",
	[DISCARD_MERGES] = "discard_merges",
	[DISCARD_SECTORS] = "discard_sectors",
	[DISCARD_MS] = "discard_ticks",
	[FLUSHES] = "flush_ios",
	[FLUSH_MS] = "flush_ticks",
};

/* A sector is 512 bytes, whatever the disk has. */
static const struct {
	const char *name;
	enum field field;
	double scale;
} rates[] = {
	{ "r/s", READS, 1 },
	{ "w/s", WRITES, 1 },
	{ "rkB/s", READ_SECTORS, 0.5 },
	{ "wkB/s", WRITE_SECTORS, 0.5 },
	{ "rrqm/s", READ_MERGES, 1 },
	{ "wrqm/s", WRITE_MERGES, 1 },
	{ "d/s", DISCARDS, 1 },
	{ "dkB/s", DISCARD_SECTORS, 0.5 },
	{ "drqm/s", DISCARD_MERGES, 1 },
	{ "f/s", FLUSHES, 1 },
	{ "avgqu-sz", QUEUE_MS, 1.0 / 1000 },
	{ "util", IO_MS, 100.0 / 1000 },
};

enum ratio { AWAIT, R_AWAIT, W_AWAIT, D_AWAIT, F_AWAIT, SVCTM, AVGRQ, RAREQ, WAREQ, DAREQ, RATIOS };

static const struct {
	const char *name;
	bool has_max;
} ratios[RATIOS] = {
	[AWAIT] = { "await", true },	 [R_AWAIT] = { "r_await", true }, [W_AWAIT] = { "w_await", true },
	[SVCTM] = { "svctm", true },	 [AVGRQ] = { "avgrq-sz", false }, [RAREQ] = { "rareq-sz", false },
	[WAREQ] = { "wareq-sz", false }, [D_AWAIT] = { "d_await", false }, [F_AWAIT] = { "f_await", false },
	[DAREQ] = { "dareq-sz", false },
};

struct disk {
	double amount[FIELDS], seconds;
	double queue_max;
	struct level ratio[RATIOS];
};

struct iostat {
	double ticks[CPU_TIMES], total;
	struct disk *disks; /* [column] */
	size_t room;
};

static void ratio(struct disk *disk, enum ratio which, double above, double below)
{
	if (below > 0)
		level_add(&disk->ratio[which], PHASE_INSIDE, above / below);
}

static void take_disk(struct disk *disk, const struct sight *s, const int rows[FIELDS], int column)
{
	double d[FIELDS], ios;
	bool any = false;

	for (int i = 0; i < FIELDS; i++) {
		if (sight_step(s, rows[i], column, &d[i]))
			any = true;
		else
			d[i] = 0;
	}
	if (!any)
		return;
	for (int i = 0; i < FIELDS; i++)
		disk->amount[i] += d[i];
	disk->seconds += s->seconds;
	ios = d[READS] + d[WRITES];
	ratio(disk, AWAIT, d[READ_MS] + d[WRITE_MS], ios);
	ratio(disk, R_AWAIT, d[READ_MS], d[READS]);
	ratio(disk, W_AWAIT, d[WRITE_MS], d[WRITES]);
	ratio(disk, D_AWAIT, d[DISCARD_MS], d[DISCARDS]);
	ratio(disk, F_AWAIT, d[FLUSH_MS], d[FLUSHES]);
	ratio(disk, SVCTM, d[IO_MS], ios);
	ratio(disk, AVGRQ, d[READ_SECTORS] + d[WRITE_SECTORS], ios);
	ratio(disk, RAREQ, d[READ_SECTORS] / 2, d[READS]);
	ratio(disk, WAREQ, d[WRITE_SECTORS] / 2, d[WRITES]);
	ratio(disk, DAREQ, d[DISCARD_SECTORS] / 2, d[DISCARDS]);
	if (d[QUEUE_MS] / (1000 * s->seconds) > disk->queue_max)
		disk->queue_max = d[QUEUE_MS] / (1000 * s->seconds);
}

static int iostat_sample(void *state, const struct sight *s)
{
	struct iostat *v = state;
	double ticks[CPU_TIMES], total;
	int rows[FIELDS];

	if (strcmp(s->track->collector, "proc-stat") == 0) {
		if (!cpu_ticks(s, track_column(s->track, ""), ticks, &total))
			return 0;
		for (int i = 0; i < CPU_TIMES; i++)
			v->ticks[i] += ticks[i];
		v->total += total;
		return 0;
	}
	if (view_room(&v->disks, &v->room, s->track->instances.count, sizeof(*v->disks)) < 0)
		return -ENOMEM;
	for (int i = 0; i < FIELDS; i++)
		rows[i] = track_row(s->track, fields[i]);
	for (int column = 0; column < (int)s->track->instances.count; column++)
		take_disk(&v->disks[column], s, rows, column);
	return 0;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_partition(const struct names *names, struct text name)
{
	struct text disk = name;

	while (disk.end > disk.at && is_digit(disk.end[-1]))
		disk.end--;
	if (disk.end == name.end || disk.end == disk.at)
		return false;
	if (disk.end - disk.at > 1 && disk.end[-1] == 'p' && is_digit(disk.end[-2])) {
		disk.end--;
		return names_find(names, disk, -1) >= 0;
	}
	return names_find(names, disk, -1) >= 0;
}

static int put_disk(const struct disk *disk, const char *name, struct stats *ret)
{
	int r = 0;

	for (size_t i = 0; i < sizeof(rates) / sizeof(*rates) && r == 0; i++)
		if (disk->amount[rates[i].field] > 0)
			r = stats_setf(ret, disk->amount[rates[i].field] * rates[i].scale / disk->seconds,
				       "iostat.%s.%s", name, rates[i].name);
	for (int i = 0; i < RATIOS && r == 0; i++) {
		const struct level *l = &disk->ratio[i];

		if (l->count == 0 || l->max <= 0)
			continue;
		r = stats_setf(ret, level_mean(l), "iostat.%s.%s", name, ratios[i].name);
		if (r == 0 && ratios[i].has_max)
			r = stats_setf(ret, l->max, "iostat.%s.%s.max", name, ratios[i].name);
	}
	if (r == 0 && disk->queue_max > 0)
		r = stats_setf(ret, disk->queue_max, "iostat.%s.avgqu-sz.max", name);
	return r;
}

static int put_cpu(const struct iostat *v, struct stats *ret)
{
	const double *t = v->ticks;
	const struct {
		const char *name;
		double ticks;
	} cpu[] = {
		{ "user", t[CPU_USER] },
		{ "nice", t[CPU_NICE] },
		{ "system", t[CPU_SYSTEM] + t[CPU_IRQ] + t[CPU_SOFTIRQ] },
		{ "iowait", t[CPU_IOWAIT] },
		{ "steal", t[CPU_STEAL] },
		{ "idle", t[CPU_IDLE] },
	};
	int r = 0;

	for (size_t i = 0; i < sizeof(cpu) / sizeof(*cpu) && r == 0; i++)
		if (v->total > 0 && cpu[i].ticks > 0)
			r = stats_setf(ret, 100 * cpu[i].ticks / v->total, "iostat.cpu.%s", cpu[i].name);
	return r;
}

static int iostat_finish(void *state, const struct view_end *end, struct stats *ret)
{
	const struct track *t = view_track(end, "diskstats");
	struct iostat *v = state;
	int r = put_cpu(v, ret);

	for (size_t column = 0; column < v->room && r == 0; column++) {
		const char *name = names_at(&t->instances, (int)column);

		if (v->disks[column].seconds > 0 && !is_partition(&t->instances, text_of(name)))
			r = put_disk(&v->disks[column], name, ret);
	}
	return r;
}

static void iostat_free(void *state)
{
	free(((struct iostat *)state)->disks);
}

static const struct view_key keys[] = {
	{ "iostat.cpu.{user,nice,system,iowait,steal,idle}",          UNIT_PERCENT,      "Share of all CPUs' time over the run; system holds interrupts, too." },
	{ "iostat.<disk>.{r/s,w/s,d/s,f/s}",                          UNIT_COUNT,        "Reads, writes, discards, flushes completed in a second." },
	{ "iostat.<disk>.{rkB/s,wkB/s,dkB/s}",                        UNIT_KIB,          "KiB read, written, discarded in a second." },
	{ "iostat.<disk>.{rrqm/s,wrqm/s,drqm/s}",                     UNIT_COUNT,        "Requests merged in a second." },
	{ "iostat.<disk>.avgqu-sz",                                   UNIT_COUNT,        "Requests in flight, on average over the run." },
	{ "iostat.<disk>.util",                                       UNIT_PERCENT,      "Share of the time in which the disk had something to do." },
	{ "iostat.<disk>.{await,r_await,w_await,d_await,f_await}",    UNIT_MILLISECONDS, "From queueing to completion, the mean over the intervals with such requests." },
	{ "iostat.<disk>.svctm",                                      UNIT_MILLISECONDS, "Time the disk was busy, by request, the mean over the intervals with requests." },
	{ "iostat.<disk>.avgrq-sz",                                   UNIT_SECTORS,      "Size of a request, the mean over the intervals with requests." },
	{ "iostat.<disk>.{rareq-sz,wareq-sz,dareq-sz}",               UNIT_KIB,          "Size of a read, write, discard, the mean over the intervals with such requests." },
	{ "iostat.<disk>.{await,r_await,w_await,svctm,avgqu-sz}.max", UNIT_NONE,         "The largest interval's." },
	{ 0 },
};

static const char *const collectors[] = { "proc-stat", "diskstats", NULL };

const struct view view_iostat = {
	"iostat", collectors, sizeof(struct iostat), iostat_sample, iostat_finish, iostat_free, keys };
