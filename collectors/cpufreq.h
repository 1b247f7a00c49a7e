/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What cpufreq and cpufreq-stats have in common: folders cpu<N>/cpufreq, or cpufreq/policy<N> where CPUs have none,
 * and the list of online CPUs, which is watched.
 */
#ifndef ASSAY_COLLECTORS_CPUFREQ_H
#define ASSAY_COLLECTORS_CPUFREQ_H

#include "collectors/files.h"
#include "collectors/watch.h"

#define CPU_FOLDER "sys/devices/system/cpu/"

struct cpufreq {
	struct files files; /* first: files_shape() and files_sample() look for it there */
	struct watch online;
};

/* `names`: files of the folders, ends at NULL; their last component is the metric. */
int cpufreq_open_names(struct cpufreq *c, const struct collector *self, const struct host *host,
		       const char *const *names, struct err *err);
int cpufreq_sample(void *state, struct sample *out, struct err *err);
void cpufreq_close(void *state);

#endif
