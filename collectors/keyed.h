/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files of one number a line, by key:
 *
 *   MemTotal:       16384 kB         proc/meminfo
 *   nr_free_pages 2931245            proc/vmstat, sys/.../node<N>/{vmstat,numastat}
 *   Node 1 Active(anon):   123 kB    sys/.../node<N>/meminfo
 *
 * A collector of such a file is its constant with KEYED_FILE in it. When its `source` begins with a pattern, there is
 * an instance for each file that matches, called as the path component that holds the '*' ("node8"), and the file
 * `online` beside those folders is watched, so that a node that comes or goes is a new shape.
 *
 * Unit:      " kB" in the file says KiB, whatever the hints say; where neither says anything, it is a count.
 * Twice:     a key that is listed twice counts once; the first line counts.
 * New key:   -ESTALE. Gone key: its slot is absent.
 * Bad line:  a line without key is passed over. A key without a number is -EBADMSG, naming it; the values of all other
 *            lines are put. One of several files that cannot be read: its error, and the others' values.
 */
#ifndef ASSAY_COLLECTORS_KEYED_H
#define ASSAY_COLLECTORS_KEYED_H

#include "collectors/collector.h"
#include "collectors/watch.h"
#include "host/procfile.h"

struct keyed {
	const struct collector *collector;
	struct names keys, instances;
	struct metric *metrics;
	char *stops; /* what stands behind each key */
	size_t room; /* of metrics and stops */
	struct shape shape;
	struct procfile *files; /* one an instance */
	struct watch online;
};

int keyed_open(const struct collector *self, void *state, const struct host *host, struct err *err);
const struct shape *keyed_shape(const void *state);
int keyed_sample(void *state, struct sample *out, struct err *err);
void keyed_close(void *state);

#define KEYED_FILE                            \
	.state_size = sizeof(struct keyed), .open = keyed_open, .shape = keyed_shape, .sample = keyed_sample, \
	.close = keyed_close

#endif
