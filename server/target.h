/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The target of a request, "/v1/runs/01J.../stats?limit=3", taken apart: parts of the path, and arguments.
 *
 * Parsed from the bytes as they came, before any decoding, so that a "%2F" stays inside its part. Each part and each
 * argument is decoded once, into memory of the target. A "%00" and half a "%4" are refused; '+' is a blank in
 * arguments only. "." and ".." have no meaning and are found in no route.
 */
#ifndef ASSAY_SERVER_TARGET_H
#define ASSAY_SERVER_TARGET_H

#include "base/err.h"

#define TARGET_BYTES     4096 /* of the raw target */
#define TARGET_PARTS     8
#define TARGET_ARGUMENTS 32

struct target {
	const char *parts[TARGET_PARTS]; /* "/" has none; "/a/" has "a" and "" */
	unsigned part_count;
	struct {
		const char *name, *value; /* "" without '=' */
	} arguments[TARGET_ARGUMENTS];
	unsigned argument_count;
	char memory[TARGET_BYTES + 2];
};

/* -ENAMETOOLONG: longer than TARGET_BYTES; -E2BIG: too many arguments; -ENOENT: more parts than any route has;
 * -EINVAL: not a target. */
int target_parse(struct target *ret, const char *raw, struct err *err);

/* The first argument of that name, or NULL. */
const char *target_argument(const struct target *target, const char *name);

#endif
