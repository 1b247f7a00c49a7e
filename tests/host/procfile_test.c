/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/procfile.h"

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

#include "tests/support/alloc_count.h"
#include "tests/support/shared.h"

struct rig {
	char folder[256];
	struct host host;
	struct procfile file;
	struct text text;
	struct err err;
};

static int setup(void **state)
{
	struct rig *rig = calloc(1, sizeof(*rig));

	fresh_folder(rig->folder, sizeof(rig->folder));
	assert_int_equal(host_open_root(&rig->host, rig->folder, &rig->err), 0);
	*state = rig;
	return 0;
}

static int teardown(void **state)
{
	struct rig *rig = *state;

	procfile_close(&rig->file);
	host_close(&rig->host);
	remove_tree(rig->folder);
	free(rig);
	return 0;
}

static void put(struct rig *rig, const char *path, const char *content)
{
	write_file(rig->folder, path, content, strlen(content));
}

static int open_file(struct rig *rig, const char *path)
{
	return procfile_open(&rig->file, &rig->host, path, &rig->err);
}

static int read_file(struct rig *rig)
{
	return procfile_read(&rig->file, &rig->text, &rig->err);
}

static void reads_from_the_top_each_time(void **state)
{
	struct rig *rig = *state;

	put(rig, "proc/uptime", "12.34 20.00\n");
	assert_int_equal(open_file(rig, "proc/uptime"), 0);
	assert_false(rig->file.reopen);
	assert_int_equal(read_file(rig), 0);
	assert_true(text_is(rig->text, "12.34 20.00\n"));
	put(rig, "proc/uptime", "13.5 21\n");
	assert_int_equal(read_file(rig), 0);
	assert_true(text_is(rig->text, "13.5 21\n"));
}

static void what_opening_read_is_the_first_reading_while_it_is_fresh(void **state)
{
	struct rig *rig = *state;

	rig->host.fresh_ns = UINT64_C(3600000000000);
	put(rig, "proc/meminfo", "MemTotal: 1 kB\n");
	assert_int_equal(open_file(rig, "proc/meminfo"), 0);
	put(rig, "proc/meminfo", "MemTotal: 2 kB\n");
	assert_int_equal(read_file(rig), 0);
	assert_true(text_is(rig->text, "MemTotal: 1 kB\n"));
	assert_int_equal(read_file(rig), 0);
	assert_true(text_is(rig->text, "MemTotal: 2 kB\n"));
	procfile_close(&rig->file);

	rig->host.fresh_ns = 1; /* it is over when it is read */
	assert_int_equal(open_file(rig, "proc/meminfo"), 0);
	put(rig, "proc/meminfo", "MemTotal: 3 kB\n");
	assert_int_equal(read_file(rig), 0);
	assert_true(text_is(rig->text, "MemTotal: 3 kB\n"));
}

static void allocates_nothing_at_a_read(void **state)
{
	struct rig *rig = *state;
	size_t before;

	put(rig, "proc/stat", "cpu 1 2 3\n");
	assert_int_equal(open_file(rig, "proc/stat"), 0);
	before = alloc_count();
	for (int i = 0; i < 100; i++)
		assert_int_equal(read_file(rig), 0);
	rig->file.reopen = true;
	assert_int_equal(read_file(rig), 0);
	assert_true(text_is(rig->text, "cpu 1 2 3\n"));
	assert_int_equal(alloc_count(), before);
}

static void has_twice_the_room_of_what_was_there(void **state)
{
	struct rig *rig = *state;
	char content[20001];

	memset(content, 'x', sizeof(content));
	content[10000] = '\0';
	put(rig, "proc/f", content);
	assert_int_equal(open_file(rig, "proc/f"), 0);
	assert_int_equal(rig->file.size, 20000);
	content[10000] = 'x';
	content[19999] = '\0';
	put(rig, "proc/f", content);
	assert_int_equal(read_file(rig), 0);
	assert_int_equal(text_len(rig->text), 19999);
}

static void asks_to_be_opened_anew_when_the_file_outgrew_it(void **state)
{
	struct rig *rig = *state;
	char content[20001];

	memset(content, 'x', sizeof(content));
	content[10000] = '\0';
	put(rig, "proc/f", content);
	assert_int_equal(open_file(rig, "proc/f"), 0);
	content[10000] = 'x';
	content[20000] = '\0';
	put(rig, "proc/f", content);
	assert_int_equal(read_file(rig), -ESTALE);
	assert_string_equal(rig->err.text, "proc/f: grew beyond 19999 bytes");
	procfile_close(&rig->file);
	assert_int_equal(open_file(rig, "proc/f"), 0);
	assert_int_equal(read_file(rig), 0);
	assert_int_equal(text_len(rig->text), 20000);
}

static void takes_an_empty_file_that_fills_later(void **state)
{
	struct rig *rig = *state;

	put(rig, "sys/x", "");
	assert_int_equal(open_file(rig, "sys/x"), 0);
	assert_int_equal(read_file(rig), 0);
	assert_int_equal(text_len(rig->text), 0);
	put(rig, "sys/x", "18446744073709551615\n");
	assert_int_equal(read_file(rig), 0);
	assert_true(text_is(rig->text, "18446744073709551615\n"));
}

static void says_which_file_is_not_there(void **state)
{
	struct rig *rig = *state;

	assert_int_equal(open_file(rig, "proc/meminfo"), -ENOENT);
	assert_string_equal(rig->err.text, "proc/meminfo: No such file or directory");
	assert_null(rig->file.path); /* untouched */
	put(rig, "proc/folder/file", "");
	assert_int_equal(open_file(rig, "proc/folder"), -EISDIR);
	assert_string_equal(rig->err.text, "proc/folder: Is a directory");
}

static void opens_anew_what_cannot_seek(void **state)
{
	struct rig *rig = *state;
	char path[512];
	int writer;

	put(rig, "proc/x", "");
	(void)snprintf(path, sizeof(path), "%s/proc/pipe", rig->folder);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(open_file(rig, "proc/pipe"), 0); /* nobody writes: not held up */
	assert_true(rig->file.reopen);
	writer = open(path, O_RDWR | O_CLOEXEC);
	assert_true(writer >= 0);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(write(writer, "1 2\n", 4), 4);
		assert_int_equal(read_file(rig), 0);
		assert_true(text_is(rig->text, "1 2\n"));
	}
	(void)close(writer);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(read_file(rig), -ENOENT);
}

static void reads_the_live_kernel_whole(void **state)
{
	static const char *const files[] = { "proc/interrupts", "proc/vmstat",    "proc/zoneinfo", "proc/meminfo",
					     "proc/stat",	"proc/schedstat", "proc/softirqs", "proc/net/snmp",
					     "proc/cpuinfo",    "proc/slabinfo",  "sys/devices/system/cpu/online" };
	struct rig *rig = *state;
	struct host live;

	assert_int_equal(host_open_root(&live, NULL, &rig->err), 0);
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		struct buf whole = { 0 };
		size_t lines = 0, expected = 0;

		if (procfile_open(&rig->file, &live, files[i], &rig->err) < 0)
			continue; /* not on this kernel, or not for this user */
		assert_int_equal(host_read(&live, files[i], &whole, &rig->err), 0);
		assert_int_equal(read_file(rig), 0);
		for (size_t at = 0; at < whole.len; at++)
			expected += whole.data[at] == '\n';
		for (const char *at = rig->text.at; at < rig->text.end; at++)
			lines += *at == '\n';
		assert_int_equal(lines, expected);
		assert_true(lines > 0);
		procfile_close(&rig->file);
		buf_free(&whole);
	}
	host_close(&live);
}

/* Which files the kernel hands out as one record, and that a file of many is not taken for one. */
static void spares_the_second_read_where_the_first_is_all(void **state)
{
	static const struct {
		const char *path;
		bool spared;
	} rows[] = { { "sys/devices/system/cpu/online", true }, { "proc/meminfo", true },    { "proc/stat", true },
		     { "proc/interrupts", false },	       { "proc/vmstat", false }, { "proc/slabinfo", false } };
	struct rig *rig = *state;
	struct host live;

	assert_int_equal(host_open_root(&live, NULL, &rig->err), 0);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		if (procfile_open(&rig->file, &live, rows[i].path, &rig->err) < 0)
			continue;
		assert_int_equal(rig->file.short_is_end, rows[i].spared);
		procfile_close(&rig->file);
	}
	host_close(&live);
	put(rig, "proc/meminfo", "MemTotal: 1 kB\n");
	assert_int_equal(open_file(rig, "proc/meminfo"), 0);
	assert_false(rig->file.short_is_end); /* a recording may lie on any file system */
}

static void reads_a_binary_attribute_beyond_its_first_page(void **state)
{
	static const char path[] = "sys/kernel/btf/vmlinux"; /* megabytes, a page a read */
	struct rig *rig = *state;
	cleanup_buf struct buf whole = { 0 };
	struct host live;

	assert_int_equal(host_open_root(&live, NULL, &rig->err), 0);
	if (host_read(&live, path, &whole, &rig->err) == 0) {
		assert_int_equal(procfile_open(&rig->file, &live, path, &rig->err), 0);
		assert_int_equal(read_file(rig), 0);
		assert_int_equal(text_len(rig->text), whole.len);
	}
	host_close(&live);
}

static void frees_what_was_never_opened(void **state)
{
	struct procfile f = { 0 };
	int before = fcntl(0, F_GETFD);

	procfile_close(&f);
	assert_int_equal(fcntl(0, F_GETFD), before); /* descriptor 0 is not its own */
}

static void gives_all_back_without_memory(void **state)
{
	struct rig *rig = *state;

	put(rig, "proc/f", "x\n");
	for (size_t n = 1; n <= 3; n++) {
		alloc_fail_at(n);
		assert_int_equal(open_file(rig, "proc/f"), -ENOMEM);
		alloc_fail_at(0);
	}
	assert_int_equal(open_file(rig, "proc/f"), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(reads_from_the_top_each_time),
		TEST(what_opening_read_is_the_first_reading_while_it_is_fresh),
		TEST(allocates_nothing_at_a_read),
		TEST(has_twice_the_room_of_what_was_there),
		TEST(asks_to_be_opened_anew_when_the_file_outgrew_it),
		TEST(takes_an_empty_file_that_fills_later),
		TEST(says_which_file_is_not_there),
		TEST(opens_anew_what_cannot_seek),
		TEST(reads_the_live_kernel_whole),
		TEST(spares_the_second_read_where_the_first_is_all),
		TEST(reads_a_binary_attribute_beyond_its_first_page),
		TEST(frees_what_was_never_opened),
		TEST(gives_all_back_without_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
