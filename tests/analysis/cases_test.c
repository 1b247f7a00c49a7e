/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Faults that other programs were reported to have: data/cases, those of mode "delta" that counters are about. */
#include <stdio.h>
#include <stdlib.h>

#include "base/take.h"
#include "tests/analysis/play.h"
#include "tests/support/shared.h"

#define INSTANCES 16
#define COLUMNS	  17

/* A file of lines "<words> NAME NUMBER ...", as a sample: a shape of its own each time, as after -ESTALE. */
struct table {
	const char *collector;
	const char *const *columns; /* ends at NULL */
	const char *prefix;	    /* of the lines that count */
	size_t skip;		    /* words before the name */
	enum kind kind;
};

static void play_table(struct play *p, const struct table *t, struct text rest, double seconds, uint32_t generation)
{
	struct metric metrics[COLUMNS];
	const char *instances[INSTANCES];
	int64_t values[COLUMNS * INSTANCES], rows[INSTANCES][COLUMNS];
	struct shape shape = { t->collector, generation, metrics, 0, instances, 0 };
	struct text line, word;
	char *names[INSTANCES];

	while (t->columns[shape.metric_count]) {
		metrics[shape.metric_count] =
			(struct metric){ t->columns[shape.metric_count], t->kind, UNIT_NONE, 0, FOLD_NONE };
		shape.metric_count++;
	}
	while (text_line(&rest, &line) && shape.instance_count < INSTANCES) {
		size_t n = shape.instance_count;

		for (size_t i = 0; i <= t->skip; i++)
			if (!text_word(&line, &word))
				word = text_of("");
		if (!text_starts(word, t->prefix))
			continue;
		word.end -= text_ends(word, ":");
		names[n] = text_copy(text_is(word, "cpu") ? text_of("") : word);
		instances[n] = names[n];
		for (size_t i = 0; i < shape.metric_count; i++) {
			uint64_t value;

			rows[n][i] = text_u64(&line, &value) ? (int64_t)value : ABSENT;
		}
		shape.instance_count++;
	}
	for (size_t n = 0; n < shape.instance_count; n++)
		for (size_t i = 0; i < shape.metric_count; i++)
			values[i * shape.instance_count + n] = rows[n][i];
	play_sample(p, &shape, (uint64_t)(seconds * (double)SECOND), values);
	for (size_t n = 0; n < shape.instance_count; n++)
		free(names[n]);
}

static const char *const cpu_columns[] = { "user",    "nice",  "system", "idle",       "iowait", "irq",
					   "softirq", "steal", "guest",	 "guest_nice", NULL };
static const struct table stat_table = { "proc-stat", cpu_columns, "cpu", 0, COUNTER };
static const char *const disk_columns[] = { "read_ios",	 "read_merges",	 "read_sectors",  "read_ticks",
					    "write_ios", "write_merges", "write_sectors", "write_ticks",
					    "in_flight", "io_ticks",	 "time_in_queue", NULL };
static const struct table disk_table = { "diskstats", disk_columns, "sd", 2, COUNTER32 };

static const char *const net_columns[] = { "rx_bytes", "rx_packets", NULL };
static const struct table net_table = { "netdev", net_columns, "eth", 0, COUNTER };

/* The trees tA .. tB of a case, one a second. */
static void play_case(struct play *p, const struct table *t, const char *name, const char *file, int from, int to)
{
	char path[4096], whole[8192];
	struct run_header header = { 0 };

	play_open(p);
	play_fact(p, REDUCE_PER_CPU_FACT, "yes");
	for (int i = from; i <= to; i++) {
		struct buf b;

		(void)snprintf(path, sizeof(path), "cases/%s/t%d/proc/%s", name, i, file);
		if (!shared_path(whole, sizeof(whole), path)) {
			play_close(p);
			skip();
		}
		b = read_whole(whole);
		assert_int_equal(reduce_events.header(p->reduce, &header, &p->err), 0);
		play_table(p, t, buf_text(&b), i + 1, (uint32_t)i + 1);
		buf_free(&b);
	}
	play_finish(p);
}

static void iowait_that_steps_back_made_no_progress(void **state)
{
	struct play p;

	play_case(&p, &stat_table, "001-iowait-steps-back", "stat", 0, 1);
	expect(&p, "mpstat.cpu.0.usr%", 4);
	expect(&p, "mpstat.cpu.0.sys%", 2);
	expect(&p, "mpstat.cpu.0.idle%", 93.5);
	expect(&p, "mpstat.cpu.0.soft%", 0.5);
	expect_none(&p, "mpstat.cpu.0.iowait%");
	expect_none(&p, "vmstat.cpu.wa");
	play_close(&p);
}

static void a_cpu_that_is_away_has_no_rate(void **state)
{
	struct play p;

	play_case(&p, &stat_table, "002-cpu-away-and-back", "stat", 0, 1);
	expect_none(&p, "mpstat.cpu.2.usr%");
	expect_none(&p, "mpstat.cpu.2.idle%");
	expect(&p, "mpstat.cpu.1.usr%", 2);
	play_close(&p);

	play_case(&p, &stat_table, "002-cpu-away-and-back", "stat", 1, 2);
	expect_none(&p, "mpstat.cpu.2.usr%");
	expect_none(&p, "mpstat.cpu.2.idle%");
	expect(&p, "mpstat.cpu.1.usr%", 2);
	play_close(&p);

	play_case(&p, &stat_table, "002-cpu-away-and-back", "stat", 0, 3);
	expect(&p, "mpstat.cpu.2.usr%", 10); /* of t2 to t3 alone: 100 of 1000 ticks */
	play_close(&p);
}

static void idle_near_the_end_of_64_bits_does_not_move(void **state)
{
	struct play p;

	play_case(&p, &stat_table, "010-stat-value-near-2-64", "stat", 0, 1);
	expect(&p, "mpstat.cpu.0.usr%", 100);
	expect_none(&p, "mpstat.cpu.0.idle%");
	play_close(&p);
}

static void guests_are_a_part_of_user(void **state)
{
	struct play p;

	play_case(&p, &stat_table, "011-guest-inside-user", "stat", 0, 1);
	expect(&p, "mpstat.cpu.0.usr%", 15);
	expect(&p, "mpstat.cpu.0.guest%", 45);
	expect(&p, "mpstat.cpu.0.idle%", 30);
	expect(&p, "vmstat.cpu.us", 60);
	expect(&p, "iostat.cpu.user", 60);
	play_close(&p);
}

static void kernels_with_fewer_columns_are_understood(void **state)
{
	struct play p;

	play_open(&p);
	play_table(&p, &stat_table, text_of("cpu  100 0 200 3000\n"), 1, 1);
	play_table(&p, &stat_table, text_of("cpu  110 0 220 3070\n"), 2, 1);
	play_finish(&p);
	expect(&p, "mpstat.cpu.all.usr%", 10);
	expect(&p, "mpstat.cpu.all.sys%", 20);
	expect(&p, "mpstat.cpu.all.idle%", 70);
	expect_none(&p, "mpstat.cpu.all.steal%");
	play_close(&p);
}

static void a_disks_milliseconds_wrap_at_32_bits(void **state)
{
	struct play p;

	play_case(&p, &disk_table, "014-counter-wraps-at-32-bit", "diskstats", 0, 1);
	expect(&p, "diskstats.read_ticks.sda", 1704);
	expect(&p, "diskstats.read_ios.sda", 100);
	expect(&p, "diskstats.read_sectors.sda", 800);
	expect(&p, "diskstats.io_ticks.sda", 100);
	expect(&p, "iostat.sda.r_await", 17.04);
	play_close(&p);
}

/* The wall clock of these trees is set back by an hour; what is told is by the monotonic one, a second apart. */
static void a_wall_clock_that_is_set_back_changes_no_rate(void **state)
{
	struct play p;

	play_case(&p, &stat_table, "033-clock-steps-back-an-hour", "stat", 0, 1);
	expect(&p, "mpstat.cpu.0.usr%", 50);
	play_close(&p);

	play_case(&p, &net_table, "033-clock-steps-back-an-hour", "net/dev", 0, 1);
	expect(&p, "netdev.eth0.rx_bytes/s", 2000);
	play_close(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(iowait_that_steps_back_made_no_progress),
		cmocka_unit_test(a_cpu_that_is_away_has_no_rate),
		cmocka_unit_test(idle_near_the_end_of_64_bits_does_not_move),
		cmocka_unit_test(guests_are_a_part_of_user),
		cmocka_unit_test(kernels_with_fewer_columns_are_understood),
		cmocka_unit_test(a_disks_milliseconds_wrap_at_32_bits),
		cmocka_unit_test(a_wall_clock_that_is_set_back_changes_no_rate),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
