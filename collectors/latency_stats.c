/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 *   Latency Top version : v0.1
 *   21 128 87 ep_poll.constprop.0 do_epoll_wait __x64_sys_epoll_wait       hits, all and longest us, and where
 *
 * The functions joined by points, without what the compiler put behind their names (".isra.0", ".constprop.0",
 * ".part.0"), are the chain: the instance. Lines of one chain add up; the longest is the longest of them.
 *
 * The kernel counts only while proc/sys/kernel/latencytop is 1. Before a command that is wrapped it is switched on and
 * the file cleared; at the end it is what it was. Without a command nothing is written. The file tells all that
 * happened since it was cleared: the sample at the end, which finds new chains, is of another generation.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/buf.h"
#include "collectors/collector.h"
#include "collectors/digits.h"
#include "host/procfile.h"

#define SWITCH "proc/sys/kernel/latencytop"

enum { HITS, SUM, MAX, METRICS };

struct latency_stats {
	bool enable;
	bool opened, switched_on, cleared;
	const struct host *host;
	struct procfile file;
	struct names lines; /* what stands behind the numbers */
	uint32_t *chains;   /* [line] its instance */
	size_t room;
	struct names instances;
	struct metric metrics[METRICS];
	struct shape shape;
};

static const struct option options[] = {
	{ "enable", OPT_BOOL, offsetof(struct latency_stats, enable), "yes",
	  "Set " SWITCH " to 1 and clear the file while a command is wrapped." },
	{ 0 },
};

static const struct hint hints[] = {
	/* key    kind     unit               help */
	{ "hits", COUNTER, UNIT_COUNT,        "How often tasks slept there." },
	{ "sum",  COUNTER, UNIT_MICROSECONDS, "How long all of that was." },
	{ "max",  GAUGE,   UNIT_MICROSECONDS, "The longest of it." },
	{ 0 },
};

/* ---- lines ---- */

/* Three numbers, then functions. False: another line. */
static bool cut_line(struct text line, uint64_t values[METRICS], struct text *functions)
{
	const char *at = line.at;

	for (int i = 0; i < METRICS; i++) {
		at = number_u64(at, line.end, &values[i]);
		if (!at || !is_number_end(at, line.end))
			return false;
	}
	*functions = text_trim((struct text){ at, line.end });
	return text_len(*functions) > 0;
}

/* ".isra.0" at the end of a name: without it. */
static struct text without_suffix(struct text name)
{
	static const char *const added[] = { ".isra", ".constprop", ".part" };
	bool cut = true;

	while (cut) {
		struct text rest = name;

		while (rest.end > rest.at && rest.end[-1] >= '0' && rest.end[-1] <= '9')
			rest.end--;
		cut = false;
		if (rest.end == name.end || !text_ends(rest, "."))
			break;
		rest.end--;
		for (size_t i = 0; i < sizeof(added) / sizeof(*added) && !cut; i++)
			if (text_ends(rest, added[i]) && text_len(rest) > strlen(added[i])) {
				name.end = rest.end - strlen(added[i]);
				cut = true;
			}
	}
	return name;
}

/* ---- open ---- */

static int no_memory(struct err *err)
{
	return err_set(err, -ENOMEM, "latency_stats: no memory");
}

static int learn_line(struct latency_stats *l, struct text functions, struct buf *chain)
{
	size_t count = l->lines.count;
	int row = names_add(&l->lines, functions), instance;
	struct text word;
	uint32_t *chains;

	if (row < 0 || (size_t)row < count)
		return row;
	buf_clear(chain);
	while (text_word(&functions, &word)) {
		if (chain->len > 0)
			(void)buf_putc(chain, '.');
		(void)buf_add_text(chain, without_suffix(word));
	}
	instance = chain->failed ? -ENOMEM : names_add(&l->instances, buf_text(chain));
	if (count == l->room) {
		size_t room = count ? 2 * count : 64;

		chains = realloc(l->chains, room * sizeof(*chains));
		if (!chains)
			return -ENOMEM;
		l->chains = chains;
		l->room = room;
	}
	l->chains[row] = (uint32_t)instance;
	return instance;
}

/* On, and all that is counted is the run's. Not to be had on a machine whose kernel was built without it. */
static int begin(struct latency_stats *l, struct err *err)
{
	cleanup_buf struct buf before = { .ceiling = 64 };
	struct err ignored;
	int r = host_read(l->host, SWITCH, &before, err);

	if (r < 0 || !l->host->live)
		return l->host->live ? r : 0;
	if (text_is(text_trim(buf_text(&before)), "0")) {
		if (!l->enable || !l->host->command)
			return err_set(err, -ENODATA, SWITCH " is 0: the kernel does not count; it is set to 1 while a "
						      "command is wrapped");
		r = host_write(l->host, SWITCH, "1", err);
		if (r < 0)
			return r;
		l->switched_on = true;
	}
	if (l->enable && l->host->command)
		l->cleared = host_write(l->host, "proc/latency_stats", "0", &ignored) == 0;
	return 0;
}

static int latency_stats_open(const struct collector *self, void *state, const struct host *host, struct err *err)
{
	cleanup_buf struct buf chain = { 0 };
	struct latency_stats *l = state;
	struct text rest = { 0 }, line, functions;
	uint64_t ignored[METRICS];
	int r = 0;

	l->host = host;
	if (!l->opened)
		r = begin(l, err);
	l->opened = true;
	if (r == 0)
		r = procfile_open(&l->file, host, self->source, err);
	if (r < 0)
		return r;
	rest = procfile_first(&l->file);
	while (r >= 0 && text_line(&rest, &line))
		if (cut_line(line, ignored, &functions))
			r = learn_line(l, functions, &chain);
	for (int i = 0; i < METRICS; i++) {
		l->metrics[i].name = hints[i].key;
		hint_apply(self->hints, &l->metrics[i]);
	}
	l->shape = (struct shape){
		.collector = self->name,
		.metrics = l->metrics,
		.metric_count = METRICS,
		.instances = (const char *const *)l->instances.at,
		.instance_count = l->instances.count,
	};
	return r < 0 ? no_memory(err) : 0;
}

static void latency_stats_inherit(void *state, void *old)
{
	struct latency_stats *l = state, *before = old;

	l->opened = before->opened;
	l->cleared = before->cleared;
	l->switched_on = before->switched_on;
	before->switched_on = false;
}

static const struct shape *latency_stats_shape(const void *state)
{
	return &((const struct latency_stats *)state)->shape;
}

/* ---- sample ---- */

static void add(struct sample *out, uint32_t instance, const uint64_t values[METRICS])
{
	for (uint32_t i = 0; i < METRICS; i++) {
		size_t slot = sample_slot(out, i, instance);
		uint64_t before = sample_has(out, slot) ? (uint64_t)out->values[slot] : 0;

		if (i != MAX)
			sample_put(out, i, instance, before + values[i]);
		else
			sample_put(out, i, instance, before > values[i] ? before : values[i]);
	}
}

static int latency_stats_sample(void *state, struct sample *out, struct err *err)
{
	struct latency_stats *l = state;
	struct text rest, line, functions;
	uint64_t values[METRICS];
	int guess = 0, r = procfile_read(&l->file, &rest, err);

	if (r < 0)
		return r;
	while (text_line(&rest, &line)) {
		if (!cut_line(line, values, &functions))
			continue;
		r = names_find(&l->lines, functions, guess);
		if (r < 0)
			return err_set(err, -ESTALE, "%s: a new chain", l->file.path);
		guess = r + 1 < (int)l->lines.count ? r + 1 : 0;
		add(out, l->chains[r], values);
	}
	return 0;
}

static int latency_stats_notes(const void *state, struct pairs *ret)
{
	return pairs_set(ret, "cleared", ((const struct latency_stats *)state)->cleared ? "yes" : "no");
}

static void latency_stats_close(void *state)
{
	struct latency_stats *l = state;
	struct err ignored;

	if (l->switched_on)
		(void)host_write(l->host, SWITCH, "0", &ignored);
	procfile_close(&l->file);
	names_free(&l->lines);
	names_free(&l->instances);
	free(l->chains);
}

const struct collector collector_latency_stats = {
	.name = "latency_stats",
	.description = "Where tasks slept in the kernel, and how long",
	.source = "proc/latency_stats",
	.options = options,
	.hints = hints,
	.state_size = sizeof(struct latency_stats),
	.interval_ms = 86400000, /* at both ends of a run; once a day else */
	.dear = true,
	.open = latency_stats_open,
	.shape = latency_stats_shape,
	.sample = latency_stats_sample,
	.close = latency_stats_close,
	.notes = latency_stats_notes,
	.inherit = latency_stats_inherit,
};
