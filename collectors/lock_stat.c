/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 *   lock_stat version 0.4
 *   ----------------
 *                     class name    con-bounces    contentions   waittime-min ...      the columns
 *   ----------------
 *               &mm->mmap_sem-W:             46             84           0.26 ...      a class: its numbers, times in us
 *               ---------------
 *                 &mm->mmap_sem             84          [<ffffffff811502a7>] vm_munmap+0x41/0x80    who waited
 *               ---------------
 *                 &mm->mmap_sem             37          [<ffffffff81046fda>] dup_mmap+0x2a/0x3f0    who held it then
 *
 * Instances are "&mm->mmap_sem-W", and for each function "&mm->mmap_sem.contentions.vm_munmap" and
 * "&mm->mmap_sem.contending.dup_mmap" with their only number, "times"; places in one function add up. Blanks in a
 * class's name are left out.
 *
 * The file is cleared before a command that is wrapped, where that is allowed. It tells all that happened since: a class
 * that is not there has not been contended. So the sample at the end, which finds new ones, is of another generation.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/buf.h"
#include "collectors/collector.h"
#include "collectors/digits.h"
#include "collectors/grow.h"
#include "collectors/lock_stat_line.h"
#include "collectors/only_root.h"
#include "host/procfile.h"

#define NOTHING	     UINT32_MAX
#define COLUMNS_MOST 16

struct point {
	uint32_t function; /* row of `functions` */
	uint32_t instance;
	uint32_t next; /* of its class: number + 1; 0: none */
	bool holds;
};

struct class {
	uint32_t instance; /* NOTHING: it has only points */
	uint32_t first, last; /* of `points`: number + 1; 0: none */
};

struct lock_stat {
	bool clear;
	bool cleared, opened;
	const struct collector *collector;
	struct procfile file;
	struct names classes; /* as the file spells them */
	struct names functions;
	struct names instances;
	struct class *of;
	struct point *points;
	size_t class_room, point_room, point_count, column_count;
	struct names columns;
	struct metric metrics[COLUMNS_MOST + 1];
	size_t times; /* the metric of points */
	struct shape shape;
};

static const struct option options[] = {
	{ "clear", OPT_BOOL, offsetof(struct lock_stat, clear), "yes",
	  "Clear proc/lock_stat before a wrapped command, so that the shortest and longest times are of the run." },
	{ 0 },
};

static const struct hint hints[] = {
	/* key              kind     unit               help                                                    exponent */
	{ "con-bounces",    COUNTER, UNIT_COUNT,        "Contentions on another CPU than the time before." },
	{ "contentions",    COUNTER, UNIT_COUNT,        "Acquisitions that had to wait." },
	{ "waittime-min",   GAUGE,   UNIT_MICROSECONDS, "The shortest wait for the lock.",                          2 },
	{ "waittime-max",   GAUGE,   UNIT_MICROSECONDS, "The longest wait for the lock.",                           2 },
	{ "waittime-total", COUNTER, UNIT_MICROSECONDS, "All waiting for the lock.",                                2 },
	{ "waittime-avg",   GAUGE,   UNIT_MICROSECONDS, "A wait for the lock on average.",                          2 },
	{ "acq-bounces",    COUNTER, UNIT_COUNT,        "Acquisitions on another CPU than the time before." },
	{ "acquisitions",   COUNTER, UNIT_COUNT,        "How often the lock was taken." },
	{ "holdtime-min",   GAUGE,   UNIT_MICROSECONDS, "The shortest time that the lock was held.",                2 },
	{ "holdtime-max",   GAUGE,   UNIT_MICROSECONDS, "The longest time that the lock was held.",                 2 },
	{ "holdtime-total", COUNTER, UNIT_MICROSECONDS, "All time that the lock was held.",                         2 },
	{ "holdtime-avg",   GAUGE,   UNIT_MICROSECONDS, "A hold of the lock on average.",                           2 },
	{ "times",          COUNTER, UNIT_COUNT,        "How often the function waited for the lock, or held it while another waited." },
	{ "*-total",        COUNTER, UNIT_MICROSECONDS, "A time that is summed up.",                                2 },
	{ "*time-*",        GAUGE,   UNIT_MICROSECONDS, "A time.",                                                  2 },
	{ "*",              COUNTER, UNIT_COUNT,        "What the kernel counts under that name." },
	{ 0 },
};

/* ---- open ---- */

static int no_memory(struct err *err)
{
	return err_set(err, -ENOMEM, "lock_stat: no memory");
}

static int add_instance(struct lock_stat *l, struct text class, const char *what, struct text function)
{
	cleanup_buf struct buf name = { 0 };

	for (const char *at = class.at; at < class.end; at++)
		if (!is_blank(*at))
			(void)buf_putc(&name, *at);
	(void)buf_puts(&name, what);
	if (buf_add_text(&name, function) < 0)
		return -ENOMEM;
	return names_add(&l->instances, buf_text(&name));
}

static int learn_class(struct lock_stat *l, struct text class, bool has_numbers)
{
	size_t count = l->classes.count;
	int row = names_add(&l->classes, class), instance;

	if (row < 0 || ((size_t)row == count && !grow(&l->of, count, &l->class_room, sizeof(*l->of))))
		return -ENOMEM;
	if ((size_t)row == count)
		l->of[row] = (struct class){ .instance = NOTHING };
	if (!has_numbers || l->of[row].instance != NOTHING)
		return row;
	instance = add_instance(l, class, "", (struct text){ class.end, class.end });
	l->of[row].instance = (uint32_t)instance;
	return instance < 0 ? instance : row;
}

static int learn_point(struct lock_stat *l, const struct lock_stat_line *parts, bool holds)
{
	int row = learn_class(l, parts->class, false), function, instance;
	struct class *class;

	if (row < 0)
		return row;
	function = names_add(&l->functions, parts->function);
	instance = add_instance(l, parts->class, holds ? ".contending." : ".contentions.", parts->function);
	if (function < 0 || instance < 0 || !grow(&l->points, l->point_count, &l->point_room, sizeof(*l->points)))
		return -ENOMEM;
	l->points[l->point_count++] = (struct point){ (uint32_t)function, (uint32_t)instance, 0, holds };
	class = &l->of[row];
	if (class->last)
		l->points[class->last - 1].next = (uint32_t)l->point_count;
	else
		class->first = (uint32_t)l->point_count;
	class->last = (uint32_t)l->point_count;
	return 0;
}

static int learn_columns(struct lock_stat *l, struct text line)
{
	struct text word;

	if (!text_skip(&line, "class name") || l->columns.count > 0)
		return 0;
	while (l->columns.count < COLUMNS_MOST && text_word(&line, &word))
		if (names_add(&l->columns, word) < 0)
			return -ENOMEM;
	return 0;
}

static int learn(struct lock_stat *l, struct text rest)
{
	struct text line;
	unsigned dashes = 0;
	int r = 0;

	while (r >= 0 && text_line(&rest, &line)) {
		struct lock_stat_line parts;

		switch (lock_stat_line(line, &parts)) {
		case LOCK_STAT_DASHES:
			dashes++;
			break;
		case LOCK_STAT_CLASS:
			dashes = 0;
			r = learn_class(l, parts.class, true);
			break;
		case LOCK_STAT_POINT:
			r = learn_point(l, &parts, dashes > 1);
			break;
		default:
			r = learn_columns(l, text_trim(line));
		}
	}
	return r < 0 ? r : 0;
}

static void make_shape(struct lock_stat *l)
{
	l->column_count = l->columns.count;
	for (size_t i = 0; i <= l->column_count; i++) {
		l->metrics[i].name = i < l->column_count ? names_at(&l->columns, (int)i) : "times";
		hint_apply(l->collector->hints, &l->metrics[i]);
	}
	l->times = l->column_count;
	l->shape = (struct shape){
		.collector = l->collector->name,
		.metrics = l->metrics,
		.metric_count = l->column_count + 1,
		.instances = (const char *const *)l->instances.at,
		.instance_count = l->instances.count,
	};
}

static int lock_stat_open(const struct collector *self, void *state, const struct host *host, struct err *err)
{
	struct lock_stat *l = state;
	struct err ignored;
	int r;

	l->collector = self;
	if (l->clear && !l->opened && host->command)
		l->cleared = host_write(host, self->source, "0", &ignored) == 0;
	l->opened = true;
	r = procfile_open(&l->file, host, self->source, err);
	if (r < 0)
		return only_root_explain(self, r, err);
	r = learn(l, procfile_first(&l->file));
	make_shape(l);
	return r < 0 ? no_memory(err) : 0;
}

static void lock_stat_inherit(void *state, void *old)
{
	struct lock_stat *l = state;
	const struct lock_stat *before = old;

	l->opened = before->opened;
	l->cleared = before->cleared;
}

static const struct shape *lock_stat_shape(const void *state)
{
	return &((const struct lock_stat *)state)->shape;
}

/* ---- sample ---- */

static int take_class(const struct lock_stat *l, const struct class *class, const struct lock_stat_line *parts, const char *end,
		      struct sample *out, struct err *err)
{
	const char *at = parts->numbers;

	for (size_t i = 0; i < l->column_count; i++) {
		uint64_t value;

		at = digits_decimal(skip_blanks(at, end), end, l->metrics[i].exponent, &value);
		if (!at || !is_number_end(at, end))
			return err_set(err, -EBADMSG, "%s: no number for %s of %.*s", l->file.path, l->metrics[i].name,
				       TEXT_ARGS(parts->class));
		if (!sample_has(out, sample_slot(out, i, class->instance)))
			sample_put(out, i, class->instance, value);
	}
	return 0;
}

static int take_point(const struct lock_stat *l, const struct class *class, const struct lock_stat_line *parts, bool holds,
		      struct sample *out, struct err *err)
{
	uint64_t value;

	if (!digits_u64(parts->numbers, parts->function.at, &value))
		return err_set(err, -EBADMSG, "%s: no number for %.*s", l->file.path, TEXT_ARGS(parts->function));
	for (uint32_t i = class->first; i; i = l->points[i - 1].next) {
		const struct point *point = &l->points[i - 1];
		size_t slot = sample_slot(out, l->times, point->instance);

		if (point->holds != holds ||
		    !text_same(parts->function,
			       text_n(l->functions.at[point->function], l->functions.length[point->function])))
			continue;
		sample_put(out, l->times, point->instance,
			   value + (sample_has(out, slot) ? (uint64_t)out->values[slot] : 0));
		return 0;
	}
	return err_set(err, -ESTALE, "%s: a new place", l->file.path);
}

static int lock_stat_sample(void *state, struct sample *out, struct err *err)
{
	struct lock_stat *l = state;
	struct text rest, line;
	unsigned dashes = 0;
	int bad = 0, guess = 0, r = procfile_read(&l->file, &rest, err);

	if (r < 0)
		return r;
	while (text_line(&rest, &line)) {
		struct lock_stat_line parts;
		enum lock_stat_kind kind = lock_stat_line(line, &parts);

		dashes = kind == LOCK_STAT_CLASS ? 0 : dashes + (kind == LOCK_STAT_DASHES);
		if (kind != LOCK_STAT_CLASS && kind != LOCK_STAT_POINT)
			continue;
		r = names_find(&l->classes, parts.class, guess);
		if (r < 0 || (kind == LOCK_STAT_CLASS && l->of[r].instance == NOTHING))
			return err_set(err, -ESTALE, "%s: a new class", l->file.path);
		guess = r + 1 < (int)l->classes.count ? r + 1 : 0;
		r = kind == LOCK_STAT_CLASS ? take_class(l, &l->of[r], &parts, line.end, out, err)
				       : take_point(l, &l->of[r], &parts, dashes > 1, out, err);
		if (r == -ESTALE)
			return r;
		bad = r < 0 ? r : bad;
	}
	return bad;
}

static int lock_stat_notes(const void *state, struct pairs *ret)
{
	return pairs_set(ret, "cleared", ((const struct lock_stat *)state)->cleared ? "yes" : "no");
}

static void lock_stat_close(void *state)
{
	struct lock_stat *l = state;

	procfile_close(&l->file);
	names_free(&l->classes);
	names_free(&l->functions);
	names_free(&l->instances);
	names_free(&l->columns);
	free(l->of);
	free(l->points);
}

const struct collector collector_lock_stat = {
	.name = "lock_stat",
	.description = "Waiting for and holding of the kernel's locks, by class and function",
	.source = "proc/lock_stat",
	.options = options,
	.hints = hints,
	.state_size = sizeof(struct lock_stat),
	.interval_ms = 86400000, /* at both ends of a run; once a day else */
	.dear = true,
	.probe = only_root_probe,
	.open = lock_stat_open,
	.shape = lock_stat_shape,
	.sample = lock_stat_sample,
	.close = lock_stat_close,
	.notes = lock_stat_notes,
	.inherit = lock_stat_inherit,
};
