/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a snapshot of perf-stat costs beside the bare reads of its descriptors, in turn; medians of CPU time.
 *
 *   perf-stat.sample, .bare           20 software events of this kernel in 5 groups, on each of its CPUs
 *   perf-stat.sample-256, .bare-256   20 events in 7 groups on 256 CPUs of a simulated kernel, whose reads are copies
 *   perf-stat.open                    opening and closing the default events of this machine
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "collectors/perf_stat.h"
#include "tests/bench/spawned.h"

#define ROUNDS 401

/* ---- the simulated kernel: descriptors are numbers, every group counts half of the time ---- */

#define FDS 16384

static struct {
	int leader;
	unsigned members;
} simulated[FDS];
static int next_fd;
static uint64_t now_ns;

static int simulate_open(void *context, struct perf_event_attr *attr, int process, int cpu, int group)
{
	int fd = next_fd++;

	simulated[fd].leader = group < 0 ? fd : group;
	simulated[simulated[fd].leader].members++;
	return fd;
}

static int simulate_enable(void *context, int fd)
{
	return 0;
}

static long simulate_read(void *context, int fd, void *buffer, size_t size)
{
	uint64_t at[3 + 32] = { simulated[fd].members, now_ns, now_ns / 2 };

	for (unsigned i = 0; i < simulated[fd].members; i++)
		at[3 + i] = now_ns + i;
	memcpy(buffer, at, size);
	return (long)size;
}

static void simulate_close(void *context, int fd)
{
}

static uint64_t simulate_allow(void *context, uint64_t more)
{
	return 1 << 20;
}

static const struct perf_edge simulation = { .open = simulate_open,
					     .enable = simulate_enable,
					     .read = simulate_read,
					     .close = simulate_close,
					     .allow = simulate_allow };

static int open_simulated(const struct collector *self, void *state, const struct host *host, struct err *err)
{
	return perf_stat_open_by(self, state, host, &simulation, err);
}

/* ---- the kernel's, noting which descriptors are read ---- */

static struct {
	int fd;
	size_t size;
} read_by[4096];
static size_t reads;
static bool noting;

static long note_read(void *context, int fd, void *buffer, size_t size)
{
	if (noting && reads < sizeof(read_by) / sizeof(*read_by)) {
		read_by[reads].fd = fd;
		read_by[reads++].size = size;
	}
	return perf_edge_kernel.read(NULL, fd, buffer, size);
}

static int open_noting(const struct collector *self, void *state, const struct host *host, struct err *err)
{
	static struct perf_edge edge;

	edge = perf_edge_kernel;
	edge.read = note_read;
	return perf_stat_open_by(self, state, host, &edge, err);
}

/* ---- measuring ---- */

static double cpu_us(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static void bare_reads(bool simulate)
{
	uint64_t buffer[3 + 32];

	for (size_t i = 0; i < reads; i++)
		(void)(simulate ? simulate_read(NULL, read_by[i].fd, buffer, read_by[i].size) :
				  perf_edge_kernel.read(NULL, read_by[i].fd, buffer, read_by[i].size));
}

static void compare(struct collector_run *run, bool simulate, const char *suffix)
{
	static double sample[ROUNDS], bare[ROUNDS];
	struct err err;

	for (int i = 0; i < ROUNDS; i++) {
		double begin = cpu_us();

		now_ns += 1000000000;
		if (collector_run_sample(run, &err) < 0) {
			fprintf(stderr, "%s\n", err.text);
			return;
		}
		sample[i] = cpu_us() - begin;
		begin = cpu_us();
		bare_reads(simulate);
		bare[i] = cpu_us() - begin;
	}
	printf("perf-stat.sample%s %.1f us\n", suffix, median(sample, ROUNDS));
	printf("perf-stat.bare%s %.1f us\n", suffix, median(bare, ROUNDS));
	printf("perf-stat.groups%s %zu reads\n", suffix, reads);
}

static void here(const struct host *host)
{
	static const char *const options[] = {
		"events", "{cpu-clock,page-faults,context-switches,cpu-migrations}{task-clock,faults,cs,migrations}"
			  "{minor-faults,major-faults,alignment-faults,emulation-faults}"
			  "{cpu-clock:u,page-faults:u,cs:u,faults:u}{cpu-clock:k,page-faults:k,cs:k,faults:k}", NULL
	};
	struct collector noted = collector_perf_stat;
	struct collector_run run;
	struct err err;

	noted.open = open_noting;
	if (collector_run_open(&run, &noted, host, options, &err) < 0) {
		fprintf(stderr, "%s\n", err.text);
		return;
	}
	noting = true;
	(void)collector_run_sample(&run, &err);
	noting = false;
	compare(&run, false, "");
	collector_run_close(&run);
}

/* A folder, or a file that says something. */
static void put(const char *root, const char *path, const char *text)
{
	char whole[200];
	FILE *file;

	(void)snprintf(whole, sizeof(whole), "%s/%s", root, path);
	if (!text) {
		(void)mkdir(whole, 0700);
		return;
	}
	file = fopen(whole, "we");
	if (file) {
		(void)fputs(text, file);
		(void)fclose(file);
	}
}

static void there(void)
{
	static const char *const options[] = {
		"events", "{cpu-cycles,instructions,cache-references,cache-misses,branch-instructions,branch-misses}"
			  "{dTLB-loads,dTLB-load-misses}{dTLB-stores,dTLB-store-misses}{iTLB-loads,iTLB-load-misses}"
			  "{node-loads,node-load-misses}{node-stores,node-store-misses}"
			  "{cpu-clock,task-clock,page-faults,context-switches}", NULL
	};
	static const char *const folders[] = { "sys", "sys/devices", "sys/devices/system", "sys/devices/system/cpu", "sys/bus",
					       "sys/bus/event_source", "sys/bus/event_source/devices",
					       "sys/bus/event_source/devices/cpu" };
	char root[] = "/tmp/assay-bench.XXXXXX";
	char *clean[] = { "rm", "-rf", root, NULL };
	struct collector simulating = collector_perf_stat;
	struct collector_run run;
	struct host host;
	struct err err;

	if (!mkdtemp(root))
		return;
	for (size_t i = 0; i < sizeof(folders) / sizeof(*folders); i++)
		put(root, folders[i], NULL);
	put(root, "sys/devices/system/cpu/online", "0-255\n");
	put(root, "sys/bus/event_source/devices/cpu/type", "4\n");
	simulating.open = open_simulated;
	if (host_open_root(&host, root, &err) == 0) {
		if (collector_run_open(&run, &simulating, &host, options, &err) == 0) {
			reads = 0;
			for (int fd = 0; fd < next_fd && reads < sizeof(read_by) / sizeof(*read_by); fd++)
				if (simulated[fd].leader == fd) {
					read_by[reads].fd = fd;
					read_by[reads++].size = (3 + simulated[fd].members) * sizeof(uint64_t);
				}
			compare(&run, true, "-256");
			collector_run_close(&run);
		}
		host_close(&host);
	}
	(void)spawned(clean);
}

static void opening(const struct host *host)
{
	static double cost[ROUNDS];
	struct collector_run run;
	struct err err;

	for (int i = 0; i < ROUNDS; i++) {
		double begin = cpu_us();

		if (collector_run_open(&run, &collector_perf_stat, host, NULL, &err) < 0) {
			fprintf(stderr, "%s\n", err.text);
			return;
		}
		collector_run_close(&run);
		cost[i] = cpu_us() - begin;
	}
	printf("perf-stat.open %.1f us\n", median(cost, ROUNDS));
}

int main(void)
{
	struct host host;
	struct err err;

	if (host_open_root(&host, NULL, &err) < 0)
		return 1;
	here(&host);
	opening(&host);
	host_close(&host);
	there();
	return 0;
}
