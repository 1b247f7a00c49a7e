/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Option rows: what can be set, where it lands in a struct, and what is there when nobody says anything.
 * The table is the documentation, too (`assay collectors NAME`).
 */
#ifndef ASSAY_BASE_OPTION_H
#define ASSAY_BASE_OPTION_H

#include <stddef.h>

#include "base/err.h"

enum option_type {
	OPT_END = 0,
	OPT_BOOL,     /* bool:     yes no true false on off 1 0 */
	OPT_NUMBER,   /* int64_t:  decimal, with an optional K M G T (powers of 1024) */
	OPT_DURATION, /* int64_t:  ns; "250ms" "1s" "1.5s" "2m" "1h"; a bare number is seconds */
	OPT_TEXT,     /* char *:   a copy; options_free() releases it */
};

struct option {
	const char *name;
	enum option_type type;
	size_t offset; /* in the state */
	const char *otherwise; /* the value when not set, as text */
	const char *help;
};

/* Put every row's default. The state's memory must be zeroed before. */
int options_default(const struct option *options, void *state, struct err *err);

/* -ENOENT: no such option; -EINVAL: not a value of its type. Both errors name what would be right. */
int option_set(const struct option *options, void *state, const char *name, const char *value, struct err *err);

void options_free(const struct option *options, void *state);

/* The types' readers, for verbs and configuration. 0 or -EINVAL with `err` naming `what` and the value. */
int parse_bool(const char *what, const char *value, _Bool *ret, struct err *err);
int parse_number(const char *what, const char *value, long long *ret, struct err *err);
int parse_duration(const char *what, const char *value, long long *ret_ns, struct err *err);

#endif
