/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/rig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/shared.h"

int rig_setup(void **state)
{
	struct rig *rig = calloc(1, sizeof(*rig));

	if (!rig)
		return -1;
	fresh_folder(rig->folder, sizeof(rig->folder));
	rig->host.root_fd = -1;
	rig_root(rig, rig->folder);
	*state = rig;
	return 0;
}

int rig_teardown(void **state)
{
	struct rig *rig = *state;

	collector_run_close(&rig->run);
	host_close(&rig->host);
	remove_tree(rig->folder);
	free(rig);
	return 0;
}

void rig_root(struct rig *rig, const char *path)
{
	collector_run_close(&rig->run);
	if (rig->host.root_fd >= 0)
		host_close(&rig->host);
	assert_true(snprintf(rig->root, sizeof(rig->root), "%s", path) < (int)sizeof(rig->root));
	assert_int_equal(host_open_root(&rig->host, rig->root, &rig->err), 0);
}

/* Without what no collector of these reads, which is most of it. */
static void unpack(const char *archive, const char *folder)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		(void)execlp("tar", "tar", "-xzf", archive, "-C", folder, "--exclude=*/cache", "--exclude=*/topology",
			     "--exclude=*/cpufreq", "--exclude=*/desc", "--exclude=*/latency", "--exclude=*/residency",
			     "--exclude=*/above", "--exclude=*/below", "--exclude=*/rejected", "--exclude=*/disable",
			     "--exclude=*/default_status", "--exclude=*/s2idle", "--exclude=*/thermal_throttle", "--exclude=*/msr", "--exclude=*/power",
			     (char *)NULL);
		_exit(127);
	}
	assert_true(pid > 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

bool rig_tree(struct rig *rig, const char *name)
{
	char path[512], relative[256];

	(void)snprintf(relative, sizeof(relative), "roots/%s", name);
	if (shared_path(path, sizeof(path), relative)) {
		rig_root(rig, path);
		return true;
	}
	(void)snprintf(relative, sizeof(relative), "roots/%s.tar.gz", name);
	if (!shared_path(path, sizeof(path), relative))
		return false;
	unpack(path, rig->folder);
	assert_true(snprintf(path, sizeof(path), "%s/%s", rig->folder, name) < (int)sizeof(path));
	rig_root(rig, path);
	return true;
}

void rig_file(struct rig *rig, const char *path, const char *content)
{
	write_file(rig->folder, path, content, strlen(content));
}

void rig_remove(struct rig *rig, const char *path)
{
	char whole[512];

	assert_true(snprintf(whole, sizeof(whole), "%s/%s", rig->folder, path) < (int)sizeof(whole));
	remove_tree(whole);
}

int rig_open_with(struct rig *rig, const struct collector *collector, const char *const *options)
{
	collector_run_close(&rig->run);
	return collector_run_open(&rig->run, collector, &rig->host, options, &rig->err);
}

int rig_open(struct rig *rig, const struct collector *collector)
{
	return rig_open_with(rig, collector, NULL);
}

int rig_sample(struct rig *rig)
{
	return collector_run_sample(&rig->run, &rig->err);
}

void rig_again(struct rig *rig)
{
	if (rig_sample(rig) < 0)
		fail_msg("%s: %s", rig->run.collector->name, rig->err.text);
}

void rig_start(struct rig *rig, const struct collector *collector)
{
	if (rig_open(rig, collector) < 0)
		fail_msg("%s: %s", collector->name, rig->err.text);
	rig_again(rig);
}

/* The slot, or -1. */
static long slot_of(struct rig *rig, const char *metric, const char *instance)
{
	const struct shape *shape = &rig->run.shape;

	for (size_t m = 0; m < shape->metric_count; m++) {
		if (strcmp(shape->metrics[m].name, metric) != 0)
			continue;
		for (size_t i = 0; i < shape->instance_count; i++)
			if (strcmp(shape->instances[i], instance) == 0)
				return (long)(m * shape->instance_count + i);
	}
	return -1;
}

bool rig_has_of(struct rig *rig, const char *metric, const char *instance)
{
	long slot = slot_of(rig, metric, instance);

	return slot >= 0 && sample_has(&rig->run.sample, (size_t)slot);
}

bool rig_has(struct rig *rig, const char *metric)
{
	return rig_has_of(rig, metric, "");
}

uint64_t rig_value_of(struct rig *rig, const char *metric, const char *instance)
{
	if (!rig_has_of(rig, metric, instance))
		fail_msg("%s has no '%s' of '%s'", rig->run.collector->name, metric, instance);
	return (uint64_t)rig->run.sample.values[slot_of(rig, metric, instance)];
}

uint64_t rig_value(struct rig *rig, const char *metric)
{
	return rig_value_of(rig, metric, "");
}

size_t rig_count(struct rig *rig)
{
	size_t count = 0;

	for (size_t slot = 0; slot < shape_slots(&rig->run.shape); slot++)
		count += sample_has(&rig->run.sample, slot);
	return count;
}

const struct metric *rig_metric(struct rig *rig, const char *metric)
{
	const struct shape *shape = &rig->run.shape;

	for (size_t m = 0; m < shape->metric_count; m++)
		if (strcmp(shape->metrics[m].name, metric) == 0)
			return &shape->metrics[m];
	fail_msg("%s has no metric '%s'", rig->run.collector->name, metric);
	return NULL;
}
