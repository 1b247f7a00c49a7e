/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rates, totals and ratios of perf-stat: by hand, by printed reports, and beside what the test robot makes of `perf stat`. */
#include "tests/analysis/play.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/number.h"
#include "analysis/perf_formulas.h"
#include "tests/support/shared.h"

#define MILLISECOND 1000000LL

#define EVENT(name)   { name, COUNTER, UNIT_COUNT, 0, FOLD_NONE }
#define CLOCK(name)   { name, COUNTER, UNIT_NANOSECONDS, 0, FOLD_NONE }
#define COUNTED(name) { name ".counted", GAUGE, UNIT_COUNT, 0, FOLD_NONE }

static const char *const one_pmu[] = { "cpu" };
static const struct metric core_metrics[] = {
	EVENT("cpu-cycles"), EVENT("instructions"), CLOCK("cpu-cycles.enabled"), CLOCK("cpu-cycles.running"),
	COUNTED("cpu-cycles"), CLOCK("task-clock"),
};
static const struct shape core = { "perf-stat", 1, core_metrics, 6, one_pmu, 1 };

static void rates_are_means_of_intervals_and_ratios_those_of_the_sums(void **state)
{
	struct play p;

	play_open(&p);
	PLAY(&p, &core, 10, 0, 0, 0, 0, 2, 0);
	play_mark(&p, MARK_COMMAND_START, 10);
	PLAY(&p, &core, 11, 100, 300, 1, 1, 2, 1000 * MILLISECOND);
	PLAY(&p, &core, 13, 500, 500, 2, 2, 2, 3000 * MILLISECOND);
	play_mark(&p, MARK_COMMAND_END, 14.9);
	PLAY(&p, &core, 15, 1100, 800, 3, 3, 2, 5000 * MILLISECOND);
	play_end(&p, 0, 0);
	play_finish(&p);
	expect(&p, "perf-stat.i.cpu-cycles", (100.0 + 200 + 300) / 3);
	expect(&p, "perf-stat.i.instructions", (300.0 + 100 + 150) / 3);
	expect(&p, "perf-stat.i.ipc", (3 + 0.5 + 0.5) / 3);
	expect(&p, "perf-stat.i.cpi", (1.0 / 3 + 2 + 2) / 3);
	expect(&p, "perf-stat.i.task-clock", 1000);
	expect(&p, "perf-stat.ps.cpu-cycles", 1100.0 / 5);
	expect(&p, "perf-stat.total.instructions", 800);
	expect(&p, "perf-stat.overall.ipc", 800.0 / 1100);
	expect(&p, "perf-stat.i.metric.GHz", (100.0 + 200 + 300) / 3 / 1e9);
	expect_none(&p, "perf-stat.cpu.cpu-cycles");
	expect_none(&p, "perf-stat.i.cpu-cycles.running");
	expect_none(&p, "perf-stat.i.cpu-cycles.counted");
	expect_none(&p, "perf-stat.overall.MPKI");
	play_close(&p);
}

static void a_short_rest_after_the_last_tick_is_in_the_sums_alone(void **state)
{
	struct play p;

	play_open(&p);
	PLAY(&p, &core, 10, 0, 0, 0, 0, 2, 0);
	PLAY(&p, &core, 11, 100, 300, 1, 1, 2, 0);
	PLAY(&p, &core, 12, 200, 600, 2, 2, 2, 0);
	play_mark(&p, MARK_COMMAND_END, 12.1);
	PLAY(&p, &core, 12.125, 300, 600, 2, 2, 2, 0);
	play_finish(&p);
	expect(&p, "perf-stat.i.cpu-cycles", 100);
	expect(&p, "perf-stat.i.ipc", 3);
	expect(&p, "perf-stat.total.cpu-cycles", 300);
	expect(&p, "perf-stat.ps.cpu-cycles", 300 / 2.125);
	play_close(&p);
}

static void a_run_shorter_than_a_tick_is_one_interval(void **state)
{
	struct play p;

	play_open(&p);
	PLAY(&p, &core, 10, 0, 0, 0, 0, 2, 0);
	play_mark(&p, MARK_COMMAND_START, 10);
	play_mark(&p, MARK_COMMAND_END, 10.01);
	PLAY(&p, &core, 10.01, 100, 300, 1, 1, 2, 0);
	play_finish(&p);
	expect(&p, "perf-stat.i.cpu-cycles", 10000);
	expect(&p, "perf-stat.overall.ipc", 3);
	play_close(&p);
}

static void what_did_not_count_for_a_while_is_no_zero(void **state)
{
	struct play p;

	play_open(&p);
	PLAY(&p, &core, 10, 0, 0, 0, 0, 2, 0);
	PLAY(&p, &core, 11, 100, 100, 1, 1, 2, 0);
	PLAY(&p, &core, 12, ABSENT, 200, 2, 2, 0, 0);
	PLAY(&p, &core, 13, 300, 300, 3, 3, 2, 0); /* made up for: of two seconds */
	play_finish(&p);
	expect(&p, "perf-stat.i.cpu-cycles", 100); /* of the one interval that both ends have */
	expect(&p, "perf-stat.i.ipc", 1);
	expect(&p, "perf-stat.total.cpu-cycles", 300);
	expect(&p, "perf-stat.ps.cpu-cycles", 100);
	play_close(&p);
}

static void what_never_counted_has_no_key(void **state)
{
	struct play p;

	play_open(&p);
	PLAY(&p, &core, 10, 0, 0, 0, 0, 2, 0);
	PLAY(&p, &core, 11, ABSENT, 100, 1, 0, 0, 0);
	PLAY(&p, &core, 12, ABSENT, 200, 2, 0, 0, 0);
	play_finish(&p);
	expect_none(&p, "perf-stat.i.cpu-cycles");
	expect_none(&p, "perf-stat.ps.cpu-cycles");
	expect_none(&p, "perf-stat.total.cpu-cycles");
	expect_none(&p, "perf-stat.overall.ipc");
	expect(&p, "perf-stat.i.instructions", 100);
	play_close(&p);
}

static void counting_that_begins_anew_loses_only_the_time_between(void **state)
{
	struct shape second = core;
	struct play p;

	second.generation = 2; /* a CPU came */
	play_open(&p);
	PLAY(&p, &core, 10, 0, 0, 0, 0, 2, 0);
	PLAY(&p, &core, 11, 100, 200, 1, 1, 2, 0);
	PLAY(&p, &second, 12, 0, 0, 0, 0, 3, 0);
	PLAY(&p, &second, 13, 150, 250, 1, 1, 3, 0);
	play_finish(&p);
	expect(&p, "perf-stat.total.cpu-cycles", 250);
	expect(&p, "perf-stat.ps.cpu-cycles", 125);
	expect(&p, "perf-stat.i.cpu-cycles", 125);
	expect(&p, "perf-stat.total.instructions", 450);
	play_close(&p);
}

static void kinds_of_cores_are_added_up_and_kept_apart(void **state)
{
	static const char *const pmus[] = { "cpu_core", "cpu_atom", "software" };
	static const struct metric metrics[] = { EVENT("cpu-cycles"), EVENT("instructions"), EVENT("page-faults") };
	static const struct shape shape = { "perf-stat", 1, metrics, 3, pmus, 3 };
	struct play p;

	play_open(&p);
	PLAY(&p, &shape, 10, 0, 0, ABSENT, 0, 0, ABSENT, ABSENT, ABSENT, 0);
	PLAY(&p, &shape, 12, 600, 200, ABSENT, 1200, 100, ABSENT, ABSENT, ABSENT, 8);
	PLAY(&p, &shape, 14, 1200, ABSENT, ABSENT, 2400, ABSENT, ABSENT, ABSENT, ABSENT, 8);
	play_finish(&p);
	expect(&p, "perf-stat.i.cpu-cycles", (400.0 + 300) / 2);
	expect(&p, "perf-stat.i.cpu_core/cpu-cycles/", 300);
	expect(&p, "perf-stat.i.cpu_atom/cpu-cycles/", 100);
	expect(&p, "perf-stat.overall.cpu_core/ipc/", 2);
	expect(&p, "perf-stat.overall.cpu_atom/ipc/", 0.5);
	expect(&p, "perf-stat.overall.ipc", 2500.0 / 1400);
	expect(&p, "perf-stat.total.page-faults", 8);
	expect_none(&p, "perf-stat.total.software/page-faults/");
	play_close(&p);
}

static void cpus_that_are_kept_apart_are_added_up(void **state)
{
	static const char *const places[] = { "cpu.CPU0", "cpu.CPU7" };
	static const struct metric metrics[] = { EVENT("cpu-cycles") };
	static const struct shape shape = { "perf-stat", 1, metrics, 1, places, 2 };
	struct play p;

	play_open(&p);
	PLAY(&p, &shape, 10, 0, 0);
	PLAY(&p, &shape, 11, 100, 11);
	play_finish(&p);
	expect(&p, "perf-stat.i.cpu-cycles", 111);
	play_close(&p);
}

static void path_length_is_instructions_of_a_piece_of_work(void **state)
{
	struct play p;

	for (int workloads = 0; workloads < 3; workloads++) {
		struct run_result result = { .key = "vm-scalability.workload", .value = 50 };

		play_open(&p);
		PLAY(&p, &core, 10, 0, 0, 0, 0, 2, 0);
		PLAY(&p, &core, 11, 100, 300, 1, 1, 2, 0);
		if (workloads > 0)
			assert_int_equal(reduce_events.result(p.reduce, &result, &p.err), 0);
		result.key = "other.workload";
		if (workloads > 1)
			assert_int_equal(reduce_events.result(p.reduce, &result, &p.err), 0);
		play_end(&p, 0, 0);
		play_finish(&p);
		if (workloads == 1)
			expect(&p, "perf-stat.overall.path-length", 6);
		else
			expect_none(&p, "perf-stat.overall.path-length");
		play_close(&p);
	}
}

static void memory_controllers_tell_latency_and_bandwidth(void **state)
{
	static const char *const boxes[] = { "uncore_imc_0", "uncore_imc_1" };
	static const struct metric metrics[] = {
		EVENT("UNC_M_RPQ_INSERTS"), EVENT("UNC_M_RPQ_OCCUPANCY"), EVENT("UNC_M_CLOCKTICKS"),
		CLOCK("UNC_M_RPQ_INSERTS.enabled"), CLOCK("UNC_M_RPQ_INSERTS.running"), COUNTED("UNC_M_RPQ_INSERTS"),
		EVENT("UNC_M_WPQ_INSERTS"),
	};
	static const struct shape shape = { "perf-stat", 1, metrics, 7, boxes, 2 };
	struct play p;

	play_open(&p);
	PLAY(&p, &shape, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 2, 0, 0);
	/* 2 sockets x 2 boxes at 1 GHz for 2 s; 3 x 2^20 and 1 x 2^20 entries, which stay for 50 ticks */
	PLAY(&p, &shape, 12, 3 << 20, 1 << 20, 150 << 20, 50 << 20, 4000000000, 4000000000, 1, 1, 1, 1, 2, 2, 0, 1 << 20);
	play_finish(&p);
	expect(&p, "perf-stat.i.rpq_latency_ns", 50);
	expect(&p, "perf-stat.overall.rpq_latency_ns", 50);
	expect(&p, "perf-stat.i.rpq_throughput_MBps", 4 * 64 / 2.0);
	expect(&p, "perf-stat.overall.wpq_throughput_MBps", 64 / 2.0);
	expect_none(&p, "perf-stat.i.wpq_latency_ns");
	play_close(&p);
}

static void ones_own_ratios_are_computed_like_the_others(void **state)
{
	static const struct metric metrics[] = { EVENT("cache-misses"), EVENT("cache-misses:u"), EVENT("instructions"),
						 EVENT("INST_RETIRED:ANY_P") };
	static const struct shape shape = { "perf-stat", 1, metrics, 4, one_pmu, 1 };
	struct play p;

	play_open(&p);
	play_fact(&p, "perf-stat.ratios",
		  "mpki: cache-misses / instructions * 1000\n"
		  "kernel%: 100 * (cache-misses - cache-misses:u) / cache-misses\n"
		  "both: instructions+INST_RETIRED:ANY_P\n"
		  "none: cache-misses / no-such-event\n"
		  "zero: instructions / (cache-misses - cache-misses)\n"
		  "broken: ((\n"
		  "no line\n");
	PLAY(&p, &shape, 10, 0, 0, 0, 0);
	PLAY(&p, &shape, 11, 10, 5, 1000, 1);
	PLAY(&p, &shape, 12, 40, 10, 2000, 2);
	play_finish(&p);
	expect(&p, "perf-stat.i.mpki", (10.0 + 30) / 2);
	expect(&p, "perf-stat.overall.mpki", 20);
	expect(&p, "perf-stat.overall.kernel%", 75);
	expect(&p, "perf-stat.overall.both", 2002);
	expect_none(&p, "perf-stat.overall.none");
	expect_none(&p, "perf-stat.overall.zero");
	expect_none(&p, "perf-stat.overall.broken");
	play_close(&p);
}

static void issue_slots_are_broken_down_by_either_set_of_events(void **state)
{
	static const struct metric metrics[] = { EVENT("slots"), EVENT("topdown-retiring"), EVENT("topdown-bad-spec"),
						 EVENT("topdown-fe-bound"), EVENT("topdown-be-bound") };
	static const struct metric older[] = { EVENT("topdown-total-slots"), EVENT("topdown-slots-issued"),
					       EVENT("topdown-slots-retired"), EVENT("topdown-fetch-bubbles"),
					       EVENT("topdown-recovery-bubbles") };
	static const struct shape shapes[] = { { "perf-stat", 1, metrics, 5, one_pmu, 1 },
					       { "perf-stat", 1, older, 5, one_pmu, 1 } };
	static const int64_t values[2][5] = { { 400, 200, 20, 80, 100 }, { 400, 216, 200, 80, 4 } };
	struct play p;

	for (int i = 0; i < 2; i++) {
		play_open(&p);
		PLAY(&p, &shapes[i], 10, 0, 0, 0, 0, 0);
		play_sample(&p, &shapes[i], 11 * SECOND, values[i]);
		play_finish(&p);
		expect(&p, "perf-stat.overall.topdown-retiring%", 50);
		expect(&p, "perf-stat.overall.topdown-bad-spec%", 5);
		expect(&p, "perf-stat.overall.topdown-fe-bound%", 20);
		expect(&p, "perf-stat.overall.topdown-be-bound%", 25);
		play_close(&p);
	}
}

/* ---- printed reports ---- */

struct formulas {
	struct stats stats;
	struct names names;
	double at[32];
	bool has[32];
};

static int keep(void *context, const char *key, double value)
{
	return stats_set(context, key, value);
}

static void given(struct formulas *f, const char *name, double value)
{
	int row = names_add(&f->names, text_of(name));

	f->at[row] = value;
	f->has[row] = true;
}

static void compute(struct formulas *f)
{
	struct perf_counts c = { &f->names, f->at, f->has, 1 };

	assert_int_equal(perf_ratios(&c, keep, &f->stats), 0);
	assert_int_equal(perf_metrics(&c, keep, &f->stats), 0);
	stats_sort(&f->stats);
}

/* To the last digit that is printed, give or take one for the digits that the operands lack. */
static void printed(const struct formulas *f, const char *key, double want, double last_digit)
{
	double have = 0;

	if (!stats_get(&f->stats, key, &have) || fabs(have - want) > last_digit)
		fail_msg("%s is %.6g, should be %.6g", key, have, want);
}

static void done(struct formulas *f)
{
	stats_free(&f->stats);
	names_free(&f->names);
	*f = (struct formulas){ 0 };
}

static void ratios_of_a_report_of_2021_follow_from_its_rates(void **state)
{
	struct formulas f = { 0 };

	given(&f, "cache-misses", 2.189e+09); /* what was called MPKI then had the references above */
	given(&f, "instructions", 1.509e+11);
	given(&f, "iTLB-load-misses", 2.016e+08);
	given(&f, "iTLB-loads", 87887600);
	given(&f, "cpu-cycles", 1.509e+11 * 1.87);
	given(&f, "branch-instructions", 3.101e+10);
	given(&f, "branch-misses", 3.101e+10 * 0.0119);
	compute(&f);
	printed(&f, "MPKI", 14.51, 0.01);
	printed(&f, "iTLB-load-miss-rate%", 69.64, 0.01);
	printed(&f, "ipc", 0.53, 0.01);
	printed(&f, "cpi", 1.87, 0.01);
	printed(&f, "branch-miss-rate%", 1.19, 0.01);
	done(&f);
	/* Rates of 96 CPUs; its perf knew M/sec alone, so what is below 1 M of them is in it as well. */
	given(&f, "task-clock", 96000);
	given(&f, "branch-instructions", 3.113e+10);
	given(&f, "dTLB-loads", 4.432e+10);
	given(&f, "dTLB-stores", 2.594e+10);
	given(&f, "cache-references", 2.196e+09);
	compute(&f);
	printed(&f, "metric.M/sec", 1079, 1);
	done(&f);
}

static void rates_by_unit_of_a_report_of_2022_follow_from_its_rates(void **state)
{
	struct formulas f = { 0 };

	given(&f, "task-clock", 96000);
	given(&f, "context-switches", 202521);
	given(&f, "page-faults", 95999); /* below 1000 a second: it counts nowhere */
	compute(&f);
	printed(&f, "metric.K/sec", 2.11, 0.005);
	done(&f);
}

static void ratios_of_a_report_of_2016_follow_from_its_totals(void **state)
{
	struct formulas f = { 0 };

	given(&f, "cache-misses", 2.509e+09);
	given(&f, "cache-references", 3.927e+09);
	given(&f, "dTLB-load-misses", 1.748e+09);
	given(&f, "dTLB-loads", 5.302e+10);
	given(&f, "iTLB-load-misses", 21266825);
	given(&f, "iTLB-loads", 9081380);
	given(&f, "instructions", 3.06e+11);
	given(&f, "cpu-cycles", 4.504e+11);
	compute(&f);
	printed(&f, "cache-miss-rate%", 63.89, 0.02);
	printed(&f, "dTLB-load-miss-rate%", 3.19, 0.01);
	printed(&f, "iTLB-load-miss-rate%", 70.07, 0.01);
	printed(&f, "ipc", 0.68, 0.005);
	printed(&f, "instructions-per-iTLB-miss", 14385, 10);
	done(&f);
}

static void rates_are_scaled_while_they_exceed_1000(void **state)
{
	struct formulas f = { 0 };

	given(&f, "task-clock", 1000);
	given(&f, "page-faults", 1000);
	given(&f, "minor-faults", 1001);
	given(&f, "node-loads", 1e6);
	given(&f, "dTLB-loads", 2e9);
	given(&f, "cpu-cycles", 3e9);
	given(&f, "branch-misses", 5e6); /* beside it perf prints a share, no rate */
	compute(&f);
	printed(&f, "metric.K/sec", 1001.001, 1e-9);
	printed(&f, "metric.G/sec", 2, 1e-9);
	printed(&f, "metric.GHz", 3, 1e-9);
	assert_false(stats_get(&f.stats, "metric.M/sec", &(double){ 0 }));
	done(&f);
}

/* ---- what the test robot makes of the output of `perf stat -x , -I 1000` ---- */

#define EVENTS_MAX 40

struct output {
	struct names events, pmus;
	struct metric metrics[EVENTS_MAX];
	int64_t values[EVENTS_MAX * 3]; /* [event x PMU] counted so far */
	double ends[64], last;		/* s; when the intervals end */
	size_t count;			/* of whole intervals */
};

static struct text field(struct text *line)
{
	const char *comma = memchr(line->at, ',', text_len(*line));
	struct text t = { line->at, comma ? comma : line->end };

	line->at = comma ? comma + 1 : line->end;
	return text_trim(t);
}

struct count {
	double time, value;
	int event, pmu;
	bool clock_ms;
};

static bool read_count(struct output *o, struct text line, struct count *ret)
{
	struct text unit, name, pmu = text_of("cpu");

	if (!number_read(field(&line), &ret->time) || !number_read(field(&line), &ret->value))
		return false;
	unit = field(&line);
	name = field(&line);
	if (text_skip(&name, "cpu_core/") || text_skip(&name, "cpu_atom/")) {
		pmu = (struct text){ name.at - strlen("cpu_core/"), name.at - 1 };
		name.end--;
	}
	ret->clock_ms = text_is(unit, "msec");
	ret->event = names_add(&o->events, name);
	ret->pmu = names_add(&o->pmus, pmu);
	return true;
}

/* Names, times, and shape. */
static struct shape survey(struct output *o, struct text text)
{
	struct text line;
	struct count c;

	for (struct text rest = text; text_line(&rest, &line);) {
		if (!read_count(o, line, &c))
			continue;
		if (o->count == 0 || c.time > o->ends[o->count - 1] + 0.01)
			o->ends[o->count++] = c.time;
	}
	o->count--; /* the robot leaves the last one out */
	o->last = o->ends[o->count];
	for (size_t i = 0; i < o->events.count; i++)
		o->metrics[i] = (struct metric){ names_at(&o->events, (int)i), COUNTER,
						 strstr(names_at(&o->events, (int)i), "-clock") ? UNIT_NANOSECONDS : UNIT_COUNT,
						 0, FOLD_NONE };
	return (struct shape){ "perf-stat", 1, o->metrics, o->events.count, (const char *const *)o->pmus.at, o->pmus.count };
}

static void replay(struct play *p, struct output *o, struct text text)
{
	struct shape shape = survey(o, text);
	size_t slots = shape_slots(&shape);
	struct count c;

	for (size_t i = 0; i < slots; i++)
		o->values[i] = ABSENT;
	for (size_t nth = 0; nth <= o->count; nth++) {
		struct text line;

		for (struct text rest = text; text_line(&rest, &line);) {
			int64_t *at;

			if (!read_count(o, line, &c) || (nth > 0 && fabs(c.time - o->ends[nth - 1]) > 0.01))
				continue;
			at = &o->values[(size_t)c.event * o->pmus.count + (size_t)c.pmu];
			if (nth == 0)
				*at = 0;
			else
				*at += (int64_t)llround(c.value * (c.clock_ms ? MILLISECOND : 1));
		}
		play_sample(p, &shape, SECOND + (nth ? (uint64_t)llround(o->ends[nth - 1] * 1e9) : 0), o->values);
	}
}

/* Sums of the robot's numbers of each interval, by key. */
static void read_expected(struct text text, struct names *keys, double sums[], size_t counts[])
{
	struct text line, key;

	while (text_line(&text, &line)) {
		double value;
		int row;

		if (!text_cut(&line, ":", &key) || !number_read(text_trim(line), &value))
			continue;
		row = names_add(keys, key);
		sums[row] += value;
		counts[row]++;
	}
}

static void compare(struct play *p, const struct output *o, const char *key, double want, bool hybrid)
{
	bool is_metric = strncmp(key, "i.metric.", 9) == 0;
	double have, slack = is_metric ? 0.004 : fabs(want) * 1e-6;
	char whole[200];

	if (strcmp(key, "time") == 0 || (is_metric && hybrid)) /* that perf lost most of them */
		return;
	if (strncmp(key, "ps.", 3) == 0)
		want *= o->last / o->ends[o->count - 1]; /* it has the last one's time, not its counts */
	if (strstr(key, "-clock") && hybrid)
		want /= MILLISECOND; /* that perf printed ns */
	(void)snprintf(whole, sizeof(whole), "perf-stat.%s", key);
	if (!stats_get(&p->stats, whole, &have))
		have = 0; /* one that is always 0 has no key */
	if (fabs(have - want) > slack && fabs(have - want) > fabs(want) * 1e-6)
		fail_msg("%s is %.12g, should be %.12g", key, have, want);
}

static void agrees_with_the_test_robot_about_outputs_of_perf(void **state)
{
	size_t compared = 0;

	for (int nth = 3; nth <= 5; nth++) {
		struct output o = { 0 };
		struct names keys = { 0 };
		struct buf text, expected;
		double sums[200] = { 0 };
		size_t counts[200] = { 0 };
		char path[512], relative[64];
		struct play p;

		(void)snprintf(relative, sizeof(relative), "outputs/perf-stat/lkp-%d.txt", nth);
		if (!shared_path(path, sizeof(path), relative))
			skip();
		text = read_whole(path);
		(void)snprintf(relative, sizeof(relative), "outputs/perf-stat/lkp-%d.expected.yaml", nth);
		assert_true(shared_path(path, sizeof(path), relative));
		expected = read_whole(path);
		play_open(&p);
		replay(&p, &o, buf_text(&text));
		play_finish(&p);
		read_expected(buf_text(&expected), &keys, sums, counts);
		for (size_t i = 0; i < keys.count; i++, compared++)
			compare(&p, &o, keys.at[i], sums[i] / (double)counts[i], o.pmus.count > 1 && nth == 5);
		play_close(&p);
		names_free(&keys);
		names_free(&o.events);
		names_free(&o.pmus);
		buf_free(&text);
		buf_free(&expected);
	}
	print_message("# %zu numbers\n", compared);
	assert_true(compared > 150);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rates_are_means_of_intervals_and_ratios_those_of_the_sums),
		cmocka_unit_test(a_short_rest_after_the_last_tick_is_in_the_sums_alone),
		cmocka_unit_test(a_run_shorter_than_a_tick_is_one_interval),
		cmocka_unit_test(what_did_not_count_for_a_while_is_no_zero),
		cmocka_unit_test(what_never_counted_has_no_key),
		cmocka_unit_test(counting_that_begins_anew_loses_only_the_time_between),
		cmocka_unit_test(kinds_of_cores_are_added_up_and_kept_apart),
		cmocka_unit_test(cpus_that_are_kept_apart_are_added_up),
		cmocka_unit_test(path_length_is_instructions_of_a_piece_of_work),
		cmocka_unit_test(memory_controllers_tell_latency_and_bandwidth),
		cmocka_unit_test(ones_own_ratios_are_computed_like_the_others),
		cmocka_unit_test(issue_slots_are_broken_down_by_either_set_of_events),
		cmocka_unit_test(ratios_of_a_report_of_2021_follow_from_its_rates),
		cmocka_unit_test(rates_by_unit_of_a_report_of_2022_follow_from_its_rates),
		cmocka_unit_test(ratios_of_a_report_of_2016_follow_from_its_totals),
		cmocka_unit_test(rates_are_scaled_while_they_exceed_1000),
		cmocka_unit_test(agrees_with_the_test_robot_about_outputs_of_perf),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
