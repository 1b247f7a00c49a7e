/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/number.h"
#include "analysis/view.h"

const struct view *const views[] = {
	&view_boot,
	&view_cpufreq,
	&view_cpuidle,
	&view_energy,
	&view_iostat,
	&view_latency_stats,
	&view_lock_stat,
	&view_meminfo,
	&view_mpstat,
	&view_netdev,
	&view_nfsstat,
	&view_numa,
	&view_perf_stat,
	&view_powercap,
	&view_pressure,
	&view_sched_debug,
	&view_turbostat, /* behind energy and powercap, whose watts it takes */
	&view_uptime,
	&view_vmstat,
	NULL,
};

const struct track *view_track(const struct view_end *end, const char *collector)
{
	for (size_t i = 0; i < end->track_count; i++)
		if (strcmp(end->tracks[i].collector, collector) == 0)
			return &end->tracks[i];
	return NULL;
}

bool fact_number(const struct pairs *facts, const char *name, double *ret)
{
	const char *value = pairs_get(facts, name);

	return value && number_read(text_of(value), ret);
}

int view_room(void *at, size_t *room, size_t count, size_t size)
{
	char **array = at;
	char *grown;

	if (count <= *room)
		return 0;
	grown = realloc(*array, count * size);
	if (!grown)
		return -ENOMEM;
	memset(grown + *room * size, 0, (count - *room) * size);
	*array = grown;
	*room = count;
	return 0;
}
