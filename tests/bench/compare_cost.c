/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a comparison of 2 x 10 runs with 50,000 keys each costs: CPU time of compare() and its text, by our rules and by
 * the test robot's, and the memory the whole process has at most, the stats of all runs included. Nine keys of ten did
 * not change. compare.cpu is that of our rules, which are the default.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "analysis/compare.h"

#define SIDE 10
#define KEYS 50000

static double cpu_seconds(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void give_up(const char *what)
{
	(void)fprintf(stderr, "compare_cost: %s\n", what);
	abort();
}

static double noise(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (double)(*state >> 40) / (double)(1 << 24) - 0.5;
}

static void fill(struct stats *s, size_t run, uint64_t *state)
{
	static const char *const families[] = { "proc-vmstat.nr", "slabinfo.cache", "interrupts.CPU", "softirqs.CPU",
						"perf-profile.calltrace.cycles.do_syscall_64.entry_SYSCALL_64_after_" };

	for (size_t k = 0; k < KEYS; k++) {
		double level = 20000 + (double)k * (run >= SIDE && k % 10 == 0 ? 1.5 : 1);

		if (stats_setf(s, level * (1 + 0.02 * noise(state)), "%s%zu.items", families[k % 5], k) < 0)
			give_up("no memory");
	}
	stats_sort(s);
}

int main(void)
{
	static struct stats stats[2 * SIDE];
	static struct pairs axes[2 * SIDE];
	static struct compare_run runs[2 * SIDE];
	struct compare_options options = { 0 };
	struct comparison c;
	struct buf out = { 0 };
	struct rusage usage;
	struct err err;
	uint64_t state = 1;
	double begin;

	for (size_t i = 0; i < 2 * SIDE; i++) {
		fill(&stats[i], i, &state);
		if (pairs_set(&axes[i], "commit", i < SIDE ? "base" : "head") < 0)
			give_up("no memory");
		runs[i] = (struct compare_run){ &stats[i], &axes[i], false };
	}
	options.rules = RULES_LKP;
	begin = cpu_seconds();
	if (compare(runs, 2 * SIDE, &options, &c, &err) < 0 || report_text(&c, &out) < 0)
		give_up("failed");
	printf("compare.cpu-lkp %.3f s\n", cpu_seconds() - begin);
	printf("compare.rows-lkp %zu rows\n", c.rows);
	comparison_free(&c);
	buf_clear(&out);
	options.rules = RULES_ASSAY;
	begin = cpu_seconds();
	if (compare(runs, 2 * SIDE, &options, &c, &err) < 0 || report_text(&c, &out) < 0)
		give_up("failed");
	printf("compare.cpu %.3f s\n", cpu_seconds() - begin);
	(void)getrusage(RUSAGE_SELF, &usage);
	printf("compare.rss %.1f MiB\n", (double)usage.ru_maxrss / 1024);
	printf("compare.rows %zu rows\n", c.rows);
	comparison_free(&c);
	buf_free(&out);
	for (size_t i = 0; i < 2 * SIDE; i++) {
		stats_free(&stats[i]);
		pairs_free(&axes[i]);
	}
	return 0;
}
