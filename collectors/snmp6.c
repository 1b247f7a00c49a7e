/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collectors/keyed.h"

static const struct hint hints[] = {
	/* key        kind     unit        help */
	{ "*Octets",   COUNTER, UNIT_BYTES, "Bytes of IPv6 packets, by what became of them." },
	{ "*",         COUNTER, UNIT_COUNT, "Packets and events of IPv6, ICMPv6 and UDP over IPv6, by the names of RFC 4293." },
	{ 0 },
};

const struct collector collector_snmp6 = {
	.name = "snmp6",
	.description = "Packets and errors of IPv6",
	.source = "proc/net/snmp6",
	.hints = hints,
	KEYED_FILE,
};
