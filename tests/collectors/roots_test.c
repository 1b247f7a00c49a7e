/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every collector on every recorded tree: it opens and samples it, or says in one line why not. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/rig.h"
#include "tests/support/shared.h"

static void one_line(const struct rig *rig, const struct collector *c, int r)
{
	assert_true(r < 0);
	assert_int_equal(rig->err.code, r);
	assert_true(strlen(rig->err.text) > 0);
	assert_null(strchr(rig->err.text, '\n'));
	(void)c;
}

/* docs/metrics.md has words for every key that a recording shows. */
static void explained(const struct rig *rig, const struct collector *c)
{
	for (size_t i = 0; i < rig->run.shape.metric_count; i++) {
		const struct hint *h = hint_find(c->hints, text_of(rig->run.shape.metrics[i].name));

		if (!h || !h->help)
			fail_msg("%s: no row of its hints explains %s", c->name, rig->run.shape.metrics[i].name);
	}
}

/* How many collectors gave values. */
static size_t sample_all(struct rig *rig, const char *tree)
{
	size_t working = 0;

	for (const struct collector *const *c = collectors; *c; c++) {
		int r = collector_probe(*c, &rig->host, &rig->err);

		if (r < 0) {
			one_line(rig, *c, r);
			continue;
		}
		r = rig_open(rig, *c);
		if (r < 0) {
			one_line(rig, *c, r);
			print_message("# %s: %s\n", tree, rig->err.text);
			continue;
		}
		for (int i = 0; i < 2; i++) {
			r = rig_sample(rig);
			if (r < 0) {
				one_line(rig, *c, r);
				print_message("# %s: %s\n", tree, rig->err.text);
			}
		}
		explained(rig, *c);
		assert_int_equal(rig->run.shape.generation, 1);
		working += rig_count(rig) > 0;
	}
	return working;
}

static void every_tree_is_sampled_or_refused_in_one_line(void **state)
{
	char roots[512];
	size_t trees = 0, working = 0;
	DIR *folder;

	if (!shared_path(roots, sizeof(roots), "roots"))
		skip();
	folder = opendir(roots);
	assert_non_null(folder);
	for (struct dirent *e; (e = readdir(folder));) {
		char name[256];
		char *dot;
		void *fresh;

		if (e->d_name[0] == '.')
			continue;
		(void)snprintf(name, sizeof(name), "%s", e->d_name);
		dot = strstr(name, ".tar.gz");
		if (dot)
			*dot = '\0';
		assert_int_equal(rig_setup(&fresh), 0);
		assert_true(rig_tree(fresh, name));
		working += sample_all(fresh, name);
		trees++;
		(void)rig_teardown(&fresh);
	}
	(void)closedir(folder);
	print_message("# %zu trees, %zu times a collector gave values\n", trees, working);
	assert_true(trees >= 112);
	assert_true(working >= 200);
}

/* Peak memory of a process that samples all of it, in KiB. */
static long memory_of(const char *tree)
{
	struct rusage usage;
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		void *fresh;
		struct rig *rig;
		struct collector_run run[2] = { 0 };
		struct err err;

		if (rig_setup(&fresh) < 0)
			_exit(1);
		rig = fresh;
		if (!rig_tree(rig, tree))
			_exit(2);
		for (int i = 0; i < 2; i++) {
			const struct collector *c = collector_find(i ? "softirqs" : "interrupts");

			if (collector_run_open(&run[i], c, &rig->host, NULL, &err) < 0 ||
			    collector_run_sample(&run[i], &err) < 0)
				_exit(3);
		}
		remove_tree(rig->folder);
		_exit(0);
	}
	assert_true(pid > 0);
	assert_int_equal(wait4(pid, &status, 0, &usage), pid);
	assert_int_equal(status, 0);
	return usage.ru_maxrss;
}

static void a_machine_of_1152_cpus_takes_less_than_40_mib(void **state)
{
	char path[512];
	long kib;

	if (!shared_path(path, sizeof(path), "roots/pcp-1152cpu.tar.gz"))
		skip();
	kib = memory_of("pcp-1152cpu");
	print_message("# %ld KiB\n", kib);
#ifndef __SANITIZE_ADDRESS__
	assert_true(kib < 40 * 1024);
#endif
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_tree_is_sampled_or_refused_in_one_line),
		cmocka_unit_test(a_machine_of_1152_cpus_takes_less_than_40_mib),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
