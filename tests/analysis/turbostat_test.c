/* SPDX-License-Identifier: GPL-3.0-or-later */
/* turbostat's columns by hand-made runs, and by rows that the tool itself printed. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/names.h"
#include "tests/analysis/play.h"
#include "tests/support/shared.h"

static const char *const whole[] = { "" }, *const one_cpu[] = { "cpu0" }, *const two_cpus[] = { "cpu0", "cpu8" };

static void intel(struct play *p, const char *model)
{
	play_fact(p, "cpu.vendor", "GenuineIntel");
	play_fact(p, "cpu.family", "6");
	play_fact(p, "cpu.model", model);
}

/* ---- units ---- */

static const struct metric energy_metrics[] = {
	{ "package", GAUGE },
	{ "rapl_power_unit", GAUGE },
	{ "pkg_energy_status", COUNTER32 },
	{ "dram_energy_status", COUNTER32 },
	{ "pkg_perf_status", COUNTER32 },
};
static const struct shape energy_shape = { "turbostat", 1, energy_metrics, 5, two_cpus, 2 };

/* Two packages in 10 s, whose units may differ. */
static void play_energy(struct play *p, const char *model, int64_t units, int64_t other_units)
{
	play_open(p);
	intel(p, model);
	PLAY(p, &energy_shape, 1, 0, 8, units, other_units, 4294967000, 5, 100, 200, 0, 0);
	PLAY(p, &energy_shape, 11, 0, 8, units, other_units, 163544, 327685, 1000100, 200, 2048, 1024);
	play_finish(p);
}

static void energy_is_counted_in_the_units_of_each_package(void **state)
{
	struct play p;

	play_energy(&p, "85", 0xa0e03, 0xa1003); /* 163840 of 2^-14 J; 327680 of 2^-16 J */
	expect(&p, "turbostat.PkgWatt", 1 + 0.5);
	expect(&p, "turbostat.RAMWatt", 1.53);
	expect(&p, "turbostat.PKG_%", 100 * 3 / 10.0);
	play_close(&p);
}

static void memory_is_counted_in_the_same_units_where_they_are_not_fixed(void **state)
{
	struct play p;

	play_energy(&p, "143", 0xa0e03, 0xa0e03);
	expect(&p, "turbostat.RAMWatt", 1000000 / 16384.0 / 10);
	play_close(&p);
}

static void silvermont_counts_in_powers_of_a_microjoule(void **state)
{
	struct play p;

	play_energy(&p, "77", 0x505, 0x505); /* 2^5 uJ; no unit of time: 2^-10 s */
	expect(&p, "turbostat.PkgWatt", (163840 + 327680) * 32e-6 / 10);
	expect(&p, "turbostat.PKG_%", 100 * 3 / 10.0);
	play_close(&p);
}

/* ---- other sources of watts ---- */

static const struct metric event_metrics[] = { { "energy-pkg", COUNTER }, { "energy-cores", COUNTER } };
static const struct shape event_shape = { "energy", 1, event_metrics, 2, two_cpus, 2 };
static const char *const zones[] = { "intel-rapl:0/package-0", "intel-rapl:1/package-1", "intel-rapl:0:0/dram",
				     "intel-rapl-mmio:0/package-0", "intel-rapl:2/psys" };
static const struct metric zone_metrics[] = { { "energy_uj", COUNTER, UNIT_JOULES, 6, FOLD_NONE } };
static const struct shape zone_shape = { "powercap", 1, zone_metrics, 1, zones, 5 };

static void the_best_source_gives_each_domains_watts(void **state)
{
	struct play p;

	play_open(&p);
	intel(&p, "85");
	PLAY(&p, &zone_shape, 1, 0, 0, 0, 0, 0);
	PLAY(&p, &zone_shape, 11, 30000000, 50000000, 20000000, 31000000, 900000000);
	play_finish(&p);
	expect(&p, "turbostat.PkgWatt", 8); /* not the other way to the same energy, nor the platform */
	expect(&p, "turbostat.RAMWatt", 2);
	expect_none(&p, "turbostat.CorWatt");
	play_close(&p);

	play_open(&p);
	intel(&p, "85");
	PLAY(&p, &zone_shape, 1, 0, 0, 0, 0, 0);
	PLAY(&p, &event_shape, 1, 0, 0, 0, 0);
	PLAY(&p, &zone_shape, 11, 30000000, 50000000, 20000000, 31000000, 900000000);
	PLAY(&p, &event_shape, 11, INT64_C(40) << 32, INT64_C(60) << 32, INT64_C(5) << 32, 0);
	play_finish(&p);
	expect(&p, "energy.energy-pkg", 10);
	expect(&p, "energy.energy-cores", 0.5);
	expect(&p, "turbostat.PkgWatt", 10); /* of perf's events */
	expect(&p, "turbostat.CorWatt", 0.5);
	expect(&p, "turbostat.RAMWatt", 2); /* of powercap, since no event tells it */
	play_close(&p);

	play_open(&p);
	intel(&p, "85");
	PLAY(&p, &event_shape, 1, 0, 0, 0, 0);
	PLAY(&p, &energy_shape, 1, 0, 8, 0xa0e03, 0xa0e03, 0, 0, ABSENT, ABSENT, 0, 0);
	PLAY(&p, &event_shape, 11, INT64_C(40) << 32, INT64_C(60) << 32, INT64_C(5) << 32, 0);
	PLAY(&p, &energy_shape, 11, 0, 8, 0xa0e03, 0xa0e03, 163840, 163840, ABSENT, ABSENT, 0, 0);
	play_finish(&p);
	expect(&p, "turbostat.PkgWatt", 2); /* of registers */
	expect_none(&p, "turbostat.RAMWatt");
	play_close(&p);
}

/* ---- clocks ---- */

static const struct metric clock_metrics[] = {
	{ "tsc", COUNTER }, { "aperf", COUNTER }, { "mperf", COUNTER }, { "platform_info", GAUGE },
};
static const struct shape clock_shape = { "turbostat", 1, clock_metrics, 4, one_cpu, 1 };

static void play_clock(struct play *p, const char *model)
{
	play_open(p);
	intel(p, model);
	PLAY(p, &clock_shape, 1, 0, 0, 0, 0x1900);
	PLAY(p, &clock_shape, 11, 24000000000, 15000000000, 12500000000, 0x1900);
	play_finish(p);
}

static void mperf_is_set_against_the_clock_that_it_counts_at(void **state)
{
	struct play p;

	play_clock(&p, "94"); /* a Skylake client: base clock 2500 MHz, time-stamp counter 2400 */
	expect(&p, "turbostat.TSC_MHz", 2400);
	expect(&p, "turbostat.Busy%", 50);
	expect(&p, "turbostat.Bzy_MHz", 3000);
	play_close(&p);
	play_clock(&p, "85");
	expect(&p, "turbostat.Busy%", 100 * 12.5 / 24);
	play_close(&p);
	play_clock(&p, "46"); /* Nehalem-EX: the ratio 25 is of 133 1/3 MHz */
	expect(&p, "turbostat.Bzy_MHz", 25 * 400 / 3.0 * 1.2);
	play_close(&p);
}

static const struct metric file_metrics[] = {
	{ "rc6_residency_ms", COUNTER },
	{ "rps_cur_freq_mhz", GAUGE },
	{ "rps_act_freq_mhz", GAUGE },
};
static const struct shape file_shape = { "turbostat", 1, file_metrics, 3, whole, 1 };
static const char *const dies[] = { "package_00_die_00", "package_01_die_00" };
static const struct metric uncore_metrics[] = { { "current_freq_khz", GAUGE } };
static const struct shape uncore_shape = { "turbostat", 1, uncore_metrics, 1, dies, 2 };

static void files_of_sysfs_are_columns_too(void **state)
{
	struct play p;

	play_open(&p);
	PLAY(&p, &file_shape, 1, 1000, 300, 350);
	PLAY(&p, &file_shape, 11, 9000, 500, 450);
	play_finish(&p);
	expect(&p, "turbostat.GFX%rc6", 80);
	expect(&p, "turbostat.GFXMHz", 400);
	expect(&p, "turbostat.GFXAMHz", 400);
	play_close(&p);
	play_open(&p);
	PLAY(&p, &uncore_shape, 1, 2400000, 1200000);
	PLAY(&p, &uncore_shape, 11, 2400000, 1200000);
	play_finish(&p);
	expect(&p, "turbostat.UncMHz", 1800);
	play_close(&p);
}

static const struct metric interrupt_metrics[] = { { "LOC:Local_timer_interrupts", COUNTER32 }, { "ERR", COUNTER32 } };
static const char *const columns[] = { "", "CPU0", "CPU1" };
static const struct shape interrupt_shape = { "interrupts", 1, interrupt_metrics, 2, columns, 3 };

static void interrupts_are_summed_over_cpus(void **state)
{
	struct play p;

	play_open(&p);
	PLAY(&p, &interrupt_shape, 1, ABSENT, 10, 20, 7, ABSENT, ABSENT);
	PLAY(&p, &interrupt_shape, 11, ABSENT, 110, 220, 9, ABSENT, ABSENT);
	play_finish(&p);
	expect(&p, "turbostat.IRQ", 300);
	play_close(&p);
}

static const struct metric idle_metrics[] = {
	{ "haltpoll idle.usage", COUNTER },
	{ "haltpoll idle.time", COUNTER },
	{ "low_power_idle_cpu_residency_us", COUNTER },
	{ "low_power_idle_system_residency_us", COUNTER },
};
static const char *const cpus_and_machine[] = { "cpu0", "cpu8", "" };
static const struct shape idle_shape = { "cpuidle", 1, idle_metrics, 4, cpus_and_machine, 3 };

static void idle_states_are_of_the_cpus_and_the_deepest_of_the_machine(void **state)
{
	struct play p;

	play_open(&p);
	PLAY(&p, &idle_shape, 1, 0, 0, ABSENT, 0, 0, ABSENT, ABSENT, ABSENT, 0, ABSENT, ABSENT, 0);
	PLAY(&p, &idle_shape, 11, 3, 4, ABSENT, 1000000, 3000000, ABSENT, ABSENT, ABSENT, 2500000, ABSENT, ABSENT,
	     1000000);
	play_finish(&p);
	expect(&p, "turbostat.CPU%LPI", 25);
	expect(&p, "turbostat.SYS%LPI", 10);
	expect(&p, "turbostat.haltpoll-idle", 7); /* a blank becomes a dash */
	expect(&p, "turbostat.haltpoll-idle%", 20);
	expect(&p, "cpuidle..usage", 7);
	play_close(&p);
}

static const struct metric frequency_metrics[] = {
	{ "time_in_state.1200000", COUNTER, UNIT_TICKS },
	{ "time_in_state.2400000", COUNTER, UNIT_TICKS },
	{ "time_in_state.3000000", COUNTER, UNIT_TICKS },
	{ "total_trans", COUNTER, UNIT_COUNT },
};
static const struct shape frequency_shape = { "cpufreq-stats", 1, frequency_metrics, 4, two_cpus, 2 };

static void clocks_have_their_share_of_the_time(void **state)
{
	struct play p;

	play_open(&p);
	PLAY(&p, &frequency_shape, 1, 0, 100, 0, 0, 7, 7, 0, 0);
	PLAY(&p, &frequency_shape, 11, 1000, 600, 0, 500, 7, 7, 3, 4);
	play_finish(&p);
	expect(&p, "cpufreq-stats.time_in_state.1200000%", 75);
	expect(&p, "cpufreq-stats.time_in_state.2400000%", 25);
	expect_none(&p, "cpufreq-stats.time_in_state.3000000%");
	expect(&p, "cpufreq-stats.mean_kHz", 1500000);
	play_close(&p);
}

/* ---- what the tool printed: its summary row follows from the others by our formulas ---- */

enum amount { CYCLES_OF_TSC, MEGAHERTZ, JOULES, DEGREES };

/* The column, what it is made of, and how far a mean or a sum of rows may be off: they are rounded, and a share is of the
 * row's own time, which is up to 1 % longer or shorter. */
static const struct {
	const char *column, *metric;
	enum amount amount;
	double slack;
} printed[] = {
	{ "TSC_MHz", "tsc", MEGAHERTZ, 0.1 },
	{ "Avg_MHz", "aperf", MEGAHERTZ, 2 },
	{ "Busy%", "mperf", CYCLES_OF_TSC, 0.1 },
	{ "CPU%c6", "c6", CYCLES_OF_TSC, 0.5 },
	{ "CPU%c7", "c7", CYCLES_OF_TSC, 0.5 },
	{ "Totl%C0", "weighted_core_c0", CYCLES_OF_TSC, 2.5 },
	{ "Any%C0", "any_core_c0", CYCLES_OF_TSC, 1 },
	{ "Pkg%pc2", "pc2", CYCLES_OF_TSC, 0.1 },
	{ "PkgWatt", "pkg_energy_status", JOULES, 1.5 },
	{ "RAMWatt", "dram_energy_status", JOULES, 0.1 },
	{ "CorWatt", "pp0_energy_status", JOULES, 0.3 },
	{ "CoreTmp", "core_therm_status", DEGREES, 0.001 },
	{ "PkgTmp", "package_therm_status", DEGREES, 0.001 },
};

#define PRINTED	 (sizeof(printed) / sizeof(*printed))
#define FIXED	 2 /* rapl_power_unit, temperature_target */
#define CPUS_MOST 300
#define WORDS	  64

struct rows {
	double summary[PRINTED], of[CPUS_MOST][PRINTED]; /* NAN: not printed */
	size_t count;
};

static size_t split(struct text line, struct text *words)
{
	size_t n = 0;

	while (n < WORDS && line.at <= line.end) {
		const char *tab = memchr(line.at, '\t', text_len(line));

		words[n++] = (struct text){ line.at, tab ? tab : line.end };
		if (!tab)
			break;
		line.at = tab + 1;
	}
	return n;
}

static double decimal(struct text word)
{
	int64_t value;

	return text_decimal(&word, 2, &value) && word.at == word.end ? (double)value / 100 : NAN;
}

static void take_row(const struct text *head, size_t heads, struct text line, double *ret)
{
	struct text words[WORDS];
	size_t n = split(line, words);

	for (size_t i = 0; i < PRINTED; i++) {
		ret[i] = NAN;
		for (size_t k = 0; k < heads && k < n; k++)
			if (text_is(head[k], printed[i].column))
				ret[i] = decimal(words[k]);
	}
}

static void read_rows(struct text content, struct rows *ret)
{
	struct text line, head[WORDS];
	size_t heads = 0;

	ret->count = 0;
	while (text_line(&content, &line)) {
		if (heads == 0 && memmem(line.at, text_len(line), "\tCPU\t", 5) &&
		    memmem(line.at, text_len(line), "Busy%", 5)) {
			heads = split(line, head);
			assert_true(text_line(&content, &line));
			take_row(head, heads, line, ret->summary);
		} else if (heads && ret->count < CPUS_MOST && text_len(line) > 0) {
			take_row(head, heads, line, ret->of[ret->count++]);
		}
	}
	assert_true(ret->count > 0);
}

#define SECONDS 5

/* The tool goes from CPU to CPU, so that a row is of its own time; which, the time-stamp counter tells. */
static int64_t count_of(const struct rows *r, size_t cpu, size_t i)
{
	double value = r->of[cpu][i], tsc = r->of[cpu][0], seconds = SECONDS * r->summary[0] / tsc;

	switch (printed[i].amount) {
	case MEGAHERTZ:
		return llround(value * 1e6 * seconds);
	case CYCLES_OF_TSC:
		return llround(value / 100 * tsc * 1e6 * seconds);
	case JOULES:
		return llround(value * seconds * 16384);
	case DEGREES:
		break;
	}
	return (int64_t)(100 - llround(value)) << 16;
}

static void play_rows(const struct rows *r, struct play *p)
{
	struct metric metrics[PRINTED + FIXED] = { { "rapl_power_unit", GAUGE }, { "temperature_target", GAUGE } };
	static char names[CPUS_MOST][32];
	static const char *instances[CPUS_MOST];
	static int64_t values[2][(PRINTED + FIXED) * CPUS_MOST];
	struct shape shape = { "turbostat", 1, metrics, PRINTED + FIXED, instances, r->count };

	for (size_t i = 0; i < PRINTED; i++) {
		bool level = printed[i].amount == DEGREES;

		metrics[FIXED + i] = (struct metric){ .name = printed[i].metric, .kind = level ? GAUGE : COUNTER };
	}
	for (size_t cpu = 0; cpu < r->count; cpu++) {
		(void)snprintf(names[cpu], sizeof(names[cpu]), "cpu%zu", cpu);
		instances[cpu] = names[cpu];
		for (size_t when = 0; when < 2; when++) {
			values[when][cpu] = 0xa0e03;
			values[when][r->count + cpu] = 0x640000;
			for (size_t i = 0; i < PRINTED; i++) {
				bool level = printed[i].amount == DEGREES;

				values[when][(FIXED + i) * r->count + cpu] =
					isnan(r->of[cpu][i]) ? ABSENT : when || level ? count_of(r, cpu, i) : 0;
			}
		}
	}
	play_open(p);
	play_sample(p, &shape, 1 * SECOND, values[0]);
	play_sample(p, &shape, (1 + SECONDS) * SECOND, values[1]);
	play_finish(p);
}

static void the_tools_own_summary_follows_from_its_rows(void **state)
{
	static const char *const files[] = {
		"sc-adl0-turbostat-d.before", "sc-adl0-turbostat-d.after",   "sc-knl0-turbostat-d.before",
		"sc-knl0-turbostat-d.after",  "sc-milan0-turbostat-d.before", "sc-milan0-turbostat-d.after",
	};
	static struct rows rows;
	size_t looked_at = 0;

	for (size_t f = 0; f < sizeof(files) / sizeof(*files); f++) {
		char path[512], relative[128];
		struct buf content;
		struct play p;

		(void)snprintf(relative, sizeof(relative), "outputs/turbostat/%s.raw.txt", files[f]);
		if (!shared_path(path, sizeof(path), relative))
			skip();
		content = read_whole(path);
		read_rows(buf_text(&content), &rows);
		play_rows(&rows, &p);
		for (size_t i = 0; i < PRINTED; i++) {
			double have = 0;
			char key[64];

			if (isnan(rows.summary[i]))
				continue;
			(void)snprintf(key, sizeof(key), "turbostat.%s", printed[i].column);
			(void)stats_get(&p.stats, key, &have);
			if (fabs(have - rows.summary[i]) > printed[i].slack)
				fail_msg("%s: %s is %g, the tool says %g", files[f], printed[i].column, have,
					 rows.summary[i]);
			looked_at++;
		}
		play_close(&p);
		buf_free(&content);
	}
	print_message("# %zu columns\n", looked_at);
	assert_true(looked_at >= 50);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(energy_is_counted_in_the_units_of_each_package),
		cmocka_unit_test(memory_is_counted_in_the_same_units_where_they_are_not_fixed),
		cmocka_unit_test(silvermont_counts_in_powers_of_a_microjoule),
		cmocka_unit_test(the_best_source_gives_each_domains_watts),
		cmocka_unit_test(mperf_is_set_against_the_clock_that_it_counts_at),
		cmocka_unit_test(files_of_sysfs_are_columns_too),
		cmocka_unit_test(interrupts_are_summed_over_cpus),
		cmocka_unit_test(idle_states_are_of_the_cpus_and_the_deepest_of_the_machine),
		cmocka_unit_test(clocks_have_their_share_of_the_time),
		cmocka_unit_test(the_tools_own_summary_follows_from_its_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
