/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collectors/records.h"

static const struct hint hints[] = {
	/* key         kind   unit        help */
	{ "*.inuse",      GAUGE, UNIT_COUNT, "Sockets of the protocol over IPv6 that are in use; FRAG6: packets that wait for their other fragments." },
	{ "*.memory",     GAUGE, UNIT_BYTES, "Memory of IPv6 fragments that wait for the others." },
	{ "*",            GAUGE, UNIT_COUNT, "Sockets of IPv6, as the kernel names them." },
	{ 0 },
};

const struct collector collector_sockstat6 = {
	.name = "sockstat6",
	.description = "Sockets of IPv6 by protocol, and their memory",
	.source = "proc/net/sockstat6",
	.hints = hints,
	WORDED_FILE,
};
