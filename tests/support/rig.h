/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A collector on a workbench: a host whose root is a fresh folder or a recorded tree, and the collector's run on it.
 * It never reads this machine.
 */
#ifndef ASSAY_TESTS_SUPPORT_RIG_H
#define ASSAY_TESTS_SUPPORT_RIG_H

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "collectors/collector.h"

struct rig {
	char folder[256]; /* fresh, taken away at the end */
	char root[512];   /* of the host: the folder, or a tree */
	struct host host;
	struct collector_run run;
	struct err err; /* of the last call that failed */
};

/* For cmocka's setup and teardown: *state is the rig, its host's root an empty folder. */
int rig_setup(void **state);
int rig_teardown(void **state);

/* The host is a tree of data/roots from here on, unpacked if need be; or any folder. False: it is not there. */
bool rig_tree(struct rig *rig, const char *name);
void rig_root(struct rig *rig, const char *path);

/* Write, or take away, a file of the fresh folder. */
void rig_file(struct rig *rig, const char *path, const char *content);
void rig_remove(struct rig *rig, const char *path);

int rig_open(struct rig *rig, const struct collector *collector);
int rig_open_with(struct rig *rig, const struct collector *collector, const char *const *options);
int rig_sample(struct rig *rig);
/* Both, and they must succeed. */
void rig_start(struct rig *rig, const struct collector *collector);
void rig_again(struct rig *rig);

/* The value of the last sample; the test fails when there is none. The first form asks for the instance "". */
uint64_t rig_value(struct rig *rig, const char *metric);
uint64_t rig_value_of(struct rig *rig, const char *metric, const char *instance);
bool rig_has(struct rig *rig, const char *metric);
bool rig_has_of(struct rig *rig, const char *metric, const char *instance);

/* How many slots are present. */
size_t rig_count(struct rig *rig);

/* The metric of that name; the test fails when there is none. */
const struct metric *rig_metric(struct rig *rig, const char *metric);

#define RIG_TEST(test) cmocka_unit_test_setup_teardown(test, rig_setup, rig_teardown)

#endif
