/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The processes that come from some roots, and what they used, also those that are gone.
 *
 * Who belongs to it is asked of each process once: a process whose parent belongs to it does, too, and orphans of the
 * wrapped command become children of this program. Those that do not are remembered as such, and a sixteenth of them
 * is asked again each time, so that a number that is given to a new process is seen.
 *
 * What is counted must not count twice, nor step back when a process ends:
 *
 *   time, faults     own, and of children that were waited for; ours are those of what we waited for
 *   io               the kernel adds that of children that were waited for to the parent's own
 *   switches         of living threads; those of processes that are gone are kept
 *
 * Parents are read before their children, then the list of all processes, so that a child that is waited for meanwhile
 * is missing rather than counted twice; the next look has it. What is missing twice in a row (a parent that ignores
 * SIGCHLD waits for nobody) is kept from then on.
 *
 * Cost: a look reads for at most `budget_ns` of CPU time; processes that it does not reach keep what they had and are the first of
 * the next look. The oldest OLDEST are read each time.
 */
#ifndef ASSAY_COLLECTORS_PROCESS_TREE_H
#define ASSAY_COLLECTORS_PROCESS_TREE_H

#include "collectors/process_stat.h"
#include "host/host.h"

enum used {
	USED_UTIME,
	USED_STIME,
	USED_MINFLT,
	USED_MAJFLT,
	USED_RCHAR,
	USED_WCHAR,
	USED_SYSCR,
	USED_SYSCW,
	USED_READ_BYTES,
	USED_WRITE_BYTES,
	USED_CANCELLED,
	USED_VOLUNTARY,
	USED_INVOLUNTARY,
	USED_COUNT
};

struct process {
	uint64_t pid, ppid, starttime;
	uint64_t used[USED_COUNT];
	uint64_t switches[2]; /* of its living threads, at the last look */
	uint64_t threads, vsize, rss, fds; /* rss: pages */
	char state;
	bool has_io, has_switches, has_fds;
	bool seen;     /* in the list of this look; only of numbers beyond the bits */
	bool replaced; /* its number is another process's now */
};

struct process_tree {
	const struct host *host;
	void *list; /* DIR of the folder proc */
	uint64_t self; /* our number in it; 0: what we wait for is not the tree's */
	bool all;  /* a recording: all that is there belongs to it */
	uint64_t since; /* ticks since the boot: what began before, and was not of it at open, is not of it */
	uint64_t latest; /* when the youngest began that was ever asked */
	uint64_t *inside, *outside, *listed; /* bits by pid, as many as the kernel gives */
	size_t words;
	struct process *at;
	size_t count, most;
	struct stranger {
		uint64_t pid, ppid;
	} *strangers;
	size_t stranger_room;
	size_t next; /* who is read first */
	unsigned round;
	uint64_t waited_before[4]; /* what we had waited for at open */
	uint64_t gone[USED_COUNT], kept[USED_COUNT];
	uint64_t used[USED_COUNT]; /* of all, since the tree was opened or the process began; never steps back */
	bool is_short[USED_COUNT], has[USED_COUNT];
	uint64_t not_measured; /* beyond `most`, at the last look */
	uint64_t not_read;     /* processes and threads that were not reached */
	uint64_t seen;	       /* how many belonged to it in all */
};

/* `roots`: numbers; NULL: the command and what becomes ours after it. 0 or -errno with `err` filled. */
int process_tree_open(struct process_tree *t, const struct host *host, const char *roots, size_t most, struct err *err);

/* Look at all. Allocates nothing. */
int process_tree_look(struct process_tree *t, uint64_t budget_ns, struct err *err);

void process_tree_close(struct process_tree *t); /* takes a zeroed one, too */

#endif
