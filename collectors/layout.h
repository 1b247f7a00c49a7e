/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files in which only the numbers change, and what stands between them is as it was at open:
 *
 *   Node 0, zone      DMA      3      1      2      2       proc/buddyinfo
 *           protection: (0, 2900, 32000)                    proc/zoneinfo
 *   Node    0, zone   DMA, type  Movable  >100000  12       proc/pagetypeinfo
 *
 *   TCP: inuse 4 orphan 0 tw 4 alloc 17 mem 1               proc/net/sockstat
 *
 * At open the collector tells of each line how it begins, and names the words behind: a number of a metric and an
 * instance, a word that stays as it is, or nothing. A sample walks along the lines with one comparison a
 * line and no look-up.
 *
 * Words stand between blanks, commas, parentheses and '>', which the kernel puts before a number that it did not count
 * to the end. Numbers may be negative; those of a metric with an exponent are decimals.
 *
 * Another beginning, another number of words, a line more or less: -ESTALE; what is there is learnt anew, and a new
 * generation begins. Of two numbers of one name the first counts. A word that must be a number and is none is -EBADMSG,
 * naming its line; all others are put.
 */
#ifndef ASSAY_COLLECTORS_LAYOUT_H
#define ASSAY_COLLECTORS_LAYOUT_H

#include "collectors/collector.h"
#include "host/procfile.h"

#define LAYOUT_NOTHING UINT32_MAX

struct layout_line {
	uint32_t beginning; /* row of `beginnings` */
	uint32_t words;
};

struct layout_word {
	uint32_t metric, instance; /* no metric: a row of `beginnings` that it must be; neither: passed over */
};

struct layout {
	const struct collector *collector;
	bool (*skip)(struct text line); /* lines that may come, go and change unseen, which are none of these; or NULL */
	struct procfile file;
	struct names beginnings, names, instances;
	struct layout_line *lines;
	struct layout_word *words;
	struct metric *metrics;
	size_t line_count, line_room, word_count, word_room, metric_room;
	struct shape shape;
};

/* Opens `source`, whose lines are procfile_first(&l->file). */
int layout_open(struct layout *l, const struct collector *self, const struct host *host, struct err *err);

/* The next line begins so; it ends there, or a word follows. */
int layout_begin(struct layout *l, struct text beginning, struct err *err);

/* Its next word. `metric` NULL: nothing. */
int layout_name(struct layout *l, const char *metric, const char *instance, struct err *err);

/* Its next word is and stays this one. */
int layout_word(struct layout *l, struct text word, struct err *err);

/* The next word of `rest`; false at the end of the line. */
bool layout_next(struct text *rest, struct text *word);

/* Name all words of `rest` "<prefix>0", "<prefix>1" ... */
int layout_name_all(struct layout *l, struct text rest, const char *prefix, const char *instance, struct err *err);

void layout_end(struct layout *l);

const struct shape *layout_shape(const void *state); /* the state begins with its struct layout */
int layout_sample(void *state, struct sample *out, struct err *err);

/* Of a collector that has several files, and opens and reads them itself: one of them is the lines [from, to). */
struct layout_part {
	const char *path;
	size_t from, to, first_word;
};

int layout_take(struct layout *l, const struct layout_part *part, struct text text, struct sample *out,
		struct err *err);
void layout_close(void *state);

#define LAYOUT_STATE .shape = layout_shape, .sample = layout_sample, .close = layout_close

#endif
