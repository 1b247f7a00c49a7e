/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 *   version 15
 *   timestamp 4295279310                     jiffies
 *   cpu0 498494191 0 3533438552 ...          of the CPU; version 14 has three fields more in front
 *   domain0 00000000,00000003 212499247 ...  CPUs it balances among; the numbers are those of the CPU above
 *   domain0 MC 00000003 212499247 ...        since version 17 with a name
 *
 * A domain's first numbers are of load_balance(), by what the CPU was at: "busy", "idle", or about to be ("newly_idle").
 * Version 16 put the busy ones first, version 17 told four kinds of imbalance apart.
 *
 * The kernel writes no field's name. Columns beyond those of a version, and all of a version that is not known here,
 * are called by their place: "field10".
 */
#include <errno.h>
#include <stdio.h>

#include "base/buf.h"
#include "collectors/layout.h"

#define VERSION_FIRST 14
#define VERSION_LAST  17

struct schedstat {
	struct layout layout; /* first: layout_sample() looks for it there */
	bool domains;
	struct pairs levels;  /* "domain0": name and CPUs, of the first CPU that has it */
};

static const struct option options[] = {
	{ "domains", OPT_BOOL, offsetof(struct schedstat, domains), "yes", "Tell also how load was balanced in each domain." },
	{ 0 },
};

static const struct hint hints[] = {
	/* key                   kind       unit              help                                          exponent, fold */
	{ "yld_both_empty",      COUNTER32, UNIT_COUNT,       "sched_yield() with no other task at all; old kernels.", 0, FOLD_SUM },
	{ "yld_act_empty",       COUNTER32, UNIT_COUNT,       "sched_yield() with no other active task; old kernels.", 0, FOLD_SUM },
	{ "yld_exp_empty",       COUNTER32, UNIT_COUNT,       "sched_yield() with no expired task; old kernels.", 0, FOLD_SUM },
	{ "yld_count",           COUNTER32, UNIT_COUNT,       "Calls of sched_yield().", 0, FOLD_SUM },
	{ "sched_switch",        COUNTER32, UNIT_COUNT,       "Switches to the expired tasks; always 0 since 3.x.", 0, FOLD_SUM },
	{ "sched_count",         COUNTER32, UNIT_COUNT,       "Calls of schedule().", 0, FOLD_SUM },
	{ "sched_goidle",        COUNTER32, UNIT_COUNT,       "Calls of schedule() that left the CPU idle.", 0, FOLD_SUM },
	{ "ttwu_count",          COUNTER32, UNIT_COUNT,       "Tasks woken up.", 0, FOLD_SUM },
	{ "ttwu_local",          COUNTER32, UNIT_COUNT,       "Tasks woken up on the CPU that woke them.", 0, FOLD_SUM },
	{ "rq_cpu_time",         COUNTER,   UNIT_NANOSECONDS, "Time in which tasks ran.", 0, FOLD_SUM },
	{ "run_delay",           COUNTER,   UNIT_NANOSECONDS, "Time in which tasks could have run and waited for the CPU.", 0, FOLD_SUM },
	{ "pcount",              COUNTER,   UNIT_COUNT,       "Times that a task began to run.", 0, FOLD_SUM },
	{ "domain*.lb_count",    COUNTER32, UNIT_COUNT,       "Looks for load to take over.", 0, FOLD_SUM },
	{ "domain*.lb_balanced", COUNTER32, UNIT_COUNT,       "Such looks that found the load balanced.", 0, FOLD_SUM },
	{ "domain*.lb_failed",   COUNTER32, UNIT_COUNT,       "Such looks that found an imbalance and could move nothing.", 0, FOLD_SUM },
	{ "domain*.lb_imbalance*", COUNTER32, UNIT_NONE,      "Imbalance found, summed up; since version 17 by kind: load, utilization, tasks, tasks on too small a CPU.", 0, FOLD_SUM },
	{ "domain*.lb_gained",   COUNTER32, UNIT_COUNT,       "Tasks taken over.", 0, FOLD_SUM },
	{ "domain*.lb_hot_gained", COUNTER32, UNIT_COUNT,     "Tasks taken over although their cache was warm.", 0, FOLD_SUM },
	{ "domain*.lb_nobusyq",  COUNTER32, UNIT_COUNT,       "Looks that found no busier CPU.", 0, FOLD_SUM },
	{ "domain*.lb_nobusyg",  COUNTER32, UNIT_COUNT,       "Looks that found no busier group.", 0, FOLD_SUM },
	{ "domain*.alb_*",       COUNTER32, UNIT_COUNT,       "Active balancing: begun, failed, or the running task pushed away.", 0, FOLD_SUM },
	{ "domain*.sbe_*",       COUNTER32, UNIT_COUNT,       "Balancing at exec: not used by the kernel since 2.6.23.", 0, FOLD_SUM },
	{ "domain*.sbf_*",       COUNTER32, UNIT_COUNT,       "Balancing at fork: not used by the kernel since 2.6.23.", 0, FOLD_SUM },
	{ "domain*.ttwu_wake_remote", COUNTER32, UNIT_COUNT,  "Tasks woken up on another CPU of the domain.", 0, FOLD_SUM },
	{ "domain*.ttwu_move_affine", COUNTER32, UNIT_COUNT,  "Tasks moved to the waking CPU, whose cache they share.", 0, FOLD_SUM },
	{ "domain*.ttwu_move_balance", COUNTER32, UNIT_COUNT, "Tasks moved to the waking CPU for balance.", 0, FOLD_SUM },
	{ "timestamp",           COUNTER,   UNIT_COUNT,       "Jiffies of the kernel when the file was read." },
	{ "*",                   COUNTER,   UNIT_NONE,        "A column that has no name here, by its place.", 0, FOLD_SUM },
	{ 0 },
};

/* Of a line "cpu0": version 14 has them all, later ones those from yld_count on. */
static const char *const of_cpu[] = { "yld_both_empty", "yld_act_empty", "yld_exp_empty", "yld_count",
				      "sched_switch",	"sched_count",	 "sched_goidle",  "ttwu_count",
				      "ttwu_local",	"rq_cpu_time",	 "run_delay",	  "pcount" };
#define OF_CPU	  12
#define ONLY_IN_14 3

/* Of a line "domain0": some for each of three states, then the rest. */
static const char *const of_look[] = { "lb_count",  "lb_balanced",   "lb_failed",  "lb_imbalance",
				       "lb_gained", "lb_hot_gained", "lb_nobusyq", "lb_nobusyg" };
static const char *const of_look_17[] = { "lb_count",		 "lb_balanced",	      "lb_failed",     "lb_imbalance_load",
					  "lb_imbalance_util",	 "lb_imbalance_task", "lb_imbalance_misfit",
					  "lb_gained",		 "lb_hot_gained",     "lb_nobusyq",    "lb_nobusyg" };
static const char *const of_rest[] = { "alb_count",  "alb_failed",   "alb_pushed", "sbe_count",
				       "sbe_balanced", "sbe_pushed", "sbf_count",  "sbf_balanced",
				       "sbf_pushed", "ttwu_wake_remote", "ttwu_move_affine", "ttwu_move_balance" };
static const char *const states[] = { "idle", "busy", "newly_idle" };
#define LOOK	8
#define LOOK_17 11
#define REST	12
#define STATES	3

static bool is_known(uint64_t version)
{
	return version >= VERSION_FIRST && version <= VERSION_LAST;
}

static const char *cpu_field(uint64_t version, size_t i)
{
	i += version > 14 ? ONLY_IN_14 : 0;
	return is_known(version) && i < OF_CPU ? of_cpu[i] : NULL;
}

/* "idle.lb_count" as two words; the first may be "". */
static const char *domain_field(uint64_t version, size_t i, const char **state)
{
	const char *const *look = version >= 17 ? of_look_17 : of_look;
	size_t looks = version >= 17 ? LOOK_17 : LOOK, nth = i / looks;

	*state = "";
	if (!is_known(version) || i >= STATES * looks + REST)
		return NULL;
	if (nth >= STATES)
		return of_rest[i - STATES * looks];
	*state = states[version >= 16 && nth < 2 ? 1 - nth : nth];
	return look[i % looks];
}

static bool is_numbered(struct text word, const char *prefix)
{
	return text_skip(&word, prefix) && word.at < word.end && *word.at >= '0' && *word.at <= '9';
}

static int name_cpu(struct layout *l, uint64_t version, const char *cpu, struct text rest, struct err *err)
{
	struct text word;
	char name[64];
	int r = 0;

	for (size_t i = 0; r == 0 && layout_next(&rest, &word); i++) {
		const char *field = cpu_field(version, i);

		(void)snprintf(name, sizeof(name), "field%zu", i + 1);
		r = layout_name(l, field ? field : name, cpu, err);
	}
	return r;
}

static int name_domain(struct layout *l, uint64_t version, const char *cpu, struct text domain, struct text rest,
		       struct err *err)
{
	struct text word;
	char name[96];
	int r = 0;

	for (size_t i = 0; r == 0 && layout_next(&rest, &word); i++) {
		const char *state, *field = domain_field(version, i, &state);

		if (field)
			(void)snprintf(name, sizeof(name), "%.*s.%s%s%s", TEXT_ARGS(domain), state, *state ? "." : "",
				       field);
		else
			(void)snprintf(name, sizeof(name), "%.*s.field%zu", TEXT_ARGS(domain), i + 1);
		r = layout_name(l, name, cpu, err);
	}
	return r;
}

/* What it is, without its numbers: "MC 00000003". */
static int note_level(struct schedstat *s, struct text domain, struct text level, struct err *err)
{
	cleanup_buf struct buf name = { 0 }, value = { 0 };

	(void)buf_add_text(&name, domain);
	(void)buf_add_text(&value, text_trim(level));
	if (name.failed || value.failed ||
	    (!pairs_get(&s->levels, name.data) && pairs_set(&s->levels, name.data, value.data) < 0))
		return err_set(err, -ENOMEM, "schedstat: no memory");
	return 0;
}

static int learn_domain(struct schedstat *s, uint64_t version, const char *cpu, struct text line, struct err *err)
{
	struct text rest = line, domain, word = { 0 };
	int r;

	(void)text_word(&rest, &domain);
	/* Its CPUs are eight hexadecimal digits and commas; a name in front of them is what begins otherwise. */
	if (text_word(&rest, &word) && version >= 17)
		(void)text_word(&rest, &word);
	r = layout_begin(&s->layout, (struct text){ line.at, rest.at }, err);
	if (r < 0 || text_len(domain) > 32)
		return r < 0 ? r : err_set(err, -EBADMSG, "%s: no number after domain", s->layout.file.path);
	r = note_level(s, domain, (struct text){ domain.end, rest.at }, err);
	return r < 0 ? r : name_domain(&s->layout, version, cpu, domain, rest, err);
}

static int learn_line(struct schedstat *s, uint64_t *version, struct buf *cpu, struct text line, struct err *err)
{
	struct text rest = line, word;
	int r;

	if (!text_word(&rest, &word))
		return layout_begin(&s->layout, line, err);
	if (text_is(word, "version") && text_u64(&rest, version))
		return layout_begin(&s->layout, line, err);
	if (is_numbered(word, "domain") && cpu->len > 0 && s->domains)
		return learn_domain(s, *version, cpu->data, line, err);
	r = layout_begin(&s->layout, (struct text){ line.at, word.end }, err);
	if (r < 0)
		return r;
	if (is_numbered(word, "cpu")) {
		buf_clear(cpu);
		if (buf_add_text(cpu, word) < 0)
			return err_set(err, -ENOMEM, "schedstat: no memory");
		return name_cpu(&s->layout, *version, cpu->data, rest, err);
	}
	if (text_is(word, "timestamp") && layout_next(&rest, &word))
		r = layout_name(&s->layout, "timestamp", "", err);
	while (r == 0 && layout_next(&rest, &word))
		r = layout_name(&s->layout, NULL, NULL, err);
	return r;
}

static int schedstat_open(const struct collector *self, void *state, const struct host *host, struct err *err)
{
	cleanup_buf struct buf cpu = { 0 };
	struct schedstat *s = state;
	struct text rest = { 0 }, line;
	uint64_t version = 0;
	int r = layout_open(&s->layout, self, host, err);

	if (r == 0)
		rest = procfile_first(&s->layout.file);
	while (r == 0 && text_line(&rest, &line))
		r = learn_line(s, &version, &cpu, line, err);
	layout_end(&s->layout);
	return r;
}

static int schedstat_notes(const void *state, struct pairs *ret)
{
	return pairs_copy(ret, &((const struct schedstat *)state)->levels);
}

static void schedstat_close(void *state)
{
	pairs_free(&((struct schedstat *)state)->levels);
	layout_close(state);
}

const struct collector collector_schedstat = {
	.name = "schedstat",
	.description = "How tasks were scheduled, woken up and moved, by CPU",
	.source = "proc/schedstat",
	.options = options,
	.hints = hints,
	.state_size = sizeof(struct schedstat),
	.interval_ms = 10000,
	.dear = true, /* a line for each CPU and each domain it is in */
	.open = schedstat_open,
	.shape = layout_shape,
	.sample = layout_sample,
	.close = schedstat_close,
	.notes = schedstat_notes,
};
