/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One run from its first frame to its last delivery. */
#include "agent/agent.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/command.h"
#include "agent/courier.h"
#include "agent/kernel_log.h"
#include "agent/marks.h"
#include "agent/recorder.h"
#include "agent/sampler.h"
#include "agent/usage.h"
#include "base/axes.h"
#include "base/take.h"
#include "host/clock.h"
#include "host/limits.h"

#define SECOND      UINT64_C(1000000000)
#define TICK        SECOND
#define SEAL        (5 * SECOND)
#define OUTPUT_KEPT ((size_t)8 << 20)
#define GRACE       (10 * SECOND)
#define KERNEL_LOG_KEPT ((size_t)1 << 20)
#define GRACE_LOCAL (2 * SECOND)

#define FRESH_NS UINT64_C(50000000) /* so the opening snapshot does not read again what opening just read */

struct agent {
	const struct agent_plan *plan;
	struct host host; /* the plan's, with the command's process */
	struct signals signals;
	struct command command;
	struct spool spool;
	struct recorder recorder;
	struct courier courier;
	struct sampler sampler;
	struct kernel_log kernel_log;
	struct marks marks;
	struct keep keep[2];
	struct command_end end;
	uint64_t started_ns, ended_ns;
	bool end_marked;
	double cpu_before_s; /* this run's share of the process begins here */
};

static void on_ready(void *context, uint32_t sequence)
{
	struct agent *a = context;

	courier_ready(&a->courier, sequence);
}

static void on_output(void *context, const struct run_output *output)
{
	struct agent *a = context;

	recorder_output(&a->recorder, output);
}

static void on_result(void *context, const struct run_result *result)
{
	struct agent *a = context;

	recorder_result(&a->recorder, result);
}

static void on_stopped(void *context, bool stopped)
{
	struct agent *a = context;

	recorder_mark(&a->recorder, stopped ? MARK_COMMAND_STOP : MARK_COMMAND_CONTINUE, "");
}

static void on_ended(void *context)
{
	struct agent *a = context;

	a->ended_ns = clock_monotonic();
	a->end_marked = recorder_mark_at(&a->recorder, a->ended_ns, MARK_COMMAND_END);
	sampler_stop(&a->sampler);
	sampler_whole(&a->sampler);
	kernel_log_stop(&a->kernel_log);
	marks_stop(&a->marks);
}

static const char *fact(const struct agent_plan *plan, const char *name)
{
	const char *value = pairs_get(&plan->facts, name);

	return value ? value : "";
}

static const char *testcase_of(const struct agent_plan *plan)
{
	const char *axis = pairs_get(&plan->axes, "testcase");
	const char *slash = strrchr(plan->command[0], '/');

	return axis ? axis : slash ? slash + 1 : plan->command[0];
}

/* ---- beginning ---- */

static void equip(struct agent *a)
{
	const struct agent_plan *plan = a->plan;

	a->recorder = (struct recorder){
		.spool = &a->spool,
		.header = {
			.run = plan->run,
			.host = fact(plan, "host.name"),
			.boot_id = fact(plan, "host.boot_id"),
			.agent_version = ASSAY_VERSION,
			.tick_ns = plan->tick_ns ? plan->tick_ns : TICK,
		},
		.seal_ns = plan->seal_ns ? plan->seal_ns : SEAL,
		.ready = on_ready,
		.ready_context = a,
		.notice = plan->notice,
		.notice_context = plan->notice_context,
	};
	a->sampler = (struct sampler){
		.host = &a->host,
		.recorder = &a->recorder,
		.tick_ns = a->recorder.header.tick_ns,
		.retry_ns = SAMPLER_RETRY_NS,
		.notice = plan->notice,
		.notice_context = plan->notice_context,
	};
	a->kernel_log = (struct kernel_log){ .host = &a->host, .recorder = &a->recorder, .limit = KERNEL_LOG_KEPT };
	a->courier.spool = &a->spool;
	a->courier.notice = plan->notice;
	a->courier.notice_context = plan->notice_context;
	if (!plan->url) {
		a->courier.destination.deliver = plan->deliver;
		a->courier.destination.context = plan->deliver_context;
	}
}

static int open_keeps(struct agent *a, struct err *err)
{
	size_t limit = a->plan->output_kept ? a->plan->output_kept : OUTPUT_KEPT;
	int r = keep_open(&a->keep[0], OUTPUT_STDOUT, limit, on_output, a, err);

	return r < 0 ? r : keep_open(&a->keep[1], OUTPUT_STDERR, limit, on_output, a, err);
}

/* Between the opening snapshot and the command lies nothing but its start. */
static int start_command(struct agent *a, struct agent_outcome *ret, struct err *err)
{
	int r;

	sampler_whole(&a->sampler);
	recorder_mark(&a->recorder, MARK_COMMAND_START, "");
	a->started_ns = clock_monotonic();
	r = command_go(&a->command, a->plan->command[0], err);
	ret->not_run = r < 0;
	return r;
}

/* ---- end ---- */

static void say(struct agent *a, const char *text)
{
	recorder_log(&a->recorder, "agent", text);
	if (a->plan->notice)
		a->plan->notice(a->plan->notice_context, text);
}

static void tell_number(struct agent *a, const char *key, uint64_t number)
{
	const struct run_result result = { .key = key, .value = (double)number, .unit = "" };

	recorder_result(&a->recorder, &result);
}

static void tell_end(struct agent *a)
{
	char text[160];

	if (a->end.timed_out)
		say(a, LOG_TIME_LIMIT);
	if (a->end.held_open)
		say(a, "a process that outlives the command holds its output open; what it prints is not kept");
	if (a->end.left_behind) {
		(void)snprintf(text, sizeof(text), "%zu processes of the command are still there", a->end.left_behind);
		say(a, text);
	}
	if (a->end.not_shown) {
		(void)snprintf(text, sizeof(text), "output of the command could not be passed on: %s",
			       err_name(a->end.not_shown));
		say(a, text);
	}
	usage_tell(testcase_of(a->plan), &a->end, a->plan->host->page_size, on_result, a);
	usage_tell_own(a->cpu_before_s, on_result, a);
	tell_number(a, "agent.ticks_missed", atomic_load(&a->sampler.missed));
	tell_number(a, "agent.collector_errors", atomic_load(&a->sampler.errors));
	if (a->kernel_log.lost || a->kernel_log.dropped)
		tell_number(a, "agent.kernel_log_lost", a->kernel_log.lost + a->kernel_log.dropped);
}

/* What could not be delivered waits on the disk. */
static void seal_what_is_left(struct agent *a)
{
	struct spool_segment *at = NULL;
	size_t count = 0;
	struct err err;
	int r = spool_list(&a->spool, &at, &count, &err);

	for (size_t i = 0; r == 0 && i < count; i++)
		if (at[i].open && !at[i].sealed && !at[i].refused)
			(void)spool_seal(&a->spool, at[i].sequence, &err); /* stays open, and `assay push` recovers it */
	free(at);
}

static void finish(struct agent *a, struct agent_outcome *ret)
{
	const struct agent_plan *plan = a->plan;
	uint64_t grace = plan->grace_ns ? plan->grace_ns : plan->url ? GRACE : GRACE_LOCAL;

	spool_spend_reserve(&a->spool);
	if (!a->end_marked)
		(void)recorder_mark_at(&a->recorder, a->ended_ns, MARK_COMMAND_END);
	tell_end(a);
	ret->timed_out = a->end.timed_out;
	ret->elapsed_ns = a->end.elapsed_ns;
	ret->end = (struct run_end){
		.exited = true,
		.exit_code = a->end.exit_code,
		.signal = a->end.signal,
		.ticks_missed = atomic_load(&a->sampler.missed),
		.bytes_dropped = recorder_dropped(&a->recorder),
		.output_dropped = keep_dropped(&a->keep[0]) + keep_dropped(&a->keep[1]),
		.collector_errors = atomic_load(&a->sampler.errors),
	};
	ret->segments = recorder_finish(&a->recorder, &ret->end);
	ret->undelivered = courier_finish(&a->courier, grace);
	if (ret->undelivered)
		seal_what_is_left(a);
	ret->delivery = a->courier.last;
	if (a->courier.refused)
		ret->undelivered_why = "refused by the other side";
	else if (ret->undelivered)
		ret->undelivered_why = "not delivered in time";
}

/* The command was not run: nothing of it is kept. */
static void abandon(struct agent *a)
{
	const struct run_end end = { 0 };
	uint32_t last = recorder_finish(&a->recorder, &end);

	for (uint32_t sequence = 1; sequence <= last; sequence++)
		spool_drop(&a->spool, sequence);
}

/* What the collectors have to say of themselves; they are open. */
static int tell_notes(struct agent *a, struct err *err)
{
	struct pairs no_axes = { 0 }, notes = { 0 };
	int r = sampler_notes(&a->sampler, &notes);

	if (r == 0 && notes.count)
		recorder_facts(&a->recorder, &no_axes, &notes);
	pairs_free(&notes);
	return r < 0 ? err_set(err, r, "no memory for the run's facts") : 0;
}

static int run_sampled(struct agent *a, struct agent_outcome *ret, struct err *err)
{
	struct command_watch watch = {
		.signals = &a->signals,
		.keep = { &a->keep[0], &a->keep[1] },
		.timeout_ns = a->plan->timeout_ns,
		.stopped = on_stopped,
		.ended = on_ended,
		.context = a,
	};
	struct err why;
	int r;

	recorder_facts(&a->recorder, &a->plan->axes, &a->plan->facts);
	if (marks_start(&a->marks, a->spool.folder, &a->recorder, &why) < 0)
		say(a, why.text);
	kernel_log_start(&a->kernel_log);
	r = sampler_open(&a->sampler, a->plan->choices, a->plan->choice_count, err);
	if (r < 0)
		goto out;
	r = tell_notes(a, err);
	if (r == 0)
		r = start_command(a, ret, err);
	if (r == 0) {
		/* It runs, and is not ended for what fails now. */
		watch.started_ns = a->started_ns;
		if (sampler_start(&a->sampler, &why) < 0 || courier_start(&a->courier, &why) < 0)
			say(a, why.text);
		command_attend(&a->command, &watch, &a->end);
	}
	sampler_close(&a->sampler);
out:
	kernel_log_stop(&a->kernel_log);
	marks_stop(&a->marks);
	return r;
}

static int run_spooled(struct agent *a, struct agent_outcome *ret, struct err *err)
{
	int r = recorder_start(&a->recorder, err);

	if (r < 0)
		return r;
	r = run_sampled(a, ret, err);
	if (r == 0)
		finish(a, ret);
	else
		abandon(a);
	return r;
}

static int run_forked(struct agent *a, struct agent_outcome *ret, struct err *err)
{
	const struct agent_plan *plan = a->plan;
	cleanup_buf struct buf to = { 0 };
	int r = open_keeps(a, err);

	if (r == 0 && (plan->url ? buf_puts(&to, plan->url) :
				   buf_printf(&to, "local:%s", plan->deliver_to ? plan->deliver_to : "")) < 0)
		r = err_set(err, -ENOMEM, "spool %s: no memory", plan->spool);
	if (r == 0)
		r = spool_open(&a->spool, plan->spool, &plan->run, to.data, plan->spool_ceiling, err);
	if (r < 0)
		return r;
	courier_open(&a->courier);
	r = run_spooled(a, ret, err);
	courier_close(&a->courier);
	spool_close(&a->spool);
	return r;
}

/*
 * Collectors keep a file open for each CPU or node. As many as may be are ours while the run goes on; the command was
 * forked before and has what the user gave it.
 */
static int run_with_files(struct agent *a, struct agent_outcome *ret, struct err *err)
{
	struct rlimit before;
	bool raised = limits_raise_files(&before);
	int r = run_forked(a, ret, err);

	if (raised)
		limits_restore_files(&before);
	return r;
}

static int fork_command(struct agent *a, struct err *err)
{
	char *before;
	int r = marks_offer(a->plan->spool, &a->plan->run, &before, err);

	if (r < 0)
		return r;
	r = command_fork(&a->command, a->plan->command, &a->signals, a->plan->quiet, err);
	marks_withdraw(before);
	return r;
}

int agent_run(const struct agent_plan *plan, struct agent_outcome *ret, struct err *err)
{
	struct agent a = { .plan = plan, .host = *plan->host, .cpu_before_s = usage_own_seconds() };
	int r;

	a.host.fresh_ns = FRESH_NS;
	*ret = (struct agent_outcome){ 0 };
	equip(&a);
	r = axes_check(&plan->axes, err); /* what a store would refuse when the run is over */
	if (r == 0 && plan->url)
		r = shipper_open(&a.courier.destination.shipper, plan->url, err);
	if (r == 0)
		r = signals_take(&a.signals, err);
	if (r < 0)
		goto out;
	r = fork_command(&a, err);
	if (r == 0) {
		a.host.command = a.command.pid;
		r = run_with_files(&a, ret, err);
		command_close(&a.command);
	}
	signals_give_back(&a.signals);
out:
	keep_close(&a.keep[0]);
	keep_close(&a.keep[1]);
	shipper_close(a.courier.destination.shipper);
	return r;
}
