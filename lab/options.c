/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The options of a comparison by their names: those of the program's flags and of the server's arguments. */
#include <errno.h>
#include <string.h>

#include "base/option.h"
#include "lab/lab.h"

#define IN(member) offsetof(struct lab_options, member)

enum row_type { TEXT, FLAG, RATIO, COUNT, RULES };

static const struct {
	const char *name;
	enum row_type type;
	size_t offset;
} rows[] = {
	{ "rules",       RULES, IN(compare.rules) },
	{ "axis",        TEXT,  IN(compare.axis) },
	{ "filter",      TEXT,  IN(compare.filter) },
	{ "family",      TEXT,  IN(compare.family) },
	{ "all",         FLAG,  IN(compare.all) },
	{ "more",        FLAG,  IN(compare.more) },
	{ "kpi",         FLAG,  IN(compare.kpi_only) },
	{ "present_day", FLAG,  IN(compare.present_day) },
	{ "q",           RATIO, IN(compare.q) },
	{ "effect",      RATIO, IN(compare.effect) },
	{ "weak",        FLAG,  IN(compare.weak) },
	{ "noise",       FLAG,  IN(compare.noise) },
	{ "expand",      FLAG,  IN(compare.expand) },
	{ "intervals",   FLAG,  IN(compare.intervals) },
	{ "top",         COUNT, IN(compare.top) },
	{ "no_history",  FLAG,  IN(no_history) },
	{ "relative",    RATIO, IN(compare.relative) },
	{ "gap",         RATIO, IN(compare.gap) },
	{ "variance",    RATIO, IN(compare.variance) },
	{ "distance",    RATIO, IN(compare.distance) },
};

static int set_ratio(const char *name, const char *value, double *ret, struct err *err)
{
	struct text rest = text_of(value);
	int64_t micro;

	if (!text_decimal(&rest, 6, &micro) || rest.at != rest.end || micro <= 0)
		return err_set(err, -EINVAL, "%s: '%.32s' is not a number above 0", name, value);
	*ret = (double)micro / 1e6;
	return 0;
}

static int set_count(const char *name, const char *value, size_t *ret, struct err *err)
{
	struct text rest = text_of(value);
	uint64_t count;

	if (!text_u64(&rest, &count) || rest.at != rest.end || count == 0 || count > SIZE_MAX / 2)
		return err_set(err, -EINVAL, "%s: '%.32s' is not a count above 0", name, value);
	*ret = (size_t)count;
	return 0;
}

static int set_rules(const char *value, enum rules *ret, struct err *err)
{
	if (strcmp(value, "assay") != 0 && strcmp(value, "lkp") != 0)
		return err_set(err, -EINVAL, "rules: no rules are called '%.32s'; there are: assay, lkp", value);
	*ret = strcmp(value, "lkp") == 0 ? RULES_LKP : RULES_ASSAY;
	return 0;
}

int lab_option_set(struct lab_options *options, const char *name, const char *value, struct err *err)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		void *at = (char *)options + rows[i].offset;

		if (strcmp(rows[i].name, name) != 0)
			continue;
		switch (rows[i].type) {
		case TEXT:
			*(const char **)at = *value ? value : NULL;
			return 0;
		case FLAG:
			return parse_bool(name, value, at, err);
		case RATIO:
			return set_ratio(name, value, at, err);
		case COUNT:
			return set_count(name, value, at, err);
		case RULES:
			return set_rules(value, at, err);
		}
	}
	return -ENOENT;
}
