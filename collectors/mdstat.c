/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 *   Personalities : [raid1] [raid6]
 *   md6 : active raid1 sdb2[2](F) sdc[1](S) sda2[0]
 *         195310144 blocks super 1.2 [2/1] [U_]
 *         [=>...................]  recovery =  8.5% (16775552/195310144) finish=17.0min speed=259783K/sec
 *         bitmap: 3/30 pages [12KB], 65536KB chunk
 *   unused devices: <none>
 *
 * An instance is an array. What a line does not say is absent: a stripe without redundancy tells no "[2/1]", an array
 * at peace no progress. "resync=DELAYED" and the like is sync_waiting.
 */
#include <errno.h>
#include <stdlib.h>

#include "collectors/collector.h"
#include "host/procfile.h"

enum item {
	ACTIVE,
	READ_ONLY,
	BLOCKS,
	DISKS,
	DISKS_REQUIRED,
	DISKS_ACTIVE,
	DISKS_FAILED,
	DISKS_SPARE,
	DISKS_JOURNAL,
	DISKS_REPLACEMENT,
	RESYNC,
	RECOVERY,
	RESHAPE,
	CHECK,
	SYNC_WAITING,
	SYNC_BLOCKS,
	SYNC_FINISH,
	SYNC_SPEED,
	BITMAP_PAGES,
	BITMAP_PAGES_TOTAL,
	ITEMS
};

static const char *const item_names[ITEMS] = {
	[ACTIVE] = "active",
	[READ_ONLY] = "read_only",
	[BLOCKS] = "blocks",
	[DISKS] = "disks",
	[DISKS_REQUIRED] = "disks.required",
	[DISKS_ACTIVE] = "disks.active",
	[DISKS_FAILED] = "disks.failed",
	[DISKS_SPARE] = "disks.spare",
	[DISKS_JOURNAL] = "disks.journal",
	[DISKS_REPLACEMENT] = "disks.replacement",
	[RESYNC] = "resync",
	[RECOVERY] = "recovery",
	[RESHAPE] = "reshape",
	[CHECK] = "check",
	[SYNC_WAITING] = "sync_waiting",
	[SYNC_BLOCKS] = "sync_blocks",
	[SYNC_FINISH] = "sync_finish",
	[SYNC_SPEED] = "sync_speed",
	[BITMAP_PAGES] = "bitmap_pages",
	[BITMAP_PAGES_TOTAL] = "bitmap_pages_total",
};

static const struct hint hints[] = {
	/* key                 kind   unit          help                                                          exponent */
	{ "active",              GAUGE, UNIT_NONE,    "1: the array runs; 0: it does not.",                           0, FOLD_NONE },
	{ "read_only",           GAUGE, UNIT_NONE,    "1: nothing is written, not even to repair, until it is first used or set free.", 0, FOLD_NONE },
	{ "blocks",              GAUGE, UNIT_KIB,     "Size of the array.",                                           0, FOLD_NONE },
	{ "disks",               GAUGE, UNIT_COUNT,   "Disks that belong to the array, in whatever state.",           0, FOLD_NONE },
	{ "disks.required",      GAUGE, UNIT_COUNT,   "Disks that the array has when it is whole.",                   0, FOLD_NONE },
	{ "disks.active",        GAUGE, UNIT_COUNT,   "Disks that are in use and in step.",                           0, FOLD_NONE },
	{ "disks.failed",        GAUGE, UNIT_COUNT,   "Disks that failed.",                                           0, FOLD_NONE },
	{ "disks.spare",         GAUGE, UNIT_COUNT,   "Disks that wait to take the place of a failed one.",           0, FOLD_NONE },
	{ "disks.journal",       GAUGE, UNIT_COUNT,   "Disks that hold the array's journal.",                         0, FOLD_NONE },
	{ "disks.replacement",   GAUGE, UNIT_COUNT,   "Disks that are filled to replace one that still works.",       0, FOLD_NONE },
	{ "resync",              GAUGE, UNIT_PERCENT, "How far the disks have been brought in step.",                 1, FOLD_NONE },
	{ "recovery",            GAUGE, UNIT_PERCENT, "How far a spare disk has been filled.",                        1, FOLD_NONE },
	{ "reshape",             GAUGE, UNIT_PERCENT, "How far the array has been brought into another form.",        1, FOLD_NONE },
	{ "check",               GAUGE, UNIT_PERCENT, "How far the array has been checked.",                          1, FOLD_NONE },
	{ "sync_waiting",        GAUGE, UNIT_NONE,    "1: one of these waits, for another array or for the first write.", 0, FOLD_NONE },
	{ "sync_blocks",         GAUGE, UNIT_KIB,     "What of each disk the one that runs has done.",                0, FOLD_NONE },
	{ "sync_finish",         GAUGE, UNIT_SECONDS, "Time until it ends, as the kernel sees it.",                   0, FOLD_NONE },
	{ "sync_speed",          GAUGE, UNIT_KIB,     "What it does in a second.",                                    0, FOLD_NONE },
	{ "bitmap_pages",        GAUGE, UNIT_PAGES,   "Pages of the bitmap of what was written that are in memory.",  0, FOLD_NONE },
	{ "bitmap_pages_total",  GAUGE, UNIT_PAGES,   "Pages that the whole bitmap would take.",                      0, FOLD_NONE },
	{ 0 },
};

struct mdstat {
	struct procfile file;
	struct names arrays;
	struct metric metrics[ITEMS];
	struct shape shape;
};

/* ---- lines ---- */

/* "md6 : active raid1 ..."; `rest` is behind the colon. */
static bool cut_array(struct text line, struct text *name, struct text *rest)
{
	struct text colon;

	*rest = line;
	return text_len(line) > 0 && *line.at > ' ' && text_word(rest, name) && text_word(rest, &colon) &&
	       text_is(colon, ":") && !text_is(*name, "Personalities");
}

/* "[8/7]" */
static bool cut_pair(struct text word, uint64_t *first, uint64_t *second)
{
	return text_skip(&word, "[") && text_u64(&word, first) && text_skip(&word, "/") && text_u64(&word, second) &&
	       text_is(word, "]");
}

/* What a member is: a flag in parentheses behind its number. Write-mostly is no state of its own. */
static enum item state_of(struct text member)
{
	static const struct {
		const char *flag;
		enum item item;
	} states[] = {
		{ "(F)", DISKS_FAILED },
		{ "(S)", DISKS_SPARE },
		{ "(J)", DISKS_JOURNAL },
		{ "(R)", DISKS_REPLACEMENT },
	};

	for (size_t i = 0; i < sizeof(states) / sizeof(*states); i++)
		if (memmem(member.at, text_len(member), states[i].flag, 3))
			return states[i].item;
	return DISKS_ACTIVE;
}

static void take_head(struct text rest, size_t array, struct sample *out)
{
	uint64_t counts[ITEMS] = { 0 };
	struct text word;

	while (text_word(&rest, &word)) {
		if (text_is(word, "active"))
			counts[ACTIVE] = 1;
		else if (text_is(word, "(read-only)") || text_is(word, "(auto-read-only)"))
			counts[READ_ONLY] = 1;
		else if (memchr(word.at, '[', text_len(word))) {
			counts[DISKS]++;
			counts[state_of(word)]++;
		}
	}
	if (!counts[ACTIVE])
		counts[DISKS_ACTIVE] = 0;
	sample_put(out, ACTIVE, array, counts[ACTIVE]);
	sample_put(out, READ_ONLY, array, counts[READ_ONLY]);
	sample_put(out, DISKS, array, counts[DISKS]);
	for (size_t i = DISKS_ACTIVE; i <= DISKS_REPLACEMENT; i++)
		sample_put(out, i, array, counts[i]);
}

/* Behind "blocks". What is in use is told for arrays that run. */
static void take_blocks(struct text rest, size_t array, struct sample *out)
{
	bool runs = out->values[sample_slot(out, ACTIVE, array)] != 0;
	uint64_t required, active;
	struct text word;

	while (runs && text_word(&rest, &word)) {
		if (!cut_pair(word, &required, &active))
			continue;
		sample_put(out, DISKS_REQUIRED, array, required);
		sample_put(out, DISKS_ACTIVE, array, active);
	}
}

/* Behind the bar: "recovery =  8.5% (16775552/195310144) finish=17.0min speed=259783K/sec". */
static bool take_progress(struct text rest, size_t array, struct sample *out)
{
	struct text action, word;
	int64_t tenths;
	uint64_t number;

	if (!text_word(&rest, &action))
		return false;
	text_skip_blanks(&rest);
	if (!text_skip(&rest, "=") || !text_decimal(&rest, 1, &tenths) || !text_skip(&rest, "%"))
		return false;
	for (size_t i = RESYNC; i <= CHECK; i++)
		if (text_is(action, item_names[i]))
			sample_put(out, i, array, (uint64_t)tenths);
	while (text_word(&rest, &word)) {
		if (text_skip(&word, "(") && text_u64(&word, &number))
			sample_put(out, SYNC_BLOCKS, array, number);
		else if (text_skip(&word, "finish=") && text_decimal(&word, 1, &tenths))
			sample_put(out, SYNC_FINISH, array, (uint64_t)tenths * 6); /* of minutes */
		else if (text_skip(&word, "speed=") && text_u64(&word, &number))
			sample_put(out, SYNC_SPEED, array, number);
	}
	return true;
}

static bool take_bitmap(struct text rest, size_t array, struct sample *out)
{
	uint64_t pages, total;

	if (!text_u64(&rest, &pages) || !text_skip(&rest, "/") || !text_u64(&rest, &total))
		return false;
	sample_put(out, BITMAP_PAGES, array, pages);
	sample_put(out, BITMAP_PAGES_TOTAL, array, total);
	return true;
}

static bool is_waiting(struct text word)
{
	return text_ends(word, "=DELAYED") || text_ends(word, "=PENDING") || text_ends(word, "=REMOTE");
}

/* A line below an array's. False: its numbers are none. */
static bool take_detail(struct text line, size_t array, struct sample *out)
{
	struct text rest = line, word, second;
	uint64_t number;

	if (!text_word(&rest, &word))
		return true;
	if (is_waiting(word)) {
		sample_put(out, SYNC_WAITING, array, 1);
		return true;
	}
	if (*word.at == '[')
		return take_progress(rest, array, out);
	if (text_is(word, "bitmap:"))
		return take_bitmap(rest, array, out);
	if (!text_word(&rest, &second) || !text_is(second, "blocks"))
		return true;
	if (!text_u64(&word, &number) || text_len(word) > 0)
		return false;
	sample_put(out, BLOCKS, array, number);
	take_blocks(rest, array, out);
	return true;
}

/* ---- the collector ---- */

static int mdstat_open(const struct collector *self, void *state, const struct host *host, struct err *err)
{
	struct mdstat *m = state;
	struct text rest = { 0 }, line, name, behind;
	int r = procfile_open(&m->file, host, self->source, err);

	if (r == 0)
		rest = procfile_first(&m->file);
	while (r == 0 && text_line(&rest, &line))
		if (cut_array(line, &name, &behind) && names_add(&m->arrays, name) < 0)
			r = err_set(err, -ENOMEM, "%s: no memory", self->name);
	for (size_t i = 0; i < ITEMS; i++) {
		m->metrics[i].name = item_names[i];
		hint_apply(self->hints, &m->metrics[i]);
	}
	m->shape = (struct shape){
		.collector = self->name,
		.metrics = m->metrics,
		.metric_count = ITEMS,
		.instances = (const char *const *)m->arrays.at,
		.instance_count = m->arrays.count,
	};
	return r;
}

static const struct shape *mdstat_shape(const void *state)
{
	return &((const struct mdstat *)state)->shape;
}

static int mdstat_sample(void *state, struct sample *out, struct err *err)
{
	struct mdstat *m = state;
	struct text rest, line, name, behind;
	int array = -1, next = 0, bad = 0, r = procfile_read(&m->file, &rest, err);

	if (r < 0)
		return r;
	while (text_line(&rest, &line)) {
		if (cut_array(line, &name, &behind)) {
			array = names_find(&m->arrays, name, next);
			if (array < 0)
				return err_set(err, -ESTALE, "%s: new array", m->file.path);
			next = array + 1;
			if (sample_has(out, sample_slot(out, ACTIVE, (size_t)array)))
				array = -1; /* told twice: the first counts */
			else
				take_head(behind, (size_t)array, out);
		} else if (text_len(line) > 0 && *line.at > ' ') {
			array = -1;
		} else if (array >= 0 && !take_detail(line, (size_t)array, out)) {
			bad = err_set(err, -EBADMSG, "%s: no number where one belongs, of %s", m->file.path,
				      names_at(&m->arrays, array));
		}
	}
	return bad;
}

static void mdstat_close(void *state)
{
	struct mdstat *m = state;

	procfile_close(&m->file);
	names_free(&m->arrays);
}

const struct collector collector_mdstat = {
	.name = "mdstat",
	.description = "Arrays of disks, their members and how far a repair is",
	.source = "proc/mdstat",
	.hints = hints,
	.state_size = sizeof(struct mdstat),
	.open = mdstat_open,
	.shape = mdstat_shape,
	.sample = mdstat_sample,
	.close = mdstat_close,
};
