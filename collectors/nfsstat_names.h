/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the numbers in the lines of proc/net/rpc/{nfs,nfsd} are, in their order, as nfsstat(8) calls them. */
#ifndef ASSAY_COLLECTORS_NFSSTAT_NAMES_H
#define ASSAY_COLLECTORS_NFSSTAT_NAMES_H

#include <stdbool.h>

#include "base/text.h"

/* A name, and in files of how many numbers it stands: the kernel put later ones between the earlier ones. */
struct nfsstat_name {
	const char *name;
	unsigned short since;
};

struct nfsstat_record {
	const char *head, *section;
	bool client, server;
	bool counted;				  /* procedures: numbered from 0 */
	const struct nfsstat_name *names; /* ends at NULL */
};

/* The record that a line begins with, or NULL. */
const struct nfsstat_record *nfsstat_record(bool server, struct text head);

/* The name of the nth number, from 0, of `count`; NULL: none that is known. */
const char *nfsstat_name(const struct nfsstat_record *record, unsigned nth, unsigned long count);

#endif
