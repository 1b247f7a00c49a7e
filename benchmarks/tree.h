/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A YAML document as a small tree that knows where each part stands. One document; no anchors, no tags, no merging; a
 * key is a scalar and stands once in its map. Bounded: 256 KiB, 20,000 nodes, 16 levels.
 */
#ifndef ASSAY_BENCHMARKS_TREE_H
#define ASSAY_BENCHMARKS_TREE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/text.h"

enum tree_kind { TREE_SCALAR, TREE_LIST, TREE_MAP };

struct tree {
	enum tree_kind kind;
	unsigned line, column; /* from 1 */
	char *key;	       /* in the map that holds it, or NULL */
	unsigned key_line, key_column;
	char *text;	       /* of a scalar */
	bool quoted;	       /* it is text, whatever it looks like */
	struct tree *children; /* of a list or a map */
	size_t count, room;
};

/* `name` is the file's, for errors: "NAME:7:3: ...". -EINVAL, -ENOMEM. tree_free() takes a zeroed node, too. */
int tree_read(const char *name, struct text text, struct tree *ret, struct err *err);
void tree_free(struct tree *node);

const struct tree *tree_get(const struct tree *map, const char *key); /* or NULL */

/* "NAME:LINE:COLUMN: what"; -EINVAL. tree_wrong_key points at the key of the node in its map. */
int tree_wrong(const char *name, const struct tree *node, struct err *err, const char *what);
int tree_wrong_key(const char *name, const struct tree *node, struct err *err, const char *what);

#endif
