/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shapes, samples and headers for tests that write segments. Everything here fails the test when it cannot. */
#ifndef ASSAY_TESTS_SUPPORT_SEGMENTS_H
#define ASSAY_TESTS_SUPPORT_SEGMENTS_H

#include "base/run.h"

#define TEST_RUN "01J8ZQ4B3N5R7T9VWXYZ012345"

/* Of TEST_RUN on "lab1": boot "b007", version "0.1.0", clocks 1700000000000000000 and 5000000000, a tick of 1 s. */
struct run_header test_header(uint32_t sequence);

/* "meminfo", generation 1: MemTotal and MemFree (KiB, gauges), one instance "". */
extern const struct shape test_meminfo;

/* "interrupts", generation 1: counters "24" and "NMI", instances "CPU0" "CPU1" "CPU2". */
extern const struct shape test_interrupts;

/* A sample with all slots from the literal values; absent where `absent` says so by bit. Free with sample_free(). */
struct sample test_sample(const struct shape *shape, const int64_t *values, uint64_t absent);

/* `count` metrics "m0", "m1" ... and one instance; free with test_shape_free(). */
struct shape test_shape(const char *collector, uint32_t generation, size_t count);
void test_shape_free(struct shape *shape);

#endif
