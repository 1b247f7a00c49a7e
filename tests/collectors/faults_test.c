/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every collector on a recorded tree that it works on, in bad weather: each of its files cannot be opened, cannot be
 * read, comes in small pieces, is interrupted, is cut short, has garbage in its middle. Nothing crashes, the reason is
 * one line, the rest goes on, and what comes back is what there was before.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/procfile.h"
#include "host/seen.h"
#include "tests/support/faults.h"
#include "tests/support/rig.h"
#include "tests/support/shared.h"

#define FILES_TRIED 5 /* of a collector with many: from the first to the last */

/* Trees that all collectors find something in, taken together; the first that has something is taken. */
static const char *const trees[] = { "node-exporter", "hotsos-kubernetes", "pcp-meminfo-007", "pcp-scsi-map",
				     "jc-linux-proc", "hwloc-2arm-2c", "pcp-rapl-t460s", "ul-x86_64-64cpu",
				     "nri-sample1", "pcp-cgroups-001", "pcp-nfsrpc-001" };

/* What none of them has. */
static const char *const own[][2] = {
	{ "proc/vmallocinfo", "0xffffa000-0xffffb000   20480 kernel_clone+0xb8/0x400 pages=4 vmalloc N0=3 N1=1\n"
			      "0xffffb000-0xffffd000    8192 map+0x1bc/0x1e0 phys=0x00000000000a0000 ioremap\n" },
	{ "proc/self/mountstats", "device tmpfs mounted on /run with fstype tmpfs\n"
				  "device server:/export mounted on /mnt with fstype nfs4 statvers=1.1\n"
				  "\topts:\trw,vers=4.2\n\tage:\t13968\n\tevents:\t52 226 0 0 1 13 398\n"
				  "\tbytes:\t1207640230 0 0 0 1210214218 0 295483 0\n"
				  "\tRPC iostats version: 1.1  p/v: 100003/4 (nfs)\n"
				  "\txprt:\ttcp 832 0 1 0 11 6428 6428 0 12154 0 24 26 5726\n"
				  "\tper-op statistics\n\t        READ: 1298 1298 0 207680 1210292152 6 79386 79407 0\n" },
	{ "proc/lock_stat", "lock_stat version 0.4\n------\n"
			    "class name    con-bounces    contentions   waittime-min   waittime-max waittime-total   "
			    "waittime-avg    acq-bounces   acquisitions   holdtime-min   holdtime-max holdtime-total   "
			    "holdtime-avg\n------\n\n&mm->mmap_sem-W: 46 84 0.26 939.10 16371.53 194.90 47291 2922365 "
			    "0.16 2220301.69 17464026916.32 5975.99\n---------------\n"
			    "&mm->mmap_sem 84 [<ffffffff811502a7>] vm_munmap+0x41/0x80\n" },
	{ "proc/latency_stats", "Latency Top version : v0.1\n21 128 87 ep_poll do_epoll_wait\n3 9 5 do_wait\n" },
	{ "sys/kernel/debug/zswap/pool_total_size", "4096\n" },
	{ "sys/kernel/debug/zswap/stored_pages", "17\n" },
	{ "sys/kernel/mm/transparent_hugepage/khugepaged/pages_collapsed", "12\n" },
	{ "sys/kernel/mm/transparent_hugepage/khugepaged/full_scans", "3\n" },
	{ "log/dmesg", "[    0.100000] x86: Booting SMP configuration:\n[    0.300000] smp: Brought up 1 node, 2 CPUs\n"
		       "[    2.500000] Freeing unused kernel image (initmem) memory: 4776K\n" },
	{ "proc/net/stat/nf_conntrack", "entries  clashres found new\n00000021  00000000 00000003 0000000a\n" },
	{ "proc/net/stat/arp_cache", "entries  allocs   destroys\n00000005  0000000b 00000006\n" },
	{ "proc/net/stat/ndisc_cache", "entries  allocs   destroys\n00000002  00000004 00000002\n" },
	{ "proc/net/stat/rt_cache", "entries  in_hit   in_slow_tot\n00000007  00000000 00000022\n" },
};

struct values {
	int64_t *at;
	uint64_t *present;
	size_t slots;
};

static void keep(struct values *v, const struct sample *s)
{
	size_t words = (shape_slots(s->shape) + 63) / 64;

	v->slots = shape_slots(s->shape);
	v->at = malloc((v->slots + 1) * sizeof(*v->at));
	v->present = malloc((words + 1) * sizeof(*v->present));
	assert_non_null(v->at);
	assert_non_null(v->present);
	memcpy(v->at, s->values, v->slots * sizeof(*v->at));
	memcpy(v->present, s->present, words * sizeof(*v->present));
}

static void forget(struct values *v)
{
	free(v->at);
	free(v->present);
}

static bool was_there(const struct values *v, size_t slot)
{
	return v->present[slot / 64] >> slot % 64 & 1;
}

/* All that was there is there again, with its value. */
static void assert_as_before(struct rig *rig, const struct values *v, const char *path, const char *what)
{
	if (shape_slots(&rig->run.shape) != v->slots)
		fail_msg("%s: %s: %s: %zu slots, not %zu", rig->run.collector->name, path, what,
			 shape_slots(&rig->run.shape), v->slots);
	for (size_t slot = 0; slot < v->slots; slot++)
		if (sample_has(&rig->run.sample, slot) != was_there(v, slot) ||
		    (was_there(v, slot) && rig->run.sample.values[slot] != v->at[slot]))
			fail_msg("%s: %s: %s: slot %zu differs", rig->run.collector->name, path, what, slot);
}

/* Nothing is there that was not, and what is there has its value. */
static void assert_no_other_value(struct rig *rig, const struct values *v, const char *path, const char *what)
{
	if (!rig->run.is_open || rig->run.shape.generation != 1)
		return;
	for (size_t slot = 0; slot < v->slots; slot++)
		if (sample_has(&rig->run.sample, slot) &&
		    (!was_there(v, slot) || rig->run.sample.values[slot] != v->at[slot]))
			fail_msg("%s: %s: %s: slot %zu has another value", rig->run.collector->name, path, what, slot);
}

static void assert_one_line(struct rig *rig, int r)
{
	assert_int_equal(rig->err.code, r);
	assert_true(strlen(rig->err.text) > 0);
	assert_null(strchr(rig->err.text, '\n'));
}

static int sample_number(struct rig *rig, unsigned number)
{
	faults_sample(number);
	return rig_sample(rig);
}

/* Opens; samples once; and again while `f` happens; and once more when it is over. */
static void fail_while_it_runs(struct rig *rig, const struct collector *c, struct fault *f, const struct values *v,
			       const char *what)
{
	int r;

	faults_set(rig->root, f, 1);
	if (rig_open(rig, c) < 0 || sample_number(rig, 1) < 0)
		fail_msg("%s: %s", c->name, rig->err.text);
	r = sample_number(rig, 2);
	if (r < 0)
		assert_one_line(rig, r);
	else if (f->calls && !f->chunks[0] && !f->times)
		assert_no_other_value(rig, v, f->path, what);
	assert_no_other_value(rig, v, f->path, what);
	if (f->times || f->chunks[0]) {
		assert_int_equal(r, 0);
		assert_as_before(rig, v, f->path, what);
	}
	faults_set(rig->root, NULL, 0);
	if (f->error && !procfile_passes(-f->error)) /* it went away: what comes is found at the next opening */
		rig_start(rig, c);
	r = rig_sample(rig);
	if (r < 0)
		fail_msg("%s: %s: %s is over: %s", c->name, f->path, what, rig->err.text);
	assert_as_before(rig, v, f->path, what);
}

/* Opens while `f` happens; and samples; once more when it is over, opened anew. */
static void fail_at_opening(struct rig *rig, const struct collector *c, struct fault *f, const struct values *v)
{
	int r;

	faults_set(rig->root, f, 1);
	r = rig_open(rig, c);
	if (r < 0) {
		assert_one_line(rig, r);
	} else {
		r = sample_number(rig, 1);
		if (r < 0)
			assert_one_line(rig, r);
	}
	faults_set(rig->root, NULL, 0);
	rig_start(rig, c);
	assert_as_before(rig, v, f->path, "failed at opening");
}

static void errors(struct rig *rig, const struct collector *c, const char *path, const struct values *v)
{
	static const int codes[] = { EIO, EACCES, ENOENT, ENODEV, ENODATA, EOPNOTSUPP, ESRCH, EINVAL };

	for (size_t i = 0; i < sizeof(codes) / sizeof(*codes); i++) {
		struct fault f = { .call = FAULT_READ, .error = codes[i], .from = 2 };

		(void)snprintf(f.path, sizeof(f.path), "/%s", path);
		fail_while_it_runs(rig, c, &f, v, strerror(codes[i]));
		f = (struct fault){ .call = FAULT_OPEN, .error = codes[i] };
		(void)snprintf(f.path, sizeof(f.path), "/%s", path);
		fail_at_opening(rig, c, &f, v);
		f.call = FAULT_READ;
		fail_at_opening(rig, c, &f, v);
	}
}

static void pieces(struct rig *rig, const struct collector *c, const char *path, const struct values *v)
{
	static const size_t sizes[][8] = { { 1, 7, 4096 }, { 3 }, { 4095, 1 } };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		struct fault f = { .call = FAULT_READ };

		memcpy(f.chunks, sizes[i], sizeof(f.chunks));
		(void)snprintf(f.path, sizeof(f.path), "/%s", path);
		fail_while_it_runs(rig, c, &f, v, "read in pieces");
	}
	struct fault interrupted = { .call = FAULT_READ, .error = EINTR, .from = 2, .times = 3 };

	(void)snprintf(interrupted.path, sizeof(interrupted.path), "/%s", path);
	fail_while_it_runs(rig, c, &interrupted, v, "interrupted");
}

static struct buf whole(struct rig *rig, const char *path)
{
	char name[1000];

	(void)snprintf(name, sizeof(name), "%s/%s", rig->root, path);
	return read_whole(name);
}

/* The file is written as it stands, not another one in its place: the collector has it open. */
static void put(struct rig *rig, const char *path, const char *content, size_t length)
{
	char name[1000];
	int fd;

	(void)snprintf(name, sizeof(name), "%s/%s", rig->root, path);
	fd = open(name, O_WRONLY | O_TRUNC | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, content, length), (ssize_t)length);
	(void)close(fd);
}

/* The content is `length` bytes of `text`, then what it was. */
static void change(struct rig *rig, const struct collector *c, const char *path, const struct values *v,
		   const struct buf *was, const char *text, size_t length)
{
	int r;

	rig_start(rig, c);
	put(rig, path, text, length);
	for (int i = 0; i < 2; i++) {
		r = rig_sample(rig);
		if (r < 0)
			assert_one_line(rig, r);
	}
	if (rig_open(rig, c) == 0)
		(void)rig_sample(rig);
	put(rig, path, was->data, was->len);
	r = rig_sample(rig);
	if (r < 0 && rig_open(rig, c) == 0)
		r = rig_sample(rig);
	if (r < 0)
		fail_msg("%s: %s is whole again: %s", c->name, path, rig->err.text);
	rig_start(rig, c);
	assert_as_before(rig, v, path, "whole again");
}

static void damages(struct rig *rig, const struct collector *c, const char *path, const struct values *v)
{
	static const char garbage[] = "\xff\0 9:=\n-\n18446744073709551616 x\n::\nNode";
	cleanup_buf struct buf was = whole(rig, path);
	cleanup_buf struct buf odd = { 0 };
	size_t half = was.len / 2;

	if (was.len == 0)
		return;
	change(rig, c, path, v, &was, "", 0);
	change(rig, c, path, v, &was, was.data, half);
	change(rig, c, path, v, &was, was.data, was.len - 1);
	(void)buf_add(&odd, was.data, half);
	(void)buf_add(&odd, garbage, sizeof(garbage) - 1);
	(void)buf_add(&odd, was.data + half, was.len - half);
	change(rig, c, path, v, &was, odd.data, odd.len);
	for (int i = 0; i < 3; i++) /* longer than the buffer was made for */
		(void)buf_add(&odd, was.data, was.len);
	change(rig, c, path, v, &was, odd.data, odd.len);
}

static bool is_file(struct rig *rig, const char *path)
{
	char name[1000];
	struct stat st;

	(void)snprintf(name, sizeof(name), "%s/%s", rig->root, path);
	return stat(name, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0;
}

static void in_bad_weather(struct rig *rig, const struct collector *c, const struct seen *seen)
{
	struct values v;
	size_t files = 0, tried = 0;

	rig_start(rig, c);
	keep(&v, &rig->run.sample);
	for (size_t i = 0; i < seen->paths.count; i++)
		files += seen->results[i] == 0 && is_file(rig, seen->paths.at[i]);
	for (size_t i = 0, n = 0; i < seen->paths.count; i++) {
		if (seen->results[i] != 0 || !is_file(rig, seen->paths.at[i]))
			continue;
		if (n++ * FILES_TRIED < tried * files) /* evenly spread */
			continue;
		tried++;
		errors(rig, c, seen->paths.at[i], &v);
		pieces(rig, c, seen->paths.at[i], &v);
		damages(rig, c, seen->paths.at[i], &v);
	}
	assert_true(tried > 0);
	forget(&v);
}

/* True when it gives values on the rig's tree. */
static bool works(struct rig *rig, const struct collector *c, struct seen *seen)
{
	bool r;

	rig->host.seen = seen;
	r = collector_probe(c, &rig->host, &rig->err) == 0 && rig_open(rig, c) == 0 && rig_sample(rig) == 0 &&
	    rig_count(rig) > 0;
	rig->host.seen = NULL;
	return r && seen->paths.count > 0;
}

/* A copy of the tree, which may be changed. */
static bool copy_tree(struct rig *rig, const char *name)
{
	char command[3000];

	if (!rig_tree(rig, name))
		return false;
	if (strncmp(rig->root, rig->folder, strlen(rig->folder)) == 0)
		return true;
	(void)snprintf(command, sizeof(command), "%s/copy", rig->folder);
	assert_int_equal(mkdir(command, 0777), 0);
	(void)snprintf(command, sizeof(command), "cp -r %s/. %s/copy && chmod -R u+w %s/copy", rig->root, rig->folder,
		       rig->folder);
	FILE *copy = popen(command, "r");

	assert_non_null(copy);
	assert_int_equal(pclose(copy), 0);
	(void)snprintf(command, sizeof(command), "%s/copy", rig->folder);
	rig_root(rig, command);
	return true;
}

/* Those that find something in the rig's tree and have not been done yet. */
static size_t try_all(struct rig *rig, bool *done)
{
	size_t count = 0;

	for (size_t i = 0; collectors[i]; i++) {
		struct seen seen = { 0 };

		if (!done[i] && works(rig, collectors[i], &seen)) {
			in_bad_weather(rig, collectors[i], &seen);
			done[i] = true;
			count++;
		}
		seen_free(&seen);
	}
	return count;
}

static void every_collector_in_bad_weather(void **state)
{
	bool done[256] = { false };
	struct rig *rig = *state;
	size_t count, missing = 0;
	char path[512];

	for (size_t i = 0; i < sizeof(own) / sizeof(*own); i++)
		rig_file(rig, own[i][0], own[i][1]);
	count = try_all(rig, done);
	assert_true(count >= 10);
	if (!shared_path(path, sizeof(path), "roots"))
		skip();
	for (size_t t = 0; t < sizeof(trees) / sizeof(*trees); t++) {
		void *fresh;

		assert_int_equal(rig_setup(&fresh), 0);
		assert_true(copy_tree(fresh, trees[t]));
		count += try_all(fresh, done);
		(void)rig_teardown(&fresh);
	}
	for (size_t i = 0; collectors[i]; i++) {
		if (done[i] || strncmp(collectors[i]->name, "perf", 4) == 0 || strcmp(collectors[i]->name, "energy") == 0 ||
		    strcmp(collectors[i]->name, "turbostat") == 0)
			continue; /* of the processor: no file of a tree tells it */
		print_message("# %s works on none of these trees\n", collectors[i]->name);
		missing++;
	}
	print_message("# %zu collectors\n", count);
	assert_int_equal(missing, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RIG_TEST(every_collector_in_bad_weather),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
