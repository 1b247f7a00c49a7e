/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where something is in a JSON document.
 *
 *   path = [ step { "." key | "[" ... "]" } ]        "" is the document itself
 *
 *   end.sum.bytes       keys of objects, one in the other
 *   jobs[0]  jobs[-1]   an element of an array, from 0; from the end
 *   jobs[*].read        each element of an array, or each value of an object
 *   p["99.000000"]      a key with other characters than letters, digits, '_', '-', '%', '/' and ' '
 */
#ifndef ASSAY_ANALYSIS_JSON_PATH_H
#define ASSAY_ANALYSIS_JSON_PATH_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/text.h"

#define JSON_PATH_STEPS 16

struct json_t;

struct json_step {
	char *key; /* NULL: an index, or all */
	bool all;
	long index;
};

struct json_path {
	struct json_step *steps;
	size_t count;
};

/* -EINVAL: `err` tells the character (from 1) and why. json_path_free() takes a zeroed one, too. */
int json_path_compile(struct text text, struct json_path *ret, struct err *err);
void json_path_free(struct json_path *path);

/* Each value at the path, in the document's order, given to `visit` until it returns other than 0, which is returned.
 */
int json_path_each(const struct json_path *path, struct json_t *root, int (*visit)(void *of, struct json_t *value),
		   void *of);

#endif
