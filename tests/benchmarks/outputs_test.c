/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The shipped benchmarks over recorded outputs: data/outputs, data/outputs-real. */
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "analysis/number.h"
#include "analysis/results.h"
#include "base/names.h"
#include "benchmarks/benchmark.h"
#include "tests/support/shared.h"

static struct stats stats_of(const struct benchmark *b, struct text out)
{
	struct results_rules *rules = NULL;
	struct stats s = { 0 };
	struct err err = { 0 };
	size_t count;

	assert_int_equal(results_compile(text_of(b->results_json), &rules, &err), 0);
	assert_int_equal(results_apply(rules, b->name, out, text_of(""), &s, &count, &err), 0);
	results_free(rules);
	stats_sort(&s);
	return s;
}

static void expect(const struct stats *s, const char *key, double want)
{
	double have = -1;

	if (!stats_get(s, key, &have) || have != want)
		fail_msg("%s is %.17g, should be %.17g", key, have, want);
}

/* What of the expected values is named otherwise here (a glob -> what stands for its first part), or is not given:
 * NULL. */
struct difference {
	const char *benchmark, *expected, *key;
};

static const struct difference differences[] = {
	{ "reaim", "row*", NULL }, /* single rows: the means are given */
	{ "reaim", "max_jobs_per_min.*", NULL },
	{ "fio", "write_*", NULL }, /* zeros of a direction in which nothing was done: absent is not zero */
	{ "fio", "randread.read.bw_mib/s", "randread.read.bw_mib/s" },
	{ "fio", "randread.read.clat_usec_.avg", "randread.read.clat_usec" },
	{ "sysbench", "latency_ms_.min", "latency_ms.min" },
	{ "sysbench", "latency_ms_.avg", "latency_ms.avg" },
	{ "sysbench", "latency_ms_.max", "latency_ms.max" },
	{ "sysbench", "latency_ms_.95th_percentile", "latency_ms.95th_percentile" },
	{ "sysbench", "latency_ms_.sum", "latency_ms.sum" },
	{ "stress-ng", "*.pass", NULL }, /* states, no results */
	{ "stress-ng", "*.fail", NULL },
	{ "stress-ng", "*.bogo_ops", ".ops" },
	{ "stress-ng", "*.real_time_secs", ".time.real" },
	{ "stress-ng", "*.usr_time_secs", ".time.user" },
	{ "stress-ng", "*.sys_time_secs", ".time.sys" },
	{ "stress-ng", "*.bogo_ops/s_real_time", ".ops_per_sec" },
	{ "stress-ng", "*.bogo_ops/s_usr+sys_time", ".ops_per_cpu_sec" },
	{ "stress-ng", "*.bogo_ops_per_second_usr_sys_time", ".ops_per_cpu_sec" },
	{ "stress-ng", "*.bogo_ops_per_second_real_time", ".ops_per_sec" },
	{ "stress-ng", "*.wall_clock_time", ".time.real" },
	{ "stress-ng", "*.user_time", ".time.user" },
	{ "stress-ng", "*.system_time", ".time.sys" },
	{ "iperf", "end.sum_sent.bits_per_second", "tcp.sender.bps" },
	{ "iperf", "end.sum_sent.bytes", "sent_bytes" },
	{ "iperf", "end.sum_received.bits_per_second", "tcp.receiver.bps" },
	{ "iperf", "end.sum_received.bytes", "received_bytes" },
	{ "iperf", "end.sum_sent.retransmits", "retransmits" },
	{ "iperf", "end.sum.bits_per_second", "udp.bps" },
	{ "iperf", "end.sum.jitter_ms", "jitter_ms" },
	{ "iperf", "end.sum.lost_packets", "lost_packets" },
	{ "iperf", "end.sum.packets", "packets" },
	{ "iperf", "end.sum.lost_percent", "lost_percent" },
	{ "dbench", "throughput", "throughput_mb/s" },
	{ "tbench", "throughput", "throughput_mb/s" },
	{ "will-it-scale", "assertion*", NULL }, /* a failure, no result */
	{ "vm-scalability", "#*", NULL },
	{ "vm-scalability", "throughput", "truncate" },
	{ "vm-scalability", "median", "truncate" },
	{ "vm-scalability", "throughput_fault", "fault" },
	{ "vm-scalability", "median_fault", "fault" },
	{ "vm-scalability", "*stddev*", NULL },
	{ "unixbench", "workload", NULL }, /* of the wall clock of the run */
	{ "unixbench", "test.pass", NULL },
	{ "schbench", "*_end_latency_*", NULL }, /* the last interval of each iteration */
	{ "schbench", "*.instance*", NULL },
	{ "jitter", "*99th_percentile", NULL },
	{ "netperf", "workload", NULL },
};

/* Lower case, and '_' for all but letters, digits and "./%+#", one for many, none at the end. */
static void plain_name(struct text key, char *ret, size_t size)
{
	static const char kept[] = "abcdefghijklmnopqrstuvwxyz0123456789./%+#";
	size_t n = 0;

	for (; key.at < key.end && n + 1 < size; key.at++) {
		char c = *key.at >= 'A' && *key.at <= 'Z' ? (char)(*key.at | 0x20) : *key.at;

		if (strchr(kept, c))
			ret[n++] = c;
		else if (n && ret[n - 1] != '_')
			ret[n++] = '_';
	}
	while (n && ret[n - 1] == '_')
		n--;
	ret[n] = '\0';
}

/* False: it is not given here. */
static bool own_name(const char *benchmark, struct text expected, char *ret, size_t size)
{
	plain_name(expected, ret, size);
	for (size_t i = 0; i < sizeof(differences) / sizeof(*differences); i++) {
		const struct difference *d = &differences[i];
		char *dot = strchr(ret, '.');

		if (strcmp(d->benchmark, benchmark) != 0 || !text_glob(text_of(ret), d->expected))
			continue;
		if (!d->key)
			return false;
		if (*d->key == '.' && dot)
			(void)snprintf(dot, size - (size_t)(dot - ret), "%s", d->key);
		else
			(void)snprintf(ret, size, "%s", d->key);
		return true;
	}
	return true;
}

static bool find(const struct stats *s, const char *benchmark, const char *name, double *ret)
{
	for (size_t i = 0; i < s->count; i++) {
		char plain[256];

		plain_name(text_of(s->at[i].key + strlen(benchmark) + 1), plain, sizeof(plain));
		*ret = s->at[i].value;
		if (strcmp(plain, name) == 0)
			return true;
	}
	return false;
}

/* The origin of some rounds to two places. */
static bool is_near(const char *benchmark, double have, double want)
{
	bool rounds = strcmp(benchmark, "dbench") == 0 || strcmp(benchmark, "tbench") == 0;

	return (have >= want - fabs(want) * 1e-12 && have <= want + fabs(want) * 1e-12) ||
	       (rounds && fabs(have - want) <= 0.005 + 1e-9);
}

/* "key: number" lines, all of which must be there; nothing at all where there are none. */
static void compare(const char *file, const struct benchmark *b, const struct stats *s, struct text expected)
{
	struct text line;
	size_t wanted = 0;

	while (text_line(&expected, &line)) {
		const char *colon = NULL;
		char name[256];
		double want, have = 0;

		for (const char *at = line.at; at + 1 < line.end; at++)
			if (at[0] == ':' && at[1] == ' ')
				colon = at;
		if (!colon || !number_read(text_trim((struct text){ colon + 1, line.end }), &want))
			continue;
		if (!own_name(b->name, (struct text){ line.at, colon }, name, sizeof(name)))
			continue;
		wanted++;
		if (!find(s, b->name, name, &have))
			fail_msg("%s: no %s", file, name);
		if (!is_near(b->name, have, want))
			fail_msg("%s: %s is %.17g, should be %.17g", file, name, have, want);
	}
	if (wanted == 0 && s->count)
		fail_msg("%s: %s found where nothing is", file, s->at[0].key);
}

static size_t each_file(const char *name, const char *folder)
{
	struct benchmark b = { 0 };
	struct err err = { 0 };
	char path[4096];
	size_t files = 0;
	DIR *dir;

	if (!shared_path(path, sizeof(path), folder))
		skip();
	assert_int_equal(benchmark_find(name, &b, &err), 0);
	dir = opendir(path);
	assert_non_null(dir);
	for (struct dirent *e; (e = readdir(dir));) {
		char whole[8192];
		struct buf out, expected;
		struct stats s;
		int stem = (int)strlen(e->d_name) - 4;

		if (!text_ends(text_of(e->d_name), ".txt") || strstr(e->d_name, ".expected.") ||
		    strncmp(e->d_name, "pbench-", 7) == 0) /* its own averages of many files */
			continue;
		(void)snprintf(whole, sizeof(whole), "%s/%s", path, e->d_name);
		out = read_whole(whole);
		(void)snprintf(whole, sizeof(whole), "%s/%.*s.expected.yaml", path, stem, e->d_name);
		expected = read_whole(whole);
		s = stats_of(&b, buf_text(&out));
		compare(e->d_name, &b, &s, buf_text(&expected));
		stats_free(&s);
		buf_free(&out);
		buf_free(&expected);
		files++;
	}
	(void)closedir(dir);
	benchmark_free(&b);
	return files;
}

static void reads_all_others(void **state)
{
	static const struct {
		const char *name, *folder;
		size_t files;
	} rows[] = {
		{ "aim7", "outputs-real/aim7", 1 },
		{ "aim9", "outputs/aim9", 1 },
		{ "autonuma-benchmark", "outputs/autonuma-benchmark", 1 },
		{ "blogbench", "outputs-real/blogbench", 1 },
		{ "cyclictest", "outputs-real/cyclictest", 3 },
		{ "dbench", "outputs/dbench", 1 },
		{ "dbench", "outputs-real/dbench", 1 },
		{ "fio", "outputs/fio", 2 },
		{ "fio", "outputs-real/fio", 4 },
		{ "fxmark", "outputs/fxmark", 1 },
		{ "iperf", "outputs/iperf", 3 },
		{ "iperf", "outputs-real/iperf", 2 },
		{ "jitter", "outputs/jitter", 1 },
		{ "kbuild", "outputs/kbuild", 1 },
		{ "lmbench", "outputs/lmbench3", 2 },
		{ "lz4-test", "outputs/lz4-test", 1 },
		{ "netperf", "outputs/netperf", 1 },
		{ "netpipe", "outputs/netpipe", 1 },
		{ "openssl-speed", "outputs/openssl-speed", 2 },
		{ "perf-bench", "outputs/perf-bench-futex", 2 },
		{ "perf-bench", "outputs/perf-bench-mem", 1 },
		{ "perf-bench", "outputs/perf-bench-numa-mem", 1 },
		{ "perf-bench", "outputs/perf-bench-syscall", 1 },
		{ "perf-bench", "outputs-real/perf-bench", 4 },
		{ "pgbench", "outputs-real/pgbench", 1 },
		{ "phpbench", "outputs/phpbench", 1 },
		{ "pybench", "outputs/pybench", 1 },
		{ "reaim", "outputs-real/reaim", 1 },
		{ "schbench", "outputs/schbench", 2 },
		{ "simoop", "outputs/simoop", 1 },
		{ "stress-ng", "outputs/stress-ng", 4 },
		{ "stress-ng", "outputs-real/stress-ng", 4 },
		{ "sysbench", "outputs-real/sysbench", 4 },
		{ "tbench", "outputs/tbench", 1 },
		{ "tbench", "outputs-real/tbench", 2 },
		{ "tinymembench", "outputs/tinymembench", 1 },
		{ "unixbench", "outputs/unixbench", 1 },
		{ "uperf", "outputs/uperf", 2 },
		{ "vm-scalability", "outputs/vm-scalability", 1 },
		{ "will-it-scale", "outputs/will-it-scale", 2 },
		{ "ycsb", "outputs/ycsb", 1 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		assert_int_equal(each_file(rows[i].name, rows[i].folder), rows[i].files);
}

/* No recorded output is there of these: short ones, as their sources print them. */
static void reads_what_is_not_recorded(void **state)
{
	static const struct {
		const char *name, *out, *key;
		double value;
	} rows[] = {
		{ "ebizzy", "34567 records/s\nreal 10.00 s\nuser 19.81 s\nsys   0.12 s\n", "ebizzy.throughput", 34567 },
		{ "ebizzy", "34567 records/s 100 200\nreal 10.00 s\n", "ebizzy.throughput", 34567 },
		{ "kernbench", "Average Optimal load -j 8 Run (std deviation):\nElapsed Time 81.5 (0.4)\n",
		  "kernbench.elapsed", 81.5 },
		{ "kernbench", "Average Optimal load -j 8 Run (std deviation):\nElapsed Time 81.5 (0.4)\n",
		  "kernbench.Optimal.elapsed_stddev", 0.4 },
		{ "stream", "Triad:           9512.4     0.025401     0.025231     0.026118\n",
		  "stream.Triad.best_rate_MBps", 9512.4 },
		{ "iperf",
		  "[  5]   0.00-10.00  sec  27.4 GBytes  23.5 Gbits/sec    0             sender\n"
		  "[  7]   0.00-10.00  sec  27.4 GBytes   500 Mbits/sec    0             sender\n"
		  "[SUM]   0.00-10.00  sec  27.4 GBytes  24.0 Gbits/sec    0             sender\n",
		  "iperf.text.sender.bps", 24e9 },
		{ "redis-benchmark",
		  "\"test\",\"rps\",\"avg_latency_ms\",\"min_latency_ms\",\"p50_latency_ms\",\"p95_latency_ms\",\"p99_"
		  "latency_"
		  "ms\",\"max_latency_ms\"\n\"LPUSH (needed, "
		  "too)\",\"50000.5\",\"0.5\",\"0.1\",\"0.4\",\"0.9\",\"1.2\",\"3.0\"\n",
		  "redis-benchmark.LPUSH_(needed,_too).p99_latency_ms", 1.2 },
		{ "google-benchmark",
		  "2026-11-30T10:00:00\n{\n\"context\": {},\n\"benchmarks\": [ {\"name\": \"BM_Copy/8\", "
		  "\"iterations\": 100, "
		  "\"real_time\": 2.5, \"cpu_time\": 2.25, \"time_unit\": \"ns\"} ]\n}\n",
		  "google-benchmark.BM_Copy/8.cpu_time", 2.25 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct benchmark b = { 0 };
		struct err err = { 0 };
		struct stats s;
		double have = -1;

		assert_int_equal(benchmark_find(rows[i].name, &b, &err), 0);
		s = stats_of(&b, text_of(rows[i].out));
		if (!stats_get(&s, rows[i].key, &have) || have != rows[i].value)
			fail_msg("%s is %.17g, should be %.17g", rows[i].key, have, rows[i].value);
		stats_free(&s);
		benchmark_free(&b);
	}
}

/* Each shipped one has results, a KPI, and a unit for each result. */
static void every_one_names_its_kpi(void **state)
{
	char **paths;
	struct err err;
	size_t count = 0;

	assert_int_equal(benchmark_paths(&paths, &err), 0);
	for (char **path = paths; *path; path++, count++) {
		struct benchmark b = { 0 };
		struct results_rules *rules = NULL;
		struct names kpis = { 0 };

		assert_int_equal(benchmark_read(*path, &b, &err), 0);
		assert_non_null(b.results_json);
		assert_int_equal(results_compile(text_of(b.results_json), &rules, &err), 0);
		assert_int_equal(results_kpis(rules, b.name, &kpis), 0);
		if (kpis.count == 0)
			fail_msg("%s: no KPI", *path);
		names_free(&kpis);
		results_free(rules);
		benchmark_free(&b);
	}
	benchmark_paths_free(paths);
	assert_true(count >= 35);
}

static void a_program_may_be_known_by_its_arguments(void **state)
{
	char *bench[] = { "/usr/bin/perf", "bench", "mem", "memcpy", NULL }, *stat[] = { "perf", "stat", NULL };
	char *alone[] = { "perf", NULL };
	struct benchmark b = { 0 };
	struct err err = { 0 };

	assert_int_equal(benchmark_recognise(bench, &b, &err), 0);
	assert_string_equal(b.name, "perf-bench");
	benchmark_free(&b);
	assert_int_equal(benchmark_recognise(stat, &b, &err), -ENOENT);
	assert_int_equal(benchmark_recognise(alone, &b, &err), -ENOENT);
}

/* Wherever the output ends before its document does. */
static void a_torn_document_gives_nothing(void **state)
{
	static const char whole[] =
		"{ \"jobs\" : [ { \"jobname\" : \"a\", \"error\" : 0, \"read\" : { \"iops\" : 12.5, "
		"\"total_ios\" : 5 } } ] }\n";
	struct benchmark b = { 0 };
	struct err err = { 0 };
	struct stats s;

	assert_int_equal(benchmark_find("fio", &b, &err), 0);
	s = stats_of(&b, text_of(whole));
	expect(&s, "fio.a.read.iops", 12.5);
	stats_free(&s);
	for (size_t n = 0; n < sizeof(whole) - 2; n++) {
		s = stats_of(&b, text_n(whole, n));
		assert_int_equal(s.count, 0);
		stats_free(&s);
	}
	benchmark_free(&b);
}

static void reads_hackbench(void **state)
{
	assert_int_equal(each_file("hackbench", "outputs/hackbench"), 1);
	assert_int_equal(each_file("hackbench", "outputs-real/hackbench"), 10);
}

static void reads_fsmark(void **state)
{
	assert_int_equal(each_file("fsmark", "outputs/fsmark"), 1);
	assert_int_equal(each_file("fsmark", "outputs-real/fsmark"), 7);
}

static void hackbench_counts_a_nominal_volume(void **state)
{
	static const char out[] =
		"Running in process mode with 10 groups using 40 file descriptors each (== 400 tasks)\n"
		"Each sender will pass 100 messages of 100 bytes\n"
		"Time: 0.5\n"
		"Running in process mode with 10 groups using 40 file descriptors each (== 400 tasks)\n"
		"Each sender will pass 100 messages of 100 bytes\n"
		"Time: 0.7\n"
		"Time: 0.1"; /* torn */
	struct benchmark b = { 0 };
	struct err err = { 0 };
	struct stats s;

	assert_int_equal(benchmark_find("hackbench", &b, &err), 0);
	s = stats_of(&b, text_of(out));
	assert_int_equal(s.count, 4);
	expect(&s, "hackbench.throughput", 3906 / 0.5); /* 4,000,000 bytes are 3906 kB and a bit */
	expect(&s, "hackbench.throughput_best", 3906 / 0.5);
	expect(&s, "hackbench.throughput_avg", 6510);
	expect(&s, "hackbench.throughput_worst", 3906 / 0.7);
	stats_free(&s);
	s = stats_of(&b, text_of("Time: 0.5\n")); /* of what? */
	assert_int_equal(s.count, 0);
	stats_free(&s);
	benchmark_free(&b);
}

static void fsmark_means_its_iterations(void **state)
{
	static const char out[] = "FSUse%        Count         Size    Files/sec     App Overhead\n"
				  "     5        51200         8192       8324.5           390190\n"
				  "     7       102400         8192       8325.5           390200\n"
				  "Average Files/sec:       8325.0\n"
				  "     9       102400         8192       1.5           1\n";
	struct benchmark b = { 0 };
	struct err err = { 0 };
	struct stats s;

	assert_int_equal(benchmark_find("fsmark", &b, &err), 0);
	s = stats_of(&b, text_of(out));
	assert_int_equal(s.count, 2);
	expect(&s, "fsmark.files_per_sec", 8325);
	expect(&s, "fsmark.app_overhead", 390195);
	stats_free(&s);
	benchmark_free(&b);
}

static int without_own_files(void **state)
{
	(void)unsetenv("ASSAY_BENCHMARKS");
	(void)unsetenv("HOME");
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_hackbench),
		cmocka_unit_test(reads_fsmark),
		cmocka_unit_test(reads_all_others),
		cmocka_unit_test(reads_what_is_not_recorded),
		cmocka_unit_test(every_one_names_its_kpi),
		cmocka_unit_test(a_program_may_be_known_by_its_arguments),
		cmocka_unit_test(a_torn_document_gives_nothing),
		cmocka_unit_test(hackbench_counts_a_nominal_volume),
		cmocka_unit_test(fsmark_means_its_iterations),
	};

	return cmocka_run_group_tests(tests, without_own_files, NULL);
}
