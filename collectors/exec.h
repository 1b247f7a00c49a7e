/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A collector that is a program: it prints a line for each number and a blank line when all of a tick are out.
 *
 *   temperature 41.5 degC
 *   frames 18446 count counter
 *
 * It runs from the first open to the last close, in a process group of its own, with /dev/null for input. Sampling
 * never waits for it: what its pipe holds is taken, and of that the last whole tick; when there is none since the
 * sample before, all is absent. A new name is -ESTALE. One that ended is started anew after 1 s, 2 s ... 60 s; one that
 * does not finish a tick in its patience, or whose tick is larger than 64 KiB, is killed and counts as ended. Both are
 * -EAGAIN, and the words end in the last line that it printed on stderr.
 *
 * Only the first open waits for the first tick, half a second at most, so that an opening snapshot has its values.
 */
#ifndef ASSAY_COLLECTORS_EXEC_H
#define ASSAY_COLLECTORS_EXEC_H

#include "collectors/collector.h"

struct exec_plan {
	const char *name; /* of the collector */
	const char *description;
	const char *const *argv; /* ends at NULL; the program is looked for in PATH */
	unsigned interval_ms;	 /* 0: 1000 */
	unsigned patience_ms;	 /* 0: 10 s and three intervals */
};

/* Copies the plan; exec_free() when no run is open. -ENOMEM. */
int exec_make(const struct exec_plan *plan, const struct collector **ret, struct err *err);
void exec_free(const struct collector *c);

#endif
