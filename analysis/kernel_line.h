/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One record of the kernel's log, in any of the forms it is seen in:
 *
 *   6,100,5000000,-;usb 1-1: new device      /dev/kmsg: priority, number, microseconds since boot, flags; lines that
 *    SUBSYSTEM=usb                           begin with a blank belong to the record before
 *   <3>[   18.389095][    T1] usnic: ...     serial console; the level and the caller may be missing
 *   kern  :err   : [   13.708941] handlers:  dmesg -x
 *
 * The level is the low three bits of the priority, the rest is the facility: 0 is the kernel's own, what a program
 * wrote into /dev/kmsg has another.
 */
#ifndef ASSAY_ANALYSIS_KERNEL_LINE_H
#define ASSAY_ANALYSIS_KERNEL_LINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

struct kernel_line {
	int level;         /* 0 emergency ... 3 error, 4 warning ... 7; -1: not told */
	int facility;      /* 0: the kernel, or not told */
	bool numbered, stamped;
	uint64_t number;   /* of the record */
	uint64_t usec;     /* since boot */
	bool continued;    /* a piece of a line that goes on: flag 'c' */
	struct text text;  /* lent from the record, its escapes as they are */
	struct text more;  /* lines behind the first: " KEY=value" */
};

/* Never fails: what has none of the forms is all text. */
struct kernel_line kernel_line_read(struct text record);

/* Text with \xNN turned into the bytes they stand for; appended to `ret`. */
int kernel_line_unescape(struct text text, struct buf *ret);

/* The value of a key of `more` ("SUBSYSTEM"). */
bool kernel_line_key(const struct kernel_line *line, const char *key, struct text *ret);

#endif
