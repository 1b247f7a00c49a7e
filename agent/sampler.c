/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/sampler.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "host/clock.h"

#define SECOND       UINT64_C(1000000000)
#define CLOCK_STEP   ((int64_t)SECOND / 2) /* the wall clock moved: more than it is ever slewed in a tick */
#define SLEPT        ((int64_t)SECOND / 10)

/* ---- one collector ---- */

static void tell(struct sampler *s, const struct asked *a, const char *text)
{
	char line[400];

	recorder_log(s->recorder, a->choice->collector->name, text);
	(void)snprintf(line, sizeof(line), "%s: %s", a->choice->collector->name, text);
	if (s->notice)
		s->notice(s->notice_context, line);
}

static bool gave_something(const struct asked *a)
{
	const struct sample *sample = &a->run.sample;
	size_t words = (shape_slots(&a->run.shape) + 63) / 64;

	for (size_t i = 0; a->run.is_open && i < words; i++)
		if (sample->present[i])
			return true;
	return false;
}

/* What only changes too fast to be read, or asks for it, is asked again at its next tick, what cannot be had after a while. */
static void fail(struct sampler *s, struct asked *a, uint64_t now, const struct err *err)
{
	(void)atomic_fetch_add(&s->errors, 1);
	if (!a->failing)
		tell(s, a, err->text);
	a->failing = true;
	a->retry_ns = err->code == -ESTALE || err->code == -EAGAIN || gave_something(a) ? 0 : now + s->retry_ns;
}

/* Its sample, also when only part of it could be had. False: there is nothing of it. */
static bool ask(struct sampler *s, struct asked *a, struct sample *ret)
{
	uint64_t now = clock_monotonic();
	struct err err;
	int r;

	if (now < a->retry_ns)
		return false;
	r = collector_run_sample(&a->run, &err);
	if (r < 0) {
		fail(s, a, now, &err);
		if (a->retry_ns)
			return false;
	} else if (a->failing) {
		a->failing = false;
		a->retry_ns = 0;
		tell(s, a, "works again");
	}
	if (shape_slots(&a->run.shape) == 0)
		return false; /* open, with nothing to measure: no block device, no node */
	*ret = a->run.sample;
	return true;
}

/* ---- snapshots ---- */

/* Suspend moves CLOCK_BOOTTIME, and whoever sets the clock CLOCK_REALTIME, against CLOCK_MONOTONIC. */
static void look_at_clocks(struct sampler *s, bool first)
{
	char value[32];
	int64_t monotonic = (int64_t)clock_monotonic();
	int64_t suspended = (int64_t)clock_boottime() - monotonic;
	int64_t wall = (int64_t)clock_realtime() - monotonic;
	int64_t slept = suspended - s->suspended_ns;
	int64_t step = wall - s->wall_ns - slept; /* the wall clock goes on in sleep */

	if (!first && slept > SLEPT) {
		(void)snprintf(value, sizeof(value), "%" PRId64 ".%03" PRId64, slept / (int64_t)SECOND,
			       slept % (int64_t)SECOND / 1000000);
		recorder_mark(s->recorder, MARK_SUSPEND, value);
	}
	if (!first && (step > CLOCK_STEP || step < -CLOCK_STEP)) {
		uint64_t size = step < 0 ? (uint64_t)-step : (uint64_t)step;

		(void)snprintf(value, sizeof(value), "%s%" PRIu64 ".%03" PRIu64, step < 0 ? "-" : "+", size / SECOND,
			       size % SECOND / 1000000);
		recorder_mark(s->recorder, MARK_CLOCK, value);
	}
	s->suspended_ns = suspended;
	s->wall_ns = wall;
}

void sampler_whole(struct sampler *s)
{
	struct snapshot snapshot = { .monotonic_ns = clock_monotonic(), .samples = s->samples };

	look_at_clocks(s, s->start_ns == 0);
	if (s->start_ns == 0)
		s->start_ns = snapshot.monotonic_ns;
	else
		snapshot.tick = (snapshot.monotonic_ns - s->start_ns) / s->tick_ns + 1; /* the next one's */
	for (size_t i = 0; i < 2; i++)
		for (size_t n = 0; n < s->lane[i].count; n++)
			if (!s->lane[i].at[n].levels)
				snapshot.count += ask(s, &s->lane[i].at[n], &s->samples[snapshot.count]);
	recorder_snapshot(s->recorder, &snapshot);
}

static void count_missed(struct sampler *s, uint64_t missed)
{
	char value[32];

	if (missed == 0)
		return;
	(void)atomic_fetch_add(&s->missed, missed);
	(void)snprintf(value, sizeof(value), "%" PRIu64, missed);
	recorder_mark(s->recorder, MARK_MISSED, value);
}

static void serve(struct lane *lane, const struct due *due, uint64_t now)
{
	struct sampler *s = lane->sampler;
	struct snapshot snapshot = {
		.tick = due->tick * lane->step,
		.monotonic_ns = now,
		.lateness_ns = due->lateness_ns,
		.samples = lane->samples,
	};

	if (lane == &s->lane[0] || s->lane[0].count == 0)
		look_at_clocks(s, false);
	count_missed(s, due->missed);
	for (size_t i = 0; i < lane->count; i++) {
		struct asked *a = &lane->at[i];

		if (snapshot.tick < a->due)
			continue;
		a->due = (snapshot.tick / a->every + 1) * a->every;
		snapshot.count += ask(s, a, &lane->samples[snapshot.count]);
	}
	recorder_snapshot(s->recorder, &snapshot);
}

/* False: stop. */
static bool sleep_until(struct sampler *s, uint64_t deadline_ns)
{
	const struct timespec at = { (time_t)(deadline_ns / SECOND), (long)(deadline_ns % SECOND) };
	bool stopping;

	(void)pthread_mutex_lock(&s->mutex);
	while (!s->stopping && clock_monotonic() < deadline_ns)
		(void)pthread_cond_timedwait(&s->stop, &s->mutex, &at);
	stopping = s->stopping;
	(void)pthread_mutex_unlock(&s->mutex);
	return !stopping;
}

/* The levels that the opening snapshot left out. */
static void serve_levels(struct lane *lane)
{
	uint64_t later = lane->schedule.start_ns + SAMPLER_LATER_NS;
	struct due due = { 0 };
	bool any = false;

	for (size_t i = 0; i < lane->count; i++)
		any |= lane->at[i].levels;
	/* With a short interval the first tick is soon enough. */
	if (any && later < schedule_deadline(&lane->schedule) && sleep_until(lane->sampler, later))
		serve(lane, &due, clock_monotonic());
}

static void *work(void *context)
{
	struct lane *lane = context;

	serve_levels(lane);
	while (sleep_until(lane->sampler, schedule_deadline(&lane->schedule))) {
		uint64_t now = clock_monotonic();
		struct due due = schedule_take(&lane->schedule, now);

		serve(lane, &due, now);
	}
	return NULL;
}

/* ---- the whole ---- */

static uint64_t ticks_of(const struct sampler *s, const struct collector_choice *choice)
{
	uint64_t ms = choice->collector->interval_ms ? choice->collector->interval_ms : 1000;
	uint64_t ns = choice->interval_ns ? choice->interval_ns : ms * 1000000;

	return ns <= s->tick_ns ? 1 : (ns + s->tick_ns - 1) / s->tick_ns;
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

static void add(struct sampler *s, struct lane *lane, const struct collector_choice *choice)
{
	struct asked *a = &lane->at[lane->count++];
	struct err err;

	a->choice = choice;
	a->every = a->due = ticks_of(s, choice);
	lane->step = common_divisor(lane->step, a->every);
	a->levels = choice->collector->dear && collector_is_of_levels(choice->collector);
	if (a->levels) {
		a->due = 0;
		collector_run_later(&a->run, choice->collector, s->host, choice->options);
		return;
	}
	if (collector_run_open(&a->run, choice->collector, s->host, choice->options, &err) < 0)
		fail(s, a, clock_monotonic(), &err);
}

int sampler_open(struct sampler *s, const struct collector_choice *choices, size_t count, struct err *err)
{
	pthread_condattr_t attributes;

	(void)pthread_mutex_init(&s->mutex, NULL);
	(void)pthread_condattr_init(&attributes);
	(void)pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	(void)pthread_cond_init(&s->stop, &attributes);
	(void)pthread_condattr_destroy(&attributes);
	s->samples = calloc(count + 1, sizeof(*s->samples));
	for (size_t i = 0; i < 2; i++) {
		struct lane *lane = &s->lane[i];

		lane->sampler = s;
		lane->at = calloc(count + 1, sizeof(*lane->at));
		lane->samples = calloc(count + 1, sizeof(*lane->samples));
		if (!s->samples || !lane->at || !lane->samples) {
			sampler_close(s);
			return err_set(err, -ENOMEM, "no memory for %zu collectors", count);
		}
	}
	for (size_t i = 0; i < count; i++)
		add(s, &s->lane[choices[i].collector->dear], &choices[i]);
	return 0;
}

int sampler_notes(const struct sampler *s, struct pairs *ret)
{
	int r = 0;

	for (size_t i = 0; i < 2; i++)
		for (size_t n = 0; n < s->lane[i].count && r == 0; n++)
			r = collector_run_notes(&s->lane[i].at[n].run, ret);
	return r;
}

int sampler_start(struct sampler *s, struct err *err)
{
	for (size_t i = 0; i < 2; i++) {
		struct lane *lane = &s->lane[i];
		int r;

		if (lane->count == 0)
			continue;
		lane->schedule = (struct schedule){ s->start_ns, lane->step * s->tick_ns, 1 };
		r = pthread_create(&lane->thread, NULL, work, lane);
		if (r != 0) {
			sampler_stop(s);
			return err_set(err, -r, "no thread to sample: %s", err_name(r));
		}
		lane->running = true;
	}
	return 0;
}

void sampler_stop(struct sampler *s)
{
	(void)pthread_mutex_lock(&s->mutex);
	s->stopping = true;
	(void)pthread_cond_broadcast(&s->stop);
	(void)pthread_mutex_unlock(&s->mutex);
	for (size_t i = 0; i < 2; i++) {
		if (s->lane[i].running)
			(void)pthread_join(s->lane[i].thread, NULL);
		s->lane[i].running = false;
	}
}

void sampler_close(struct sampler *s)
{
	for (size_t i = 0; i < 2; i++) {
		for (size_t n = 0; n < s->lane[i].count; n++)
			collector_run_close(&s->lane[i].at[n].run);
		free(s->lane[i].at);
		free(s->lane[i].samples);
		s->lane[i] = (struct lane){ 0 };
	}
	free(s->samples);
	s->samples = NULL;
	(void)pthread_cond_destroy(&s->stop);
	(void)pthread_mutex_destroy(&s->mutex);
}
