/* SPDX-License-Identifier: GPL-3.0-or-later */
/* meminfo.Memused = MemTotal - MemFree, its mean, and meminfo.max_used_kB, its largest (spec A.3.11, A.1c). */
#include "analysis/view.h"

static int meminfo_sample(void *state, const struct sight *s)
{
	double total, unused;

	if (sight_value(s, "MemTotal", &total) && sight_value(s, "MemFree", &unused))
		level_add(state, s->phase, total - unused);
	return 0;
}

static int meminfo_finish(void *state, const struct view_end *end, struct stats *ret)
{
	struct level *used = state;
	int r;

	if (used->count == 0)
		return 0;
	r = stats_set(ret, "meminfo.Memused", level_mean(used));
	return r < 0 ? r : stats_set(ret, "meminfo.max_used_kB", used->max);
}

static const struct view_key keys[] = {
	{ "meminfo.Memused",     UNIT_KIB, "MemTotal less MemFree, its mean." },
	{ "meminfo.max_used_kB", UNIT_KIB, "MemTotal less MemFree, its largest." },
	{ 0 },
};

static const char *const collectors[] = { "meminfo", NULL };

const struct view view_meminfo = { "meminfo", collectors, sizeof(struct level), meminfo_sample, meminfo_finish, NULL, keys };
