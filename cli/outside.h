/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Collectors from outside the program, behind those that are built in: shared objects (collectors/abi.h) and programs
 * (collectors/exec.h).
 *
 *   $ASSAY_PLUGINS                        folders, ':' between: *.so and *.yaml in each, in the order of their names
 *   LIBDIR/assay/collectors               the same, of packages
 *   ~/.config/assay/collectors.yaml       programs of this user
 *
 * What cannot be taken is refused with a reason and costs nothing else. A name that is taken already stays with whom it
 * belongs to.
 */
#ifndef ASSAY_CLI_OUTSIDE_H
#define ASSAY_CLI_OUTSIDE_H

#include "collectors/collector.h"
#include "collectors/plugin.h"

struct outside {
	const struct collector **at; /* all, ends at NULL: those of list.def first */
	size_t count, room;
	struct origin {
		const struct collector *collector;
		char *file;
		struct plugin plugin; /* of a shared object */
	} *origins;
	size_t origin_count;
	struct refusal {
		char *file, *why; /* why begins with the file, or a file and a line */
	} *refused;
	size_t refused_count;
};

int outside_load(struct outside *ret, struct err *err); /* -ENOMEM */
void outside_close(struct outside *o);

const struct collector *outside_find(const struct outside *o, const char *name); /* or NULL */
const char *outside_file(const struct outside *o, const struct collector *c); /* NULL: it is built in */

/* ---- for the files of outside*.c ---- */

int outside_add(struct outside *o, const struct collector *c, const char *file, const struct plugin *plugin,
		struct err *err);
int outside_refuse(struct outside *o, const char *file, const struct err *why, struct err *err);

/*
 * The programs that a YAML file names:
 *
 *   gpu:
 *     exec: [gpu-poll, --every, "1"]
 *     description: What the graphics card does
 *     interval: 1s
 *     patience: 15s
 *
 * A file that is not there is none. What is wrong in it refuses the file as a whole: "FILE:LINE:COLUMN: reason".
 */
int outside_read(struct outside *o, const char *file, struct err *err);

#endif
