/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collectors/records.h"

/* Tcp.MaxConn is -1: no limit. */
static const struct hint hints[] = {
	/* key              kind     unit               help */
	{ "Ip.Forwarding",    GAUGE,   UNIT_NONE,         "1: packets for others are forwarded; 2: they are not." },
	{ "Ip.DefaultTTL",    GAUGE,   UNIT_COUNT,        "Hops that a packet of this machine may take." },
	{ "Ip.Reasm*",        COUNTER, UNIT_COUNT,        "Packets put together from fragments: asked for, done, failed, out of time." },
	{ "Ip.Frag*",         COUNTER, UNIT_COUNT,        "Packets cut into fragments: done, failed, and the fragments made." },
	{ "Ip.*",             COUNTER, UNIT_COUNT,        "IP packets, by what became of them (RFC 4293)." },
	{ "Icmp.*",           COUNTER, UNIT_COUNT,        "ICMP messages received (In) and sent (Out), by kind." },
	{ "IcmpMsg.*",        COUNTER, UNIT_COUNT,        "ICMP messages received (In) and sent (Out), by the number of their type; shown from the first one on." },
	{ "Tcp.RtoAlgorithm", GAUGE,   UNIT_NONE,         "How the retransmission timeout is found (RFC 4022); 1: otherwise." },
	{ "Tcp.RtoM*",        GAUGE,   UNIT_MILLISECONDS, "Least and largest retransmission timeout." },
	{ "Tcp.MaxConn",      GAUGE,   UNIT_COUNT,        "Connections that there may be at most; -1: no limit." },
	{ "Tcp.CurrEstab",    GAUGE,   UNIT_COUNT,        "Connections that are established, or wait for the other side to close." },
	{ "Tcp.*Opens",       COUNTER, UNIT_COUNT,        "Connections opened from here (Active) and from elsewhere (Passive)." },
	{ "Tcp.RetransSegs",  COUNTER, UNIT_COUNT,        "Segments sent again." },
	{ "Tcp.*",            COUNTER, UNIT_COUNT,        "Segments and connections of TCP, by what became of them (RFC 4022)." },
	{ "Udp*",             COUNTER, UNIT_COUNT,        "Datagrams, by what became of them (RFC 4113)." },
	{ "*",                COUNTER, UNIT_COUNT,        "A number of a protocol, as the kernel names it." },
	{ 0 },
};

const struct collector collector_snmp = {
	.name = "snmp",
	.description = "Packets and errors of IP, ICMP, TCP and UDP",
	.source = "proc/net/snmp",
	.hints = hints,
	HEADED_FILE,
};
