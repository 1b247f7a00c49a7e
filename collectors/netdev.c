/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 *   Inter-|   Receive                          ...  |  Transmit
 *    face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
 *      lo:9477513   53050    0    0    0     0          0         0  9477513   53050    0    0    0     0       0          0
 *
 * The name ends at the last colon; an alias has one of its own ("eth0:1"). There need be no blank behind it. Interfaces are
 * those of the network namespace that the agent is in.
 */
#include "collectors/columns.h"
#include "collectors/digits.h"

static const char *const names[] = {
	"rx_bytes", "rx_packets", "rx_errs", "rx_drop", "rx_fifo", "rx_frame", "rx_compressed", "rx_multicast",
	"tx_bytes", "tx_packets", "tx_errs", "tx_drop", "tx_fifo", "tx_colls", "tx_carrier", "tx_compressed",
	"field17", "field18", "field19", "field20", "field21", "field22", "field23", "field24",
	NULL,
};

#define FIELDS (sizeof(names) / sizeof(*names) - 1)

static const struct hint hints[] = {
	/* key           kind     unit        help */
	{ "*_bytes",      COUNTER, UNIT_BYTES, "Bytes received (rx) and sent (tx)." },
	{ "*_packets",    COUNTER, UNIT_COUNT, "Packets." },
	{ "*_errs",       COUNTER, UNIT_COUNT, "Packets with errors, of all kinds." },
	{ "*_drop",       COUNTER, UNIT_COUNT, "Packets dropped for want of room or of a receiver." },
	{ "*_fifo",       COUNTER, UNIT_COUNT, "Overruns of the device's buffers." },
	{ "rx_frame",     COUNTER, UNIT_COUNT, "Packets of a wrong length, check sum or alignment." },
	{ "rx_multicast", COUNTER, UNIT_COUNT, "Packets to many receivers." },
	{ "tx_colls",     COUNTER, UNIT_COUNT, "Collisions." },
	{ "tx_carrier",   COUNTER, UNIT_COUNT, "Losses of the carrier and other failures to send." },
	{ "*_compressed", COUNTER, UNIT_COUNT, "Compressed packets." },
	{ "*",            COUNTER, UNIT_NONE,  "A number that newer kernels print behind the known ones." },
	{ 0 },
};

static bool interface_head(const char *at, const char *line_end, struct text *name, const char **numbers)
{
	const char *colon = memrchr(at, ':', (size_t)(line_end - at));

	at = skip_blanks(at, line_end);
	if (!colon || colon <= at)
		return false;
	*name = (struct text){ at, colon };
	*numbers = colon + 1;
	return true;
}

static const char *interface_numbers(const char *at, const char *end, uint64_t *values, uint32_t *present)
{
	unsigned count = 0;

	for (; count < FIELDS; count++) {
		at = skip_blanks(at, end);
		if (at == end || *at == '\n')
			break;
		at = digits_u64(at, end, &values[count]);
		if (!at || !is_number_end(at, end))
			return NULL;
	}
	*present = (UINT32_C(1) << count) - 1;
	return count ? at : NULL;
}

static const struct columns_format format = { names, interface_head, interface_numbers };

static int netdev_open(const struct collector *self, void *state, const struct host *host, struct err *err)
{
	return columns_open(state, self, &format, host, err);
}

const struct collector collector_netdev = {
	.name = "netdev",
	.description = "Bytes, packets and errors of network interfaces",
	.source = "proc/net/dev",
	.hints = hints,
	.state_size = sizeof(struct columns),
	.open = netdev_open,
	.shape = columns_shape,
	.sample = columns_sample,
	.close = columns_close,
};
