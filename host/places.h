/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which CPUs share a core and a package: what each of them shares is measured once, on the first of them. */
#ifndef ASSAY_HOST_PLACES_H
#define ASSAY_HOST_PLACES_H

#include "host/cpulist.h"
#include "host/host.h"

struct place_of {
	unsigned core, package; /* the lowest CPU of `cpus` that is in the same core, in the same package */
};

/* ret[cpus->count]. A CPU whose topology sysfs does not tell is a core of its own, and in the package of the first
 * one. 0 or -ENOMEM. */
int places_read(const struct host *host, const struct cpulist *cpus, struct place_of *ret);

#endif
