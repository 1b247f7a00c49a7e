/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sys/kernel/debug/sched/debug, before 5.13 proc/sched_debug:
 *
 *   ktime                      : 1548135.062045      ktime, 1548135062045 with exponent 6
 *   sysctl_sched                                     a block
 *     .sysctl_sched_features   : 2059067             sysctl_sched.sysctl_sched_features
 *   cpu#3, 2400.000 MHz                              the block "cpu" of the instance "3"
 *     .nr_uninterruptible      : -6                  cpu.nr_uninterruptible
 *   cfs_rq[3]:/system.slice                          the block "cfs_rq:/system.slice" of the instance "3"
 *     .load                    : 1048576 (text)      cfs_rq:/system.slice.load
 *   cfs_rq[3]:/autogroup-12                          passed over, with what is in it
 *   runnable tasks:                                  passed over, up to the next CPU
 *
 * A control group that goes is absent; one that comes is a new generation. What comes between opening and the sample
 * that follows is told by the sample after it. A name with blanks is kept whole. A field that is no number at open is
 * passed over; one that is none later is -EBADMSG, and the others are put.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/take.h"
#include "collectors/collector.h"
#include "collectors/grow.h"
#include "collectors/sched_debug_text.h"
#include "host/procfile.h"

#define NOTHING	    UINT32_MAX
#define SLOTS_MOST  ((size_t)1 << 20) /* more than that: without the groups */

struct field {
	uint32_t word;   /* row of `words` */
	uint32_t metric; /* NOTHING: no number */
};

struct block {
	size_t first, count; /* of `fields` */
	uint32_t instance;
};

struct sched_debug {
	bool groups;
	const struct collector *collector;
	struct procfile file;
	struct names headings; /* of the blocks, as they stand in the file; "" is what stands before the first */
	struct block *blocks;
	struct field *fields;
	struct names words; /* of the fields */
	struct names names, instances;
	struct metric *metrics;
	size_t block_room, field_room, field_count, metric_room;
	size_t left_out; /* numbers of groups */
	bool opened; /* and not sampled yet */
	struct shape shape;
};

static const char *const paths[] = { "sys/kernel/debug/sched/debug", "proc/sched_debug" };

static const struct option options[] = {
	{ "groups", OPT_BOOL, offsetof(struct sched_debug, groups), "yes",
	  "Tell of the queues of control groups, too, and not only of the root's." },
	{ 0 },
};

static const struct hint hints[] = {
	/* key                        kind   unit               help */
	{ "sysctl_sched.*",           GAUGE, UNIT_NONE,         "A setting of the scheduler; times in ms." },
	{ "ktime",                    GAUGE, UNIT_MILLISECONDS, "The monotonic clock." },
	{ "*sched_clk",               GAUGE, UNIT_MILLISECONDS, "The scheduler's clock." },
	{ "*cpu_clk",                 GAUGE, UNIT_MILLISECONDS, "The scheduler's clock, made equal on all CPUs." },
	{ "*jiffies",                 GAUGE, UNIT_COUNT,        "Ticks of the kernel." },
	{ "cpu.nr_running",           GAUGE, UNIT_COUNT,        "Tasks that run or could." },
	{ "cpu.nr_switches",          GAUGE, UNIT_COUNT,        "Context switches since the boot." },
	{ "cpu.nr_load_updates",      GAUGE, UNIT_COUNT,        "How often the load was taken." },
	{ "cpu.nr_uninterruptible",   GAUGE, UNIT_COUNT,        "Tasks that fell asleep here uninterruptibly less those that woke up here; may be negative." },
	{ "cpu.next_balance",         GAUGE, UNIT_NONE,         "When load is balanced next, in millions of jiffies." },
	{ "cpu.curr->pid",            GAUGE, UNIT_NONE,         "The task that runs." },
	{ "cpu.clock*",               GAUGE, UNIT_MILLISECONDS, "The queue's clock." },
	{ "cpu.cpu_load?*",           GAUGE, UNIT_NONE,         "Load, averaged over ever longer times; old kernels." },
	{ "cpu.yld_count",            GAUGE, UNIT_COUNT,        "Calls of sched_yield() since the boot." },
	{ "cpu.sched_count",          GAUGE, UNIT_COUNT,        "Calls of schedule() since the boot." },
	{ "cpu.sched_goidle",         GAUGE, UNIT_COUNT,        "Calls of schedule() that left the CPU idle, since the boot." },
	{ "cpu.avg_idle",             GAUGE, UNIT_NANOSECONDS,  "How long the CPU is idle at a time." },
	{ "cpu.max_idle_balance_cost", GAUGE, UNIT_NANOSECONDS, "What a look for load has cost at most." },
	{ "cpu.ttwu_*",               GAUGE, UNIT_COUNT,        "Tasks woken up, and those of them by this CPU, since the boot." },
	{ "*.nr_*running",            GAUGE, UNIT_COUNT,        "Tasks in the queue." },
	{ "*.nr_*",                   GAUGE, UNIT_COUNT,        "Tasks or groups in the queue, by kind." },
	{ "*.h_nr_*",                 GAUGE, UNIT_COUNT,        "Tasks in the queue and the groups below it, by kind." },
	{ "*.removed.*",              GAUGE, UNIT_NONE,         "Load and utilization of tasks that left and are not subtracted yet." },
	{ "*.load*",                  GAUGE, UNIT_NONE,         "Weight of the tasks in the queue, now or averaged; 1024 is one task of nice 0." },
	{ "*load_avg*",               GAUGE, UNIT_NONE,         "Averaged load; 1024 is one task of nice 0." },
	{ "*runnable_avg",            GAUGE, UNIT_NONE,         "How much of the time tasks ran or waited; 1024 is all of it, by one task." },
	{ "*runnable_weight",         GAUGE, UNIT_NONE,         "Weight of the tasks that run or could." },
	{ "*util_*",                  GAUGE, UNIT_NONE,         "Averaged or estimated utilization of the CPU; 1024 is all of it." },
	{ "*vruntime",                GAUGE, UNIT_MILLISECONDS, "Virtual time of the queue or of a task in it." },
	{ "*deadline",                GAUGE, UNIT_MILLISECONDS, "Virtual deadline of a task in the queue." },
	{ "*spread*",                 GAUGE, UNIT_MILLISECONDS, "How far virtual times in the queue lie apart." },
	{ "*exec*",                   GAUGE, UNIT_MILLISECONDS, "Time that was run." },
	{ "*.se->statistics.*",       GAUGE, UNIT_MILLISECONDS, "Waiting and sleeping of the group." },
	{ "*.throttle*",              GAUGE, UNIT_COUNT,        "1: the group has used up its quota." },
	{ "rt_rq:*.rt_throttled",     GAUGE, UNIT_COUNT,        "1: real-time tasks have used up their share." },
	{ "rt_rq:*.rt_time",          GAUGE, UNIT_MILLISECONDS, "What real-time tasks used in this period." },
	{ "rt_rq:*.rt_runtime",       GAUGE, UNIT_MILLISECONDS, "What real-time tasks may use in a period." },
	{ "dl_rq:*",                  GAUGE, UNIT_NONE,         "Deadline tasks: how many, and the bandwidth that is promised to them." },
	{ "*",                        GAUGE, UNIT_NONE,         "As the kernel names it." },
	{ 0 },
};

static bool is_passed_over(const struct sched_debug *s, struct text heading)
{
	return sched_debug_is_autogroup(heading) || (!s->groups && sched_debug_is_group(heading));
}

/* ---- open ---- */

static int no_memory(struct err *err)
{
	return err_set(err, -ENOMEM, "sched_debug: no memory");
}

/* The block that begins here, or NULL: it was there before, and the first one counts. -ENOMEM in *failed. */
static struct block *learn_block(struct sched_debug *s, struct text heading, bool *failed)
{
	struct text before, number, behind;
	size_t count = s->headings.count;
	int row = names_add(&s->headings, heading), instance = 0;

	if (row >= 0 && (size_t)row < count)
		return NULL;
	if (row >= 0 && sched_debug_number(heading, &before, &number, &behind))
		instance = names_add(&s->instances, number);
	*failed = row < 0 || instance < 0 || !grow(&s->blocks, count, &s->block_room, sizeof(*s->blocks));
	if (*failed)
		return NULL;
	s->blocks[row] = (struct block){ .first = s->field_count, .instance = (uint32_t)instance };
	return &s->blocks[row];
}

static int learn_metric(struct sched_debug *s, struct text heading, struct text field, struct text value)
{
	cleanup_buf struct buf name = { 0 };
	struct text before = heading, number, behind = { heading.end, heading.end };
	size_t count = s->names.count;
	int row;

	if (!sched_debug_number(heading, &before, &number, &behind))
		before = heading;
	(void)buf_add_text(&name, before);
	(void)buf_add_text(&name, behind);
	if (name.len > 0)
		(void)buf_putc(&name, '.');
	if (buf_add_text(&name, field) < 0)
		return -ENOMEM;
	row = names_add(&s->names, buf_text(&name));
	if (row < 0 || (size_t)row < count)
		return row;
	if (!grow(&s->metrics, count, &s->metric_room, sizeof(*s->metrics)))
		return -ENOMEM;
	s->metrics[row] = (struct metric){ .name = names_at(&s->names, row) };
	hint_apply(s->collector->hints, &s->metrics[row]);
	s->metrics[row].exponent = sched_debug_decimals(value);
	return row;
}

static int learn_field(struct sched_debug *s, struct block *block, struct text heading, struct text name,
		       struct text value)
{
	int word = names_add(&s->words, name), metric = 0;
	bool is_number = sched_debug_value(value.at, value.end, sched_debug_decimals(value), &(uint64_t){ 0 });

	if (is_number)
		metric = learn_metric(s, heading, name, value);
	if (word < 0 || metric < 0 || !grow(&s->fields, s->field_count, &s->field_room, sizeof(*s->fields)))
		return -ENOMEM;
	s->fields[s->field_count++] = (struct field){ (uint32_t)word, is_number ? (uint32_t)metric : NOTHING };
	block->count++;
	return 0;
}

static int learn(struct sched_debug *s, struct text rest, struct err *err)
{
	struct text line, heading = { rest.at, rest.at }, name, next;
	bool failed = names_add(&s->instances, text_of("")) < 0, in_tasks = false;
	struct block *block = failed ? NULL : learn_block(s, heading, &failed);
	const char *value;

	while (!failed && text_line(&rest, &line)) {
		if (!in_tasks && sched_debug_field(line, text_len(heading) == 0, &name, &value)) {
			failed = block && learn_field(s, block, heading, name, (struct text){ value, line.end }) < 0;
			continue;
		}
		if (!sched_debug_heading(line, text_len(heading) == 0, in_tasks, &next))
			continue;
		heading = next;
		in_tasks = text_starts(line, SCHED_DEBUG_TASKS);
		block = in_tasks || is_passed_over(s, heading) ? NULL : learn_block(s, heading, &failed);
	}
	return failed ? no_memory(err) : 0;
}

static void forget(struct sched_debug *s)
{
	free(s->blocks);
	free(s->fields);
	free(s->metrics);
	names_free(&s->headings);
	names_free(&s->words);
	names_free(&s->names);
	names_free(&s->instances);
	s->blocks = NULL;
	s->fields = NULL;
	s->metrics = NULL;
	s->block_room = s->field_room = s->field_count = s->metric_room = 0;
}

static int open_file(struct sched_debug *s, const struct host *host, struct err *err)
{
	struct err second;
	int r = procfile_open(&s->file, host, paths[0], err);

	if (r < 0 && procfile_open(&s->file, host, paths[1], &second) == 0)
		return 0;
	return r;
}

static int sched_debug_open(const struct collector *self, void *state, const struct host *host, struct err *err)
{
	struct sched_debug *s = state;
	size_t slots;
	int r;

	s->collector = self;
	s->opened = true;
	r = open_file(s, host, err);
	if (r == 0)
		r = learn(s, procfile_first(&s->file), err);
	slots = s->names.count * s->instances.count;
	if (r == 0 && slots > SLOTS_MOST && s->groups) {
		s->groups = false;
		forget(s);
		r = learn(s, procfile_first(&s->file), err);
		s->left_out = slots - s->names.count * s->instances.count;
	}
	s->shape = (struct shape){
		.collector = self->name,
		.metrics = s->metrics,
		.metric_count = s->names.count,
		.instances = (const char *const *)s->instances.at,
		.instance_count = s->instances.count,
	};
	return r;
}

static const struct shape *sched_debug_shape(const void *state)
{
	return &((const struct sched_debug *)state)->shape;
}

/* ---- sample ---- */

struct place {
	const struct block *block; /* NULL: its fields are passed over, or new */
	size_t next;               /* the field that is expected */
	bool is_new, in_head;
};

static const struct field *find_field(const struct sched_debug *s, const struct place *place, struct text name)
{
	const struct block *block = place->block;

	for (size_t i = 0; i < block->count; i++) {
		const struct field *field = &s->fields[block->first + (place->next + i) % block->count];

		if (s->words.length[field->word] == text_len(name) &&
		    memcmp(s->words.at[field->word], name.at, text_len(name)) == 0)
			return field;
	}
	return NULL;
}

static int take_field(const struct sched_debug *s, struct place *place, struct text name, struct text value,
		      struct sample *out, struct err *err)
{
	const struct field *field;
	const struct metric *metric;
	uint64_t number;
	size_t slot;

	if (!place->block)
		return place->is_new ? err_set(err, -ESTALE, "%s: a new block", s->file.path) : 0;
	field = find_field(s, place, name);
	if (!field)
		return err_set(err, -ESTALE, "%s: a new field %.*s", s->file.path, TEXT_ARGS(name));
	place->next = (size_t)(field - s->fields) - place->block->first + 1;
	if (field->metric == NOTHING)
		return 0;
	metric = &s->metrics[field->metric];
	if (!sched_debug_value(value.at, value.end, metric->exponent, &number))
		return err_set(err, -EBADMSG, "%s: no number for %s", s->file.path, metric->name);
	slot = sample_slot(out, field->metric, place->block->instance);
	if (!sample_has(out, slot))
		sample_put(out, field->metric, place->block->instance, number);
	return 0;
}

static void enter(const struct sched_debug *s, struct place *place, struct text heading, size_t *guess)
{
	int row;

	*place = (struct place){ 0 };
	if (is_passed_over(s, heading))
		return;
	row = names_find(&s->headings, heading, (int)*guess);
	place->is_new = row < 0;
	if (row < 0)
		return;
	place->block = &s->blocks[row];
	*guess = (size_t)row + 1 < s->headings.count ? (size_t)row + 1 : 0;
}

static int sched_debug_sample(void *state, struct sample *out, struct err *err)
{
	struct sched_debug *s = state;
	struct place place = { .block = s->blocks, .in_head = true };
	struct text rest, line, name, heading;
	bool in_tasks = false, fresh = s->opened;
	size_t guess = 1;
	const char *value;
	int bad = 0, r = procfile_read(&s->file, &rest, err);

	if (r < 0)
		return r;
	s->opened = false;
	while (text_line(&rest, &line)) {
		if (!in_tasks && sched_debug_field(line, place.in_head, &name, &value)) {
			r = take_field(s, &place, name, (struct text){ value, line.end }, out, err);
			if (r == -ESTALE && !fresh)
				return r;
			bad = r == -EBADMSG ? r : bad;
			continue;
		}
		if (!sched_debug_heading(line, place.in_head, in_tasks, &heading))
			continue;
		in_tasks = text_starts(line, SCHED_DEBUG_TASKS);
		enter(s, &place, heading, &guess);
	}
	return bad;
}

static int sched_debug_probe(const struct collector *self, const struct host *host, struct err *err)
{
	int r = 0;

	for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++) {
		cleanup_fd int fd = host_open(host, paths[i]);

		if (fd >= 0)
			return 0;
		if (i == 0 || r == -ENOENT)
			r = err_set(err, fd, "%s: %s%s", paths[i], err_name(fd),
				    fd == -EACCES || fd == -EPERM ? ": only root may read it" : "");
	}
	return r;
}

static int sched_debug_notes(const void *state, struct pairs *ret)
{
	const struct sched_debug *s = state;

	return s->left_out ? pairs_setf(ret, "without.groups", "%zu numbers of control groups are too many", s->left_out)
			   : 0;
}

static void sched_debug_close(void *state)
{
	struct sched_debug *s = state;

	forget(s);
	procfile_close(&s->file);
}

const struct collector collector_sched_debug = {
	.name = "sched_debug",
	.description = "The scheduler's queues, by CPU and control group",
	.source = "sys/kernel/debug/sched/debug proc/sched_debug",
	.options = options,
	.hints = hints,
	.state_size = sizeof(struct sched_debug),
	.interval_ms = 60000,
	.dear = true, /* the kernel walks all tasks for it */
	.probe = sched_debug_probe,
	.open = sched_debug_open,
	.shape = sched_debug_shape,
	.sample = sched_debug_sample,
	.close = sched_debug_close,
	.notes = sched_debug_notes,
};
