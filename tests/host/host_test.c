/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/host.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/take.h"
#include "host/limits.h"
#include "host/resolve.h"
#include "tests/support/alloc_count.h"
#include "tests/support/shared.h"

/* <folder>/root is the recorded tree, <folder>/outside what it must never reach. */
struct rig {
	char folder[256], root[300];
	struct host host;
	struct err err;
	struct names names;
};

static int setup(void **state)
{
	struct rig *rig = calloc(1, sizeof(*rig));

	fresh_folder(rig->folder, sizeof(rig->folder));
	(void)snprintf(rig->root, sizeof(rig->root), "%s/root", rig->folder);
	write_file(rig->folder, "outside/secret", "secret", 6);
	write_file(rig->folder, "root/proc/version", "inside", 6);
	write_file(rig->root, "outside/secret", "inside", 6);
	assert_int_equal(host_open_root(&rig->host, rig->root, &rig->err), 0);
	*state = rig;
	return 0;
}

static int teardown(void **state)
{
	struct rig *rig = *state;

	names_free(&rig->names);
	host_close(&rig->host);
	remove_tree(rig->folder);
	free(rig);
	return 0;
}

static void link_to(struct rig *rig, const char *target, const char *path)
{
	char whole[600];

	(void)snprintf(whole, sizeof(whole), "%s/%s", rig->root, path);
	assert_int_equal(symlink(target, whole), 0);
}

static void opens_what(int fd, const char *expected)
{
	char content[16];
	ssize_t n;

	assert_true(fd >= 0);
	assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	n = read(fd, content, sizeof(content));
	assert_int_equal(n, strlen(expected));
	assert_memory_equal(content, expected, strlen(expected));
	(void)close(fd);
}

/* By the kernel and by our own walk alike. */
static void reads(struct rig *rig, const char *path, const char *expected)
{
	opens_what(host_open(&rig->host, path), expected);
	opens_what(resolve_walk(rig->host.root_fd, path, 0), expected);
}

static void refuses(struct rig *rig, const char *path, int code)
{
	assert_int_equal(host_open(&rig->host, path), code);
	assert_int_equal(resolve_walk(rig->host.root_fd, path, 0), code);
}

static void takes_defaults_where_nothing_is_told(void **state)
{
	struct rig *rig = *state;

	assert_false(rig->host.live);
	assert_int_equal(rig->host.page_size, 4096);
	assert_int_equal(rig->host.ticks_per_second, 100);
	assert_string_equal(rig->host.root, rig->root);
}

static void believes_the_recordings_own_words(void **state)
{
	struct rig *rig = *state;
	static const char words[] = "page_size 65536\narch aarch64\nticks_per_second 250\n";

	host_close(&rig->host);
	write_file(rig->root, "host", words, sizeof(words) - 1);
	assert_int_equal(host_open_root(&rig->host, rig->root, &rig->err), 0);
	assert_int_equal(rig->host.page_size, 65536);
	assert_int_equal(rig->host.ticks_per_second, 250);
}

static void refuses_a_recording_without_a_page_size(void **state)
{
	static const char *const wrong[] = { "page_size 0\n", "page_size -1\n", "ticks_per_second\n",
					     "page_size 99999999999\n" };
	struct rig *rig = *state;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		host_close(&rig->host);
		write_file(rig->root, "host", wrong[i], strlen(wrong[i]));
		assert_int_equal(host_open_root(&rig->host, rig->root, &rig->err), -EINVAL);
		assert_non_null(strstr(rig->err.text, "root/host: "));
		assert_int_equal(rig->host.root_fd, -1);
	}
}

static void names_the_root_that_is_not_there(void **state)
{
	struct host host;
	struct err err;

	assert_int_equal(host_open_root(&host, "/nonexistent/tree", &err), -ENOENT);
	assert_string_equal(err.text, "/nonexistent/tree: No such file or directory");
	assert_int_equal(host_open_root(&host, "/dev/null", &err), -ENOTDIR);
}

static void is_this_machine_without_a_root(void **state)
{
	struct host host;
	struct err err;

	assert_int_equal(host_open_root(&host, NULL, &err), 0);
	assert_true(host.live);
	assert_string_equal(host.root, "/");
	assert_int_equal(host.page_size, sysconf(_SC_PAGESIZE));
	assert_true(host_has(&host, "proc/self/stat"));
	assert_false(host_has(&host, "proc/nothing"));
	host_close(&host);
}

static void opens_files_of_the_tree(void **state)
{
	struct rig *rig = *state;

	reads(rig, "proc/version", "inside");
	reads(rig, "proc/./../proc//version", "inside");
	refuses(rig, "proc/nothing", -ENOENT);
	refuses(rig, "proc/version/below", -ENOTDIR);
	assert_true(host_has(&rig->host, "proc/version"));
	assert_true(host_has(&rig->host, "proc"));
	assert_false(host_has(&rig->host, "proc/nothing"));
}

static void does_not_climb_out_of_the_tree(void **state)
{
	struct rig *rig = *state;

	reads(rig, "../outside/secret", "inside");
	reads(rig, "proc/../../../outside/secret", "inside");
}

static void keeps_links_inside_the_tree(void **state)
{
	struct rig *rig = *state;

	link_to(rig, "../outside/secret", "up");
	link_to(rig, "/outside/secret", "absolute");
	link_to(rig, "..", "folder");
	link_to(rig, "../../../../outside", "proc/far");
	link_to(rig, "/", "proc/top");
	link_to(rig, "version", "proc/beside");
	link_to(rig, "nowhere", "proc/dangling");
	reads(rig, "up", "inside");
	reads(rig, "absolute", "inside");
	reads(rig, "folder/outside/secret", "inside");
	reads(rig, "proc/far/secret", "inside");
	reads(rig, "proc/top/proc/beside", "inside");
	refuses(rig, "proc/dangling", -ENOENT);
	assert_false(host_has(&rig->host, "proc/dangling"));
}

static void does_not_reach_a_file_by_its_real_place(void **state)
{
	struct rig *rig = *state;
	char target[600];

	(void)snprintf(target, sizeof(target), "%s/outside/secret", rig->folder);
	link_to(rig, target, "real");
	refuses(rig, "real", -ENOENT);
}

static void gives_up_on_links_in_a_circle(void **state)
{
	struct rig *rig = *state;

	link_to(rig, "b", "a");
	link_to(rig, "a", "b");
	refuses(rig, "a", -ELOOP);
	refuses(rig, "a/x", -ELOOP);
}

static void bounds_names_and_depth(void **state)
{
	struct rig *rig = *state;
	char path[5000];

	memset(path, 'x', 300);
	path[300] = '\0';
	refuses(rig, path, -ENAMETOOLONG);
	memset(path, 'x', sizeof(path) - 1);
	path[sizeof(path) - 1] = '\0';
	refuses(rig, path, -ENAMETOOLONG);
	for (int i = 0; i < 70; i++)
		memcpy(path + 2 * i, "d/", 2);
	memcpy(path + 140, "f", 2);
	write_file(rig->root, path, "deep", 4);
	opens_what(host_open(&rig->host, path), "deep");
	assert_int_equal(resolve_walk(rig->host.root_fd, path, 0), -ENAMETOOLONG);
}

static void is_not_held_up_by_a_pipe(void **state)
{
	struct rig *rig = *state;
	cleanup_buf struct buf content = { 0 };
	char path[600];

	(void)snprintf(path, sizeof(path), "%s/proc/pipe", rig->root);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(host_read(&rig->host, "proc/pipe", &content, &rig->err), 0);
	assert_int_equal(content.len, 0);
}

static void reads_whole_files_up_to_a_ceiling(void **state)
{
	struct rig *rig = *state;
	cleanup_buf struct buf content = { .ceiling = 10000 };
	static char large[10001];

	memset(large, 'x', sizeof(large));
	write_file(rig->root, "proc/f", large, 10000);
	assert_int_equal(host_read(&rig->host, "proc/f", &content, &rig->err), 0);
	assert_int_equal(content.len, 10000);
	buf_clear(&content);
	write_file(rig->root, "proc/f", large, 10001);
	assert_int_equal(host_read(&rig->host, "proc/f", &content, &rig->err), -EMSGSIZE);
	assert_string_equal(rig->err.text, "proc/f: larger than 10000 bytes");
}

static void lists_in_natural_order(void **state)
{
	struct rig *rig = *state;

	write_file(rig->root, "sys/node10/x", "", 0);
	write_file(rig->root, "sys/node2/x", "", 0);
	write_file(rig->root, "sys/has_cpu", "", 0);
	write_file(rig->root, "sys/.hidden", "", 0);
	assert_int_equal(host_list(&rig->host, "sys", &rig->names, &rig->err), 0);
	assert_int_equal(rig->names.count, 4);
	assert_string_equal(rig->names.at[0], ".hidden");
	assert_string_equal(rig->names.at[1], "has_cpu");
	assert_string_equal(rig->names.at[2], "node2");
	assert_string_equal(rig->names.at[3], "node10");
	assert_int_equal(names_find(&rig->names, text_of("node10"), -1), 3);
	assert_int_equal(host_list(&rig->host, "sys/node2", &rig->names, &rig->err), 0);
	assert_int_equal(rig->names.count, 1); /* emptied first */
	assert_int_equal(host_list(&rig->host, "sys/nothing", &rig->names, &rig->err), -ENOENT);
	assert_string_equal(rig->err.text, "sys/nothing: No such file or directory");
	assert_int_equal(host_list(&rig->host, "sys/has_cpu", &rig->names, &rig->err), -ENOTDIR);
}

static void globs(struct rig *rig, const char *pattern, const char *const *expected)
{
	size_t n = 0;

	assert_int_equal(host_glob(&rig->host, pattern, &rig->names, &rig->err), 0);
	for (; expected[n]; n++) {
		assert_true(n < rig->names.count);
		assert_string_equal(rig->names.at[n], expected[n]);
	}
	assert_int_equal(rig->names.count, n);
}

static void finds_what_matches_a_pattern(void **state)
{
	struct rig *rig = *state;

	write_file(rig->root, "sys/node/node10/vmstat", "", 0);
	write_file(rig->root, "sys/node/node2/vmstat", "", 0);
	write_file(rig->root, "sys/node/node2/meminfo", "", 0);
	write_file(rig->root, "sys/node/node3/meminfo", "", 0);
	write_file(rig->root, "sys/node/online", "", 0);
	write_file(rig->root, "sys/node/.node4/vmstat", "", 0);
	link_to(rig, "node2", "sys/node/link");
	link_to(rig, "nowhere", "sys/node/node99");
	globs(rig, "sys/node/node*/vmstat",
	      (const char *const[]){ "sys/node/node2/vmstat", "sys/node/node10/vmstat", NULL });
	globs(rig, "sys/node/node?/vmstat", (const char *const[]){ "sys/node/node2/vmstat", NULL });
	globs(rig, "sys/n*e/*/meminfo",
	      (const char *const[]){ "sys/node/link/meminfo", "sys/node/node2/meminfo", "sys/node/node3/meminfo",
				     NULL });
	globs(rig, "sys/*/vmstat", (const char *const[]){ NULL }); /* a star stays in its component */
	globs(rig, "proc/version", (const char *const[]){ "proc/version", NULL });
	globs(rig, "proc/nothing", (const char *const[]){ NULL });
	globs(rig, "nothing/*/at/all", (const char *const[]){ NULL });
	globs(rig, "*/version", (const char *const[]){ "proc/version", NULL });
}

static void orders_digits_as_numbers(void **state)
{
	assert_true(natural_compare("cpu2", "cpu10") < 0);
	assert_true(natural_compare("cpu10", "cpu2") > 0);
	assert_true(natural_compare("cpu2", "cpu2") == 0);
	assert_true(natural_compare("cpu", "cpu0") < 0);
	assert_true(natural_compare("", "a") < 0);
	assert_true(natural_compare("sda2x", "sda10a") < 0);
	assert_true(natural_compare("0:9", "0:10") < 0);
	assert_true(natural_compare("a1b2", "a1b10") < 0);
	assert_true(natural_compare("99999999999999999999998", "99999999999999999999999") < 0);
	assert_true(natural_compare("cpu01", "cpu1") != 0);
	assert_true(natural_compare("cpu01", "cpu2") < 0);
	assert_true(natural_compare("a\xc3", "az") > 0);
}

static void says_so_without_memory(void **state)
{
	struct rig *rig = *state;
	int r;

	for (size_t n = 1; n <= 200; n++) {
		alloc_fail_at(n);
		r = host_glob(&rig->host, "p*/*", &rig->names, &rig->err);
		alloc_fail_at(0);
		if (r == 0)
			break;
		assert_int_equal(r, -ENOMEM);
		assert_string_equal(rig->err.text, "p*/*: Cannot allocate memory");
	}
	assert_int_equal(r, 0);
	assert_int_equal(rig->names.count, 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

static void only_this_machine_is_written_to(void **state)
{
	struct rig *rig = *state;
	struct buf text = { 0 };

	assert_int_equal(host_write(&rig->host, "proc/version", "1", &rig->err), -EROFS);
	assert_string_equal(rig->err.text, "proc/version: Read-only file system");
	rig->host.live = true; /* the folder is this machine's root now */
	assert_int_equal(host_write(&rig->host, "proc/version", "1", &rig->err), 0);
	assert_int_equal(host_write(&rig->host, "proc/absent", "1", &rig->err), -ENOENT);
	assert_int_equal(host_read(&rig->host, "proc/version", &text, &rig->err), 0);
	assert_string_equal(text.data, "1");
	assert_false(host_has(&rig->host, "proc/absent"));
	buf_free(&text);
}

/* What cannot be opened for want of descriptors is not said to be absent. */
static void says_so_without_descriptors(void **state)
{
	struct rig *rig = *state;
	struct rlimit was, none;
	cleanup_buf struct buf text = { 0 };
	int next = open("/dev/null", O_RDONLY | O_CLOEXEC), listed, read, opened;
	struct err err[3];

	write_file(rig->root, "sys/node/node0/vmstat", "1", 1);
	assert_true(next >= 0);
	(void)close(next);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &was), 0);
	none = (struct rlimit){ (rlim_t)next, was.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
	listed = host_glob(&rig->host, "sys/node/node*/vmstat", &rig->names, &err[0]);
	opened = host_glob(&rig->host, "sys/node/node0/vmstat", &rig->names, &err[1]);
	read = host_read(&rig->host, "proc/version", &text, &err[2]);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &was), 0);
	assert_int_equal(listed, -EMFILE);
	assert_int_equal(opened, -EMFILE);
	assert_int_equal(read, -EMFILE);
	assert_non_null(strstr(err[0].text, "sys/node/node*/vmstat: Too many open files: the limit is "));
	assert_non_null(strstr(err[2].text, "proc/version: Too many open files: the limit is "));
}

static void raises_the_limit_of_files_and_puts_it_back(void **state)
{
	struct rlimit was, few, before, now;

	assert_int_equal(getrlimit(RLIMIT_NOFILE, &was), 0);
	few = (struct rlimit){ was.rlim_max < 100 ? was.rlim_max - 1 : 64, was.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	assert_true(limits_raise_files(&before));
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &now), 0);
	assert_int_equal(now.rlim_cur, was.rlim_max);
	assert_false(limits_raise_files(&now)); /* it is as high as it may be */
	limits_restore_files(&before);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &now), 0);
	assert_int_equal(now.rlim_cur, few.rlim_cur);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &was), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(only_this_machine_is_written_to),
		TEST(takes_defaults_where_nothing_is_told),
		TEST(believes_the_recordings_own_words),
		TEST(refuses_a_recording_without_a_page_size),
		TEST(names_the_root_that_is_not_there),
		TEST(is_this_machine_without_a_root),
		TEST(opens_files_of_the_tree),
		TEST(does_not_climb_out_of_the_tree),
		TEST(keeps_links_inside_the_tree),
		TEST(does_not_reach_a_file_by_its_real_place),
		TEST(gives_up_on_links_in_a_circle),
		TEST(bounds_names_and_depth),
		TEST(is_not_held_up_by_a_pipe),
		TEST(reads_whole_files_up_to_a_ceiling),
		TEST(lists_in_natural_order),
		TEST(finds_what_matches_a_pattern),
		TEST(orders_digits_as_numbers),
		TEST(says_so_without_memory),
		TEST(says_so_without_descriptors),
		TEST(raises_the_limit_of_files_and_puts_it_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
