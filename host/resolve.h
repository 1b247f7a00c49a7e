/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How a path becomes a descriptor; for this room only.
 *
 * In a recorded tree the tree's root is the root: an absolute link starts there and ".." stops there. The kernel does
 * it (openat2, since 5.6); where it cannot, or is forbidden to, the path is walked here, one component at a time.
 */
#ifndef ASSAY_HOST_RESOLVE_H
#define ASSAY_HOST_RESOLVE_H

#include "host/host.h"

/* An O_CLOEXEC | O_NONBLOCK descriptor opened with O_RDONLY | `flags`, or -errno. */
int resolve(const struct host *host, const char *path, int flags);

/* The same without openat2(). Two opens of each component, none of which follows a link: nobody who changes the tree
 * meanwhile can lead out of it. -ELOOP after 40 links, -ENAMETOOLONG more than 64 folders deep. */
int resolve_walk(int root_fd, const char *path, int flags);

#endif
