/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bad weather at the host's edge: the system calls by which a host opens and reads files, wrapped at link time. The
 * code under test is what ships, and so is the road to it. Only programs that CMakeLists.txt links with `faults` have
 * it.
 */
#ifndef ASSAY_TESTS_SUPPORT_FAULTS_H
#define ASSAY_TESTS_SUPPORT_FAULTS_H

#include <stdbool.h>
#include <stddef.h>

enum fault_call { FAULT_OPEN, FAULT_READ };

struct fault {
	char path[256];	       /* "/proc/meminfo": in the tree */
	enum fault_call call;
	int error;	       /* errno; 0: no failure, only chunks */
	unsigned from, to;     /* samples, from 1 on; to 0: for ever */
	unsigned times;	       /* so many calls fail, then they succeed; 0: all of them */
	size_t chunks[8];      /* what read() returns at most, over and over; ends at 0 */
	size_t calls;	       /* so often it happened */
};

#define FAULTS_MOST 16

/* From here on these happen in the tree at `root`; 0 of them: none. What happened is counted in `list`, which is lent. */
void faults_set(const char *root, struct fault *list, size_t count);
/* This many samples have begun: 0 while a collector is opened. */
void faults_sample(unsigned sample);

#endif
