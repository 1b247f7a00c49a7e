/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Faults that other programs were reported to have: data/cases, those of mode "delta" that counters are about. And two
 * snapshots of one machine, of which sysstat's own tests tell what mpstat and iostat say.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/take.h"
#include "tests/analysis/play.h"
#include "tests/support/shared.h"

#define INSTANCES 32
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
					    "in_flight", "io_ticks",	 "time_in_queue", "discard_ios",
					    "discard_merges", "discard_sectors", "discard_ticks", NULL };
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

/* Between them lie 31.17 s, as proc/uptime says. */
static void play_sysstat(struct play *p, const struct table *t, const char *file)
{
	static const double seconds[] = { 7192.55, 7223.72 };

	play_open(p);
	play_fact(p, REDUCE_PER_CPU_FACT, "yes");
	play_fact(p, "node.0.cpus", "0,2,4,6,8");
	play_fact(p, "node.1.cpus", "1,3,5,7");
	for (int i = 0; i < 2; i++) {
		char path[512], whole[1024];
		struct buf b;

		(void)snprintf(path, sizeof(path), "roots/sysstat-root%d/proc/%s", i + 1, file);
		if (!shared_path(whole, sizeof(whole), path)) {
			play_close(p);
			skip();
		}
		b = read_whole(whole);
		play_table(p, t, buf_text(&b), seconds[i], (uint32_t)i + 1);
		buf_free(&b);
	}
	play_finish(p);
}

/* The key has that number, which is printed with two decimals; of zero there may be no key. */
static void expect_printed(const struct play *p, const char *family, struct text of, const char *column,
			   const char *suffix, struct text printed)
{
	char key[128];
	int64_t hundredths;
	double have = 0;

	(void)snprintf(key, sizeof(key), "%s.%.*s.%s%s", family, TEXT_ARGS(of), column, suffix);
	assert_true(text_decimal(&printed, 2, &hundredths));
	(void)stats_get(&p->stats, key, &have);
	if (have * 100 < (double)hundredths - 0.51 || have * 100 > (double)hundredths + 0.51)
		fail_msg("%s is %.17g, should be %.2f", key, have, (double)hundredths / 100);
}

static struct buf read_expected(const char *name)
{
	char path[512], relative[128];

	(void)snprintf(relative, sizeof(relative), "outputs/sysstat-expected/%s", name);
	assert_true(shared_path(path, sizeof(path), relative));
	return read_whole(path);
}

/* "all" is left out: sysstat adds up CPUs 0 to 7 and we take the kernel's line, in which 8, that went away, is. */
static void tells_of_each_cpu_and_node_what_mpstat_tells(void **state)
{
	static const char *const columns[] = { "usr",  "nice",	"sys",	 "iowait", "irq",
					       "soft", "steal", "guest", "gnice",  "idle" };
	struct text rest, line, word, of;
	const char *family = NULL;
	size_t checked = 0;
	struct buf expected;
	struct play p;

	play_sysstat(&p, &stat_table, "stat");
	expected = read_expected("expected.mpstat-A.txt");
	rest = buf_text(&expected);
	while (text_line(&rest, &line)) {
		if (!text_word(&line, &word) || !text_word(&line, &of))
			family = NULL;
		else if (memmem(line.at, text_len(line), "%usr", 4))
			family = text_is(of, "CPU") ? "mpstat.cpu" : "mpstat.node";
		else if (memmem(line.at, text_len(line), "/s", 2) || (family && !text_is(word, "12:53:21")))
			break; /* the first interval is told */
		else if (family && !text_is(of, "all"))
			for (size_t i = 0; i < sizeof(columns) / sizeof(*columns) && text_word(&line, &word); i++, checked++)
				expect_printed(&p, family, of, columns[i], "%", word);
	}
	assert_int_equal(checked, (8 + 2) * 10);
	buf_free(&expected);
	play_close(&p);
}

static void tells_of_disks_what_iostat_tells(void **state)
{
	static const char *const columns[] = {
		"r/s", "rkB/s", "rrqm/s", NULL, "r_await", "rareq-sz", "w/s", "wkB/s", "wrqm/s", NULL, "w_await",
		"wareq-sz", "d/s", "dkB/s", "drqm/s", NULL, "d_await", "dareq-sz", NULL, NULL, "avgqu-sz", "util",
	};
	struct text rest, line, word, of;
	size_t checked = 0, blocks = 0;
	struct buf expected;
	struct play p;

	play_sysstat(&p, &disk_table, "diskstats");
	expected = read_expected("expected.iostat-x.txt");
	rest = buf_text(&expected);
	while (text_line(&rest, &line)) {
		blocks += text_starts(line, "Device");
		if (blocks != 2 || !text_starts(line, "sd") || !text_word(&line, &of))
			continue; /* the first block is since the boot */
		for (size_t i = 0; i < sizeof(columns) / sizeof(*columns) && text_word(&line, &word); i++) {
			if (columns[i])
				expect_printed(&p, "iostat", of, columns[i], "", word);
			checked++;
		}
	}
	assert_int_equal(checked, 5 * 22);
	buf_free(&expected);
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
		cmocka_unit_test(tells_of_each_cpu_and_node_what_mpstat_tells),
		cmocka_unit_test(tells_of_disks_what_iostat_tells),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
