/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files of one process. A file that cannot be read is the ordinary end of a process, or not ours to read. */
#ifndef ASSAY_COLLECTORS_PROCESS_READ_H
#define ASSAY_COLLECTORS_PROCESS_READ_H

#include "collectors/process_tree.h"

/* Of the process <pid>. False: there is none. The name is not kept. */
bool process_read_stat(const struct host *host, uint64_t pid, struct process_stat *ret);

/* What that says of it. */
void process_take_stat(struct process *p, const struct process_stat *stat);

/* All that is known of it. False: it is gone; `p` is as it was, or p->replaced is set. Threads that are too many to be
 * asked are added to `not_read`. */
bool process_read(const struct host *host, struct process *p, uint64_t *not_read);

#endif
