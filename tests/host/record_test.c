/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/record.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "host/facts.h"
#include "tests/support/shared.h"

/* Recorded from <folder>/from to <folder>/to. */
struct rig {
	char folder[256], from[300], to[300];
	struct host host;
	int fd;
	struct record_count count;
	struct err err;
};

static int setup(void **state)
{
	struct rig *rig = calloc(1, sizeof(*rig));

	fresh_folder(rig->folder, sizeof(rig->folder));
	(void)snprintf(rig->from, sizeof(rig->from), "%s/from", rig->folder);
	(void)snprintf(rig->to, sizeof(rig->to), "%s/to", rig->folder);
	assert_int_equal(mkdir(rig->from, 0777), 0);
	assert_int_equal(mkdir(rig->to, 0777), 0);
	write_file(rig->from, "host", "page_size 65536\narch aarch64\n", 29);
	assert_int_equal(host_open_root(&rig->host, rig->from, &rig->err), 0);
	rig->fd = open(rig->to, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_true(rig->fd >= 0);
	*state = rig;
	return 0;
}

static int teardown(void **state)
{
	struct rig *rig = *state;

	host_close(&rig->host);
	(void)close(rig->fd);
	remove_tree(rig->folder);
	free(rig);
	return 0;
}

static int record(struct rig *rig, const char *pattern)
{
	return host_record(&rig->host, pattern, rig->fd, &rig->count, &rig->err);
}

static void wrote(struct rig *rig, const char *path, const char *expected)
{
	char whole[600];
	struct buf content;

	(void)snprintf(whole, sizeof(whole), "%s/%s", rig->to, path);
	content = read_whole(whole);
	assert_int_equal(content.len, strlen(expected));
	if (content.len)
		assert_memory_equal(content.data, expected, content.len);
	buf_free(&content);
}

static void copies_what_matches(void **state)
{
	struct rig *rig = *state;

	write_file(rig->from, "sys/node/node0/vmstat", "a 1\n", 4);
	write_file(rig->from, "sys/node/node1/vmstat", "a 22\n", 5);
	write_file(rig->from, "sys/node/node1/other", "x", 1);
	write_file(rig->from, "sys/node/node2/vmstat/folder", "x", 1);
	write_file(rig->from, "proc/empty", "", 0);
	assert_int_equal(record(rig, "sys/node/node*/vmstat"), 0);
	assert_int_equal(record(rig, "proc/empty"), 0);
	assert_int_equal(record(rig, "proc/nothing"), 0);
	assert_int_equal(rig->count.files, 3);
	assert_int_equal(rig->count.bytes, 9);
	assert_int_equal(rig->count.refused, 0);
	wrote(rig, "sys/node/node0/vmstat", "a 1\n");
	wrote(rig, "sys/node/node1/vmstat", "a 22\n");
	wrote(rig, "proc/empty", "");
	assert_int_equal(faccessat(rig->fd, "sys/node/node1/other", F_OK, 0), -1);
	assert_int_equal(faccessat(rig->fd, "sys/node/node0/.vmstat.part", F_OK, 0), -1);
}

static void replaces_an_older_copy(void **state)
{
	struct rig *rig = *state;

	write_file(rig->from, "proc/f", "a longer one", 12);
	assert_int_equal(record(rig, "proc/f"), 0);
	write_file(rig->from, "proc/f", "short", 5);
	assert_int_equal(record(rig, "proc/f"), 0);
	wrote(rig, "proc/f", "short");
}

static void makes_folders_of_links(void **state)
{
	struct rig *rig = *state;
	char link[600];
	struct stat st;

	write_file(rig->from, "sys/devices/eth0/speed", "1000\n", 5);
	(void)snprintf(link, sizeof(link), "%s/sys/eth", rig->from);
	assert_int_equal(symlink("devices/eth0", link), 0);
	assert_int_equal(record(rig, "sys/eth/*"), 0);
	wrote(rig, "sys/eth/speed", "1000\n");
	assert_int_equal(fstatat(rig->fd, "sys/eth", &st, AT_SYMLINK_NOFOLLOW), 0);
	assert_true(S_ISDIR(st.st_mode));
}

static void does_not_write_through_a_link(void **state)
{
	struct rig *rig = *state;

	write_file(rig->from, "proc/f", "x", 1);
	write_file(rig->folder, "elsewhere/f", "precious", 8);
	assert_int_equal(symlinkat("../elsewhere", rig->fd, "proc"), 0);
	assert_int_equal(record(rig, "proc/f"), -ENOTDIR);
	assert_string_equal(rig->err.text, "open the folder of proc/f: Not a directory");
}

static void counts_what_may_not_be_read(void **state)
{
	struct rig *rig = *state;
	struct host live;

	/* its first page is never there, not even for root: EIO */
	assert_int_equal(host_open_root(&live, NULL, &rig->err), 0);
	assert_int_equal(host_record(&live, "proc/self/mem", rig->fd, &rig->count, &rig->err), 0);
	assert_int_equal(rig->count.refused, 1);
	assert_int_equal(rig->count.files, 0);
	host_close(&live);
}

static void same_facts(struct rig *rig, const struct host *host)
{
	struct pairs before = { 0 }, after = { 0 };
	struct host again;

	assert_int_equal(host_facts(host, &before, &rig->err), 0);
	assert_int_equal(host_record_facts(host, rig->fd, &rig->count, &rig->err), 0);
	assert_int_equal(host_open_root(&again, rig->to, &rig->err), 0);
	assert_int_equal(host_facts(&again, &after, &rig->err), 0);
	for (size_t i = 0; i < before.count; i++) {
		const char *value = pairs_get(&after, before.at[i].name);

		if (!value || strcmp(value, before.at[i].value) != 0)
			fail_msg("%s was %s and is %s", before.at[i].name, before.at[i].value, value ? value : "lost");
	}
	assert_int_equal(after.count, before.count);
	assert_int_equal(again.page_size, host->page_size);
	assert_int_equal(again.ticks_per_second, host->ticks_per_second);
	host_close(&again);
	pairs_free(&before);
	pairs_free(&after);
}

static void gives_the_same_facts_of_this_machine(void **state)
{
	struct rig *rig = *state;
	struct host live;

	assert_int_equal(host_open_root(&live, NULL, &rig->err), 0);
	same_facts(rig, &live);
	assert_true(rig->count.files > 10);
	host_close(&live);
}

static void gives_the_same_facts_of_a_recording(void **state)
{
	struct rig *rig = *state;

	write_file(rig->from, "proc/sys/kernel/hostname", "box-12\n", 7);
	write_file(rig->from, "proc/cpuinfo", "processor: 0\nCPU implementer: 0x41\n", 35);
	write_file(rig->from, "sys/devices/system/cpu/online", "0-1\n", 4);
	write_file(rig->from, "sys/devices/system/cpu/cpu0/topology/core_cpus_list", "0-1\n", 4);
	write_file(rig->from, "sys/devices/system/node/node0/x", "", 0);
	write_file(rig->from, "sys/devices/system/node/online", "0\n", 2);
	write_file(rig->from, "proc/version", "Linux version 6.1 (x) #1 SMP\n", 29);
	same_facts(rig, &rig->host);
	wrote(rig, "host", "page_size 65536\nticks_per_second 100\narch aarch64\n");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(copies_what_matches),
		TEST(replaces_an_older_copy),
		TEST(makes_folders_of_links),
		TEST(does_not_write_through_a_link),
		TEST(counts_what_may_not_be_read),
		TEST(gives_the_same_facts_of_this_machine),
		TEST(gives_the_same_facts_of_a_recording),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
