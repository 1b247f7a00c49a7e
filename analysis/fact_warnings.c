/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/fact_warnings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/number.h"
#include "base/names.h"

#define VALUE_SHOWN   60   /* bytes of a value */
#define VALUES_SHOWN  3    /* of a side */
#define MEMORY_SLACK  0.02 /* what the kernel keeps of a machine's memory differs from kernel to kernel */

static const char *const matter[] = {
	"arch",		  "cpu.name",	    "cpu.stepping",	  "cpu.microcode",	"cpu.smt",
	"cpu.governor",	  "cpu.driver",	    "cpu.driver_mode",	  "cpu.preference",	"cpu.no_turbo",
	"cpu.boost",	  "cpu.idle_*",	    "cpu.online",	  "cpu.cache.*",	"cpu.base_mhz",
	"node.count",	  "node.distances", "memory.thp",	  "memory.total_kib",	"page.size",
	"kernel.config*", "kernel.cmdline", "kernel.clocksource", "kernel.nmi_watchdog", "mitigation.*",
	"*.source.*",	  "kernel.log",
};

static bool matters(const char *name)
{
	for (size_t i = 0; i < sizeof(matter) / sizeof(*matter); i++)
		if (text_glob(text_of(name), matter[i]))
			return true;
	return false;
}

/* A command line names the kernel's file, which the comparison of two kernels differs in on purpose. */
static int add_value(const char *name, const char *value, struct names *ret)
{
	cleanup_buf struct buf kept = { 0 };
	struct text rest = text_of(value), word;

	if (strcmp(name, "kernel.cmdline") != 0)
		return names_add(ret, rest) < 0 ? -ENOMEM : 0;
	while (text_word(&rest, &word))
		if (!text_starts(word, "BOOT_IMAGE=") && !text_starts(word, "initrd="))
			(void)buf_printf(&kept, "%s%.*s", kept.len ? " " : "", TEXT_ARGS(word));
	return kept.failed || names_add(ret, buf_text(&kept)) < 0 ? -ENOMEM : 0;
}

/* The values that the side's runs have. */
static int values_of(const struct side *side, const char *name, struct names *ret)
{
	int r = 0;

	for (unsigned i = 0; i < side->count && r == 0; i++) {
		const char *value = side->runs[i]->facts ? pairs_get(side->runs[i]->facts, name) : NULL;

		if (value)
			r = add_value(name, value, ret);
	}
	return r;
}

static bool close_by(const char *name, const struct names *a, const struct names *b)
{
	double x, y;

	return strcmp(name, "memory.total_kib") == 0 && number_read(text_of(a->at[0]), &x) &&
	       number_read(text_of(b->at[0]), &y) && (x > y ? x - y : y - x) <= MEMORY_SLACK * x;
}

/* Is nothing in one that is not in the other? A side without any tells nothing. */
static bool alike(const char *name, const struct names *a, const struct names *b)
{
	if (a->count == 0 || b->count == 0 || close_by(name, a, b))
		return true;
	if (a->count != b->count)
		return false;
	for (size_t i = 0; i < a->count; i++)
		if (names_find(b, text_n(a->at[i], a->length[i]), 0) < 0)
			return false;
	return true;
}

static void put_values(const struct names *values, const char *side, struct buf *ret)
{
	for (size_t i = 0; i < values->count && i < VALUES_SHOWN; i++) {
		bool whole = values->length[i] <= VALUE_SHOWN;

		(void)buf_printf(ret, "%s%.*s%s", i ? " or " : "", whole ? (int)values->length[i] : VALUE_SHOWN,
				 values->at[i], whole ? "" : "...");
	}
	(void)buf_printf(ret, "%s in %s", values->count > VALUES_SHOWN ? " or others" : "", side);
}

/* The line on one fact, empty where the sides are alike. */
static int look(const struct group *g, const char *name, struct names *values, struct buf *ret)
{
	bool differ = false;
	int r = 0;

	buf_clear(ret);
	for (size_t s = 0; s < g->count && r == 0; s++) {
		names_free(&values[s]);
		r = values_of(&g->sides[s], name, &values[s]);
		differ = differ || !alike(name, &values[0], &values[s]);
	}
	if (r < 0 || !differ)
		return r;
	(void)buf_printf(ret, "%s differs", name);
	for (size_t s = 0; s < g->count; s++)
		if (values[s].count) {
			(void)buf_puts(ret, s ? ", " : ": ");
			put_values(&values[s], g->sides[s].value, ret);
		}
	return ret->failed;
}

/* The facts of the base's runs; each once. */
static int names_of(const struct side *base, const char *axis, struct names *ret)
{
	for (unsigned i = 0; i < base->count; i++)
		for (size_t f = 0; base->runs[i]->facts && f < base->runs[i]->facts->count; f++) {
			const char *name = base->runs[i]->facts->at[f].name;

			if (matters(name) && strcmp(name, axis) != 0 && names_add(ret, text_of(name)) < 0)
				return -ENOMEM;
		}
	return 0;
}

int fact_warnings(const struct group *group, const char *axis, struct arena *arena, const char **ret)
{
	struct names *values = calloc(group->count, sizeof(*values)), names = { 0 };
	cleanup_buf struct buf line = { 0 };
	size_t told = 0, left = 0;
	int r = values ? names_of(&group->sides[0], axis, &names) : -ENOMEM;

	for (size_t i = 0; i < names.count && r == 0; i++) {
		r = look(group, names.at[i], values, &line);
		if (r < 0 || line.len == 0)
			continue;
		if (told == FACT_WARNINGS_MOST - 1) {
			left++;
			continue;
		}
		ret[told] = arena_copy(arena, line.data);
		r = ret[told++] ? 0 : -ENOMEM;
	}
	if (r == 0 && left) {
		buf_clear(&line);
		(void)buf_printf(&line, "%zu more facts of the machines differ; `assay show` tells those of a run", left);
		ret[told] = line.failed ? NULL : arena_copy(arena, line.data);
		r = ret[told++] ? 0 : -ENOMEM;
	}
	for (size_t s = 0; values && s < group->count; s++)
		names_free(&values[s]);
	free(values);
	names_free(&names);
	return r < 0 ? r : (int)told;
}
