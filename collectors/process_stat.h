/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One line of proc/<pid>/stat:
 *
 *   77 (a) b(c) R 1 77 77 0 -1 4194560 2 0 0 0 5 6 0 0 20 0 1 0 100 1000 10 ...
 *
 * The name stands between the first '(' and the last ')' and may hold any byte: blanks, brackets, newlines, half a
 * letter of UTF-8.
 */
#ifndef ASSAY_COLLECTORS_PROCESS_STAT_H
#define ASSAY_COLLECTORS_PROCESS_STAT_H

#include "base/text.h"

struct process_stat {
	uint64_t pid, ppid;
	struct text name; /* in the text that was read */
	char state;	  /* 'R' 'S' 'D' 'Z' 'T' ... */
	uint64_t minflt, cminflt, majflt, cmajflt; /* c...: of children that were waited for */
	uint64_t utime, stime, cutime, cstime;	   /* ticks */
	uint64_t threads, starttime, vsize;	   /* ticks since the boot; bytes */
	uint64_t rss;				   /* pages */
};

/* False: not such a line. Numbers behind rss are not looked at. */
bool process_stat_read(struct text text, struct process_stat *ret);

#endif
