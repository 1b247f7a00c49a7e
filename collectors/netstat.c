/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collectors/records.h"

static const struct hint hints[] = {
	/* key                            kind     unit               help */
	{ "*Octets",                       COUNTER, UNIT_BYTES,        "Bytes of IP packets received (In) and sent (Out), by kind of address." },
	{ "IpExt.In*Pkts",                 COUNTER, UNIT_COUNT,        "IP packets received, by kind of address or by their mark of congestion (ECT, CE)." },
	{ "IpExt.Out*Pkts",                COUNTER, UNIT_COUNT,        "IP packets sent, by kind of address." },
	{ "TcpExt.TCPMemoryPressuresChrono", COUNTER, UNIT_MILLISECONDS, "Time in which TCP was short of memory." },
	{ "TcpExt.Syncookies*",            COUNTER, UNIT_COUNT,        "SYN cookies sent, received, and received without being valid." },
	{ "TcpExt.Listen*",                COUNTER, UNIT_COUNT,        "Connections lost at a listening socket: its queue was full (Overflows), for any reason (Drops)." },
	{ "TcpExt.TW*",                    COUNTER, UNIT_COUNT,        "Sockets that left the state TIME_WAIT, by how." },
	{ "TcpExt.DelayedACK*",            COUNTER, UNIT_COUNT,        "Acknowledgements that were delayed; that found the socket locked; that were lost." },
	{ "TcpExt.TCPAbort*",              COUNTER, UNIT_COUNT,        "Connections that TCP cut off, by reason." },
	{ "TcpExt.TCPDSACK*",              COUNTER, UNIT_COUNT,        "Duplicate selective acknowledgements sent and received: something was sent twice for nothing." },
	{ "TcpExt.TCPFastOpen*",           COUNTER, UNIT_COUNT,        "Connections opened with data in their first packet, by side and outcome." },
	{ "TcpExt.TCPTimeouts",            COUNTER, UNIT_COUNT,        "Retransmission timers that ran out." },
	{ "TcpExt.TCP*Retrans*",           COUNTER, UNIT_COUNT,        "Segments sent again, by the state that TCP was in." },
	{ "TcpExt.TCP*Drop*",              COUNTER, UNIT_COUNT,        "Segments dropped, by reason." },
	{ "TcpExt.*",                      COUNTER, UNIT_COUNT,        "Events of TCP beyond RFC 4022, as the kernel names them." },
	{ "MPTcpExt.MPCurrEstab",          GAUGE,   UNIT_COUNT,        "Multipath TCP connections that are established now." },
	{ "MPTcpExt.*",                    COUNTER, UNIT_COUNT,        "Events of multipath TCP, as the kernel names them." },
	{ "*",                             COUNTER, UNIT_COUNT,        "Events of the network protocols beyond their standard tables, as the kernel names them." },
	{ 0 },
};

const struct collector collector_netstat = {
	.name = "netstat",
	.description = "Events of TCP, multipath TCP and IP beyond the standard tables",
	.source = "proc/net/netstat",
	.hints = hints,
	HEADED_FILE,
};
