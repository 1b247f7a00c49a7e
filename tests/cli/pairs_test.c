/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Three recordings of one machine, 31 seconds apart, in which a CPU goes off, another one's iowait steps back, a network
 * card begins anew; and two of an older one. What sysstat prints for them is the measure of our columns.
 */
#include <math.h>

#include "tests/cli/replay.h"

/* `times`: of the trees sysstat-root<first>, <first + 1>, ... */
static bool replay_roots(struct replay *r, int first, const double *times, size_t count)
{
	char path[512], name[64];

	if (!shared_path(path, sizeof(path), "roots/sysstat-root1"))
		return false;
	replay_open(r);
	for (size_t i = 0; i < count; i++) {
		(void)snprintf(name, sizeof(name), "roots/sysstat-root%d", first + (int)i);
		assert_true(shared_path(path, sizeof(path), name));
		replay_tree(r, path, times[i], NULL);
	}
	replay_finish(r);
	return true;
}

static void steps_back_and_cpus_that_go_off_are_no_counts(void **state)
{
	static const double times[] = { 7192.55, 7223.72, 7254.96 };
	struct replay r;

	if (!replay_roots(&r, 1, times, 3))
		skip();
	/* CPU 7: user 116, system 49, idle 6059, irq 5, softirq 4, iowait 2 and then 1 back; ticks 3115 + 3120 */
	expect(&r.play, "mpstat.cpu.7.usr%", 100.0 * 116 / 6235);
	expect(&r.play, "mpstat.cpu.7.sys%", 100.0 * 49 / 6235);
	expect(&r.play, "mpstat.cpu.7.idle%", 100.0 * 6059 / 6235);
	expect(&r.play, "mpstat.cpu.7.iowait%", 100.0 * 2 / 6235);
	/* CPU 8 is off after the first: one reading is no difference. CPU 6 has one interval. */
	expect_none(&r.play, "mpstat.cpu.8.usr%");
	expect(&r.play, "mpstat.cpu.6.usr%", 100.0 * 75 / 3111);
	/* All of them: 1021 of 49773 ticks. */
	expect(&r.play, "mpstat.cpu.all.usr%", 100.0 * 1021 / 49773);
	expect(&r.play, "proc-stat.ctxt", 134044213 - 130465866);
	expect(&r.play, "proc-stat.processes", 47234 - 46972);
	expect(&r.play, "proc-stat.intr", 96974734 - 95105080);
	/* The card begins anew: what it counts from then on. */
	expect(&r.play, "netdev.enp6s0.rx_bytes", 2059169);
	expect(&r.play, "netdev.enp6s0.tx_packets", 545);
	expect(&r.play, "diskstats.read_ios.sda", 100);
	expect(&r.play, "diskstats.read_sectors.sda1", 100);
	expect(&r.play, "pressure.cpu.some.total", 1553911 - 1473177);
	expect(&r.play, "pressure.io.full.total", 93822846 - 92732851);
	expect(&r.play, "uptime.boot", 7254.96);
	replay_close(&r);
}

/* The number of that device under that title of the n-th table that has the title; NaN: no such line. */
static double printed(const char *text, size_t nth, const char *device, const char *title)
{
	struct text rest = text_of(text), line, word;
	size_t tables = 0, column = 0;

	while (text_line(&rest, &line)) {
		struct text words = line;

		if (text_word(&words, &word) && (text_is(word, "Device") || text_is(word, "avg-cpu:"))) {
			column = 0;
			for (size_t i = 1; text_word(&words, &word) && column == 0; i++)
				column = text_is(word, title) ? i : 0;
			tables += column > 0;
			continue;
		}
		words = line;
		if (tables != nth || column == 0 || !text_word(&words, &word))
			continue;
		if (*device ? !text_is(word, device) : !memchr("0123456789", *word.at, 10))
			continue;
		for (size_t i = *device ? 0 : 1; i < column; i++)
			assert_true(text_word(&words, &word));
		return strtod(word.at, NULL);
	}
	return NAN;
}

/* As it calls them, and we. Its columns of discards and flushes are our diskstats.discard_*, .flush_*. */
static const char *const disk_titles[][2] = {
	{ "r/s", "r/s" },	  { "w/s", "w/s" },	    { "rkB/s", "rkB/s" },	{ "wkB/s", "wkB/s" },
	{ "rrqm/s", "rrqm/s" },	  { "wrqm/s", "wrqm/s" },   { "r_await", "r_await" },	{ "w_await", "w_await" },
	{ "rareq-sz", "rareq-sz" }, { "wareq-sz", "wareq-sz" }, { "aqu-sz", "avgqu-sz" }, { "%util", "util" },
};
static const char *const cpu_titles[][2] = { { "%user", "user" },     { "%nice", "nice" },   { "%system", "system" },
					     { "%iowait", "iowait" }, { "%steal", "steal" }, { "%idle", "idle" } };

/* It prints two decimals; 0.00 may stand for a key that is not there, as nothing ever moved. */
static size_t compare(struct replay *r, const char *key, double want)
{
	double have = 0;

	if (isnan(want))
		return 0;
	if (!stats_get(&r->play.stats, key, &have) && fabs(want) > 0.005)
		fail_msg("%s is not there, should be %.2f", key, want);
	if (fabs(have - want) > 0.0051)
		fail_msg("%s is %.5f, should be %.2f", key, have, want);
	return 1;
}

static size_t compare_all(struct replay *r, const char *text, size_t nth, const char *const (*titles)[2], size_t count)
{
	/* Not sdb and sdd, which are other disks in the third tree. sysstat follows a disk by its identity and counts a new
	 * one from 0; here a counter that is lower in the next generation begins anew and adds nothing. */
	static const char *const devices[] = { "sda", "sdq", "sdr", "sds" };
	size_t compared = 0;
	char key[64];

	for (size_t t = 0; t < sizeof(cpu_titles) / sizeof(*cpu_titles); t++) {
		(void)snprintf(key, sizeof(key), "iostat.cpu.%s", cpu_titles[t][1]);
		compared += compare(r, key, printed(text, nth, "", cpu_titles[t][0]));
	}
	for (size_t d = 0; d < sizeof(devices) / sizeof(*devices); d++)
		for (size_t t = 0; t < count; t++) {
			(void)snprintf(key, sizeof(key), "iostat.%s.%s", devices[d], titles[t][1]);
			compared += compare(r, key, printed(text, nth, devices[d], titles[t][0]));
		}
	return compared;
}

static void iostats_columns_are_sysstats(void **state)
{
	static const double times[] = { 7192.55, 7223.72, 7254.96 };
	static const char *const plain_titles[][2] = { { "kB_read/s", "rkB/s" }, { "kB_wrtn/s", "wkB/s" } };
	char path[512];
	size_t compared = 0;
	struct buf text;
	struct replay r;

	if (!shared_path(path, sizeof(path), "outputs/sysstat-expected/expected.iostat-x.txt"))
		skip();
	text = read_whole(path);
	assert_true(replay_roots(&r, 1, times, 2));
	compared += compare_all(&r, text.data, 2, disk_titles, sizeof(disk_titles) / sizeof(*disk_titles));
	replay_close(&r);
	buf_free(&text);
	assert_true(shared_path(path, sizeof(path), "outputs/sysstat-expected/expected.iostat.txt"));
	text = read_whole(path);
	for (size_t interval = 0; interval < 2; interval++) { /* the first table is since boot */
		assert_true(replay_roots(&r, 1 + (int)interval, times + interval, 2));
		compared += compare_all(&r, text.data, interval + 2, plain_titles, 2);
		replay_close(&r);
	}
	buf_free(&text);
	print_message("# %zu columns\n", compared);
	assert_int_equal(compared, 6 + 4 * 12 + 2 * (6 + 4 * 2));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(steps_back_and_cpus_that_go_off_are_no_counts),
		cmocka_unit_test(iostats_columns_are_sysstats),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
