/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 *   sys/devices/system/cpu/cpu<N>/cpufreq/{scaling_cur_freq,cpuinfo_cur_freq,cpuinfo_avg_freq}     kHz, or "<unknown>"
 *
 * Where CPUs have no such folder, the policies are the instances: cpufreq/policy<N>. Asking a CPU for its clock may
 * take an interrupt to it, which is dear. The list of online CPUs is watched: a CPU that is off has no clock.
 */
#include <errno.h>
#include <stdio.h>

#include "collectors/cpufreq.h"

static const struct hint hints[] = {
	/* key         kind   unit            help                                                   exponent fold */
	{ "*_cur_freq", GAUGE, UNIT_KILOHERTZ, "Clock of that CPU now: as set (scaling), as measured (cpuinfo).", 0,
	  FOLD_MEAN },
	{ "*_avg_freq", GAUGE, UNIT_KILOHERTZ, "Clock of that CPU, averaged by the hardware.", 0, FOLD_MEAN },
	{ 0 },
};

static const char *const frequencies[] = { "scaling_cur_freq", "cpuinfo_cur_freq", "cpuinfo_avg_freq", NULL };

/* The component of `path` that begins at `at`. */
static void component(const char *path, size_t at, char *ret, size_t size)
{
	(void)snprintf(ret, size, "%.*s", (int)strcspn(path + at, "/"), path + at);
}

/* The names' last component is the metric. */
static int add_folders(struct files *f, const char *pattern, size_t instance_at, const char *const *names,
		       struct err *err)
{
	struct names folders = { 0 };
	int r = host_glob(f->host, pattern, &folders, err);

	for (size_t i = 0; i < folders.count && r == 0; i++) {
		char path[256], instance[64];

		component(folders.at[i], instance_at, instance, sizeof(instance));
		for (const char *const *name = names; *name && r == 0; name++) {
			const char *slash = strrchr(*name, '/');

			if (snprintf(path, sizeof(path), "%s/%s", folders.at[i], *name) < (int)sizeof(path))
				r = files_add(f, path, slash ? slash + 1 : *name, instance, err);
		}
	}
	names_free(&folders);
	return r;
}

int cpufreq_open_names(struct cpufreq *c, const struct collector *self, const struct host *host,
		       const char *const *names, struct err *err)
{
	int r;

	files_begin(&c->files, self, host);
	r = add_folders(&c->files, CPU_FOLDER "cpu*/cpufreq", strlen(CPU_FOLDER), names, err);
	if (r == 0 && c->files.count == 0)
		r = add_folders(&c->files, CPU_FOLDER "cpufreq/policy*", strlen(CPU_FOLDER "cpufreq/"), names, err);
	if (r == 0)
		r = files_end(&c->files, err);
	return r < 0 ? r : watch_open(&c->online, host, CPU_FOLDER "online", err);
}

static int cpufreq_open(const struct collector *self, void *state, const struct host *host, struct err *err)
{
	return cpufreq_open_names(state, self, host, frequencies, err);
}

int cpufreq_sample(void *state, struct sample *out, struct err *err)
{
	struct cpufreq *c = state;
	int r = watch_check(&c->online, err);

	return r < 0 ? r : files_sample(&c->files, out, err);
}

void cpufreq_close(void *state)
{
	struct cpufreq *c = state;

	files_close(&c->files);
	watch_close(&c->online);
}

const struct collector collector_cpufreq = {
	.name = "cpufreq",
	.description = "The clock of each CPU",
	.source = CPU_FOLDER "cpu*/cpufreq/scaling_cur_freq " CPU_FOLDER "cpu*/cpufreq/cpuinfo_cur_freq " CPU_FOLDER
			     "cpu*/cpufreq/cpuinfo_avg_freq " CPU_FOLDER "cpufreq/policy*/scaling_cur_freq " CPU_FOLDER
			     "cpufreq/policy*/cpuinfo_cur_freq " CPU_FOLDER
			     "cpufreq/policy*/cpuinfo_avg_freq " CPU_FOLDER "online",
	.hints = hints,
	.state_size = sizeof(struct cpufreq),
	.dear = true,
	.probe = files_probe,
	.open = cpufreq_open,
	.shape = files_shape,
	.sample = cpufreq_sample,
	.close = cpufreq_close,
};
