/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collectors/records.h"

static const struct hint hints[] = {
	/* key         kind   unit        help */
	{ "sockets.used", GAUGE, UNIT_COUNT, "Sockets of all families that are open." },
	{ "TCP.tw",       GAUGE, UNIT_COUNT, "Sockets in the state TIME_WAIT." },
	{ "TCP.orphan",   GAUGE, UNIT_COUNT, "Sockets that no process has any longer and that are not closed yet." },
	{ "TCP.alloc",    GAUGE, UNIT_COUNT, "Sockets that are allocated, in whatever state." },
	{ "*.inuse",      GAUGE, UNIT_COUNT, "Sockets of the protocol that are in use; FRAG: packets that wait for their other fragments." },
	{ "*.mem",        GAUGE, UNIT_PAGES, "Memory of the protocol's buffers." },
	{ "*.memory",     GAUGE, UNIT_BYTES, "Memory of fragments that wait for the others." },
	{ "*",            GAUGE, UNIT_COUNT, "Sockets, as the kernel names them." },
	{ 0 },
};

const struct collector collector_sockstat = {
	.name = "sockstat",
	.description = "Sockets by protocol, and their memory",
	.source = "proc/net/sockstat",
	.hints = hints,
	WORDED_FILE,
};
