/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collectors/keyed.h"

static const struct hint hints[] = {
	/* key       kind     unit        help */
	{ "XfrmIn*",  COUNTER, UNIT_COUNT, "Packets of IPsec that were received and dropped, by reason." },
	{ "XfrmOut*", COUNTER, UNIT_COUNT, "Packets that IPsec should have sent and dropped, by reason." },
	{ "XfrmFwd*", COUNTER, UNIT_COUNT, "Packets that IPsec should have passed on and dropped, by reason." },
	{ "*",        COUNTER, UNIT_COUNT, "Failures of IPsec, as the kernel names them." },
	{ 0 },
};

const struct collector collector_xfrm_stat = {
	.name = "xfrm-stat",
	.description = "Packets that IPsec dropped, by reason",
	.source = "proc/net/xfrm_stat",
	.hints = hints,
	KEYED_FILE,
};
