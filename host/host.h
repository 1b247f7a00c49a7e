/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The machine as an argument: this one, or a recorded tree that holds a proc/ and a sys/.
 *
 * Paths are "proc/..." and "sys/...", never "/proc/...". Links inside a recorded tree stay inside it.
 * Threads: a host is only read after host_open_root(); any thread may.
 */
#ifndef ASSAY_HOST_HOST_H
#define ASSAY_HOST_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/names.h"

struct seen;

struct host {
	int root_fd;	       /* "/" or a recorded tree; the host's to close */
	bool live;	       /* false: no perf events, no MSRs of this machine */
	long page_size;	       /* bytes; of the recording, never sysconf() in a collector */
	long ticks_per_second; /* of the cpu times in proc/stat */
	const char *root;      /* as given, for messages; "/" when live */
	struct seen *seen;     /* what is opened is noted there (host/seen.h); NULL: it is not */
	uint64_t fresh_ns;     /* what opening a procfile read is its first reading, too, for so long; 0: never */
	int command;	       /* process of the wrapped command, which has not been executed yet; 0: there is none */
};

/* `root` NULL: this machine. A recording tells page size and ticks in its file `host` ("page_size 4096"); without
 * one, 4096 and 100 are taken. `root` is not copied. */
int host_open_root(struct host *host, const char *root, struct err *err);
void host_close(struct host *host);

/* An O_CLOEXEC descriptor the caller closes, or -errno. */
int host_open(const struct host *host, const char *path);
bool host_has(const struct host *host, const char *path);

/* The whole of a file that is read once (facts); appended to `ret`, up to its ceiling. */
int host_read(const struct host *host, const char *path, struct buf *ret, struct err *err);

/* Write `text` into a file that is there, by one write: a switch of the kernel. -EROFS for a recording: only this machine is
 * ever written to. */
int host_write(const struct host *host, const char *path, const char *text, struct err *err);

/* Names in a folder (no "." and ".."), in natural order: node2 before node10. `ret` is emptied first. */
int host_list(const struct host *host, const char *path, struct names *ret, struct err *err);

/* Paths that match a pattern whose '*' and '?' stay inside a path component: "sys/devices/system/node/node*" +
 * "/vmstat". In natural order. No match is 0 paths, not an error. */
int host_glob(const struct host *host, const char *pattern, struct names *ret, struct err *err);

/* "cpu2" before "cpu10": runs of digits compare as numbers. */
int natural_compare(const char *a, const char *b);

#endif
