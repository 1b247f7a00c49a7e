/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rates of interfaces and shares of NFS procedures, over series whose values were computed by hand. */
#include "tests/analysis/play.h"

static const struct metric device_metrics[] = {
	{ "rx_bytes", COUNTER, UNIT_BYTES, 0, FOLD_NONE },
	{ "tx_drop", COUNTER, UNIT_COUNT, 0, FOLD_NONE },
};

static void an_interface_has_rates_beside_its_differences(void **state)
{
	static const char *const devices[] = { "eth0", "tun10:1" };
	static const struct shape shape = { "netdev", 1, device_metrics, 2, devices, 2 };
	struct play p;

	play_open(&p);
	PLAY(&p, &shape, 1, 1000, 7, 0, 0);
	PLAY(&p, &shape, 2, 3000, 7, 0, 4);
	PLAY(&p, &shape, 5, 9000, 7, 0, 6);
	play_finish(&p);
	expect(&p, "netdev.eth0.rx_bytes", 8000);
	expect(&p, "netdev.eth0.rx_bytes/s", 2000);
	expect(&p, "netdev.tun10:1.tx_drop", 6);
	expect(&p, "netdev.tun10:1.tx_drop/s", 1.5);
	expect_none(&p, "netdev.eth0.tx_drop/s");
	expect_none(&p, "netdev.tun10:1.rx_bytes/s");
	play_close(&p);
}

/* 3 s of it are seen: 1 to 2, and 10 to 12, when it is another device of that name. */
static void an_interface_that_was_away_has_the_rate_of_the_time_it_was_there(void **state)
{
	static const char *const both[] = { "lo", "veth1" }, *const one[] = { "lo" };
	static const struct shape with = { "netdev", 1, device_metrics, 2, both, 2 };
	static const struct shape without = { "netdev", 2, device_metrics, 2, one, 1 };
	static const struct shape again = { "netdev", 3, device_metrics, 2, both, 2 };
	struct play p;

	play_open(&p);
	PLAY(&p, &with, 1, 10, 5000, 0, 0);
	PLAY(&p, &with, 2, 20, 5600, 0, 0);
	PLAY(&p, &without, 3, 30, 0);
	PLAY(&p, &again, 10, 100, 100, 0, 0);
	PLAY(&p, &again, 12, 120, 700, 0, 0);
	play_finish(&p);
	expect(&p, "netdev.veth1.rx_bytes/s", 400);
	expect(&p, "netdev.lo.rx_bytes/s", 10);
	play_close(&p);
}

static void a_single_sample_is_no_rate(void **state)
{
	static const char *const devices[] = { "eth0" };
	static const struct shape shape = { "netdev", 1, device_metrics, 2, devices, 1 };
	struct play p;

	play_open(&p);
	PLAY(&p, &shape, 1, 1000, 7);
	play_finish(&p);
	expect_none(&p, "netdev.eth0.rx_bytes");
	expect_none(&p, "netdev.eth0.rx_bytes/s");
	play_close(&p);
}

static void a_procedure_has_its_share_of_its_section(void **state)
{
	static const struct metric metrics[] = {
		{ "rpc.calls", COUNTER32, UNIT_COUNT, 0, FOLD_NONE },
		{ "nfs.v4.open", COUNTER32, UNIT_COUNT, 0, FOLD_NONE },
		{ "nfs.v4.read", COUNTER32, UNIT_COUNT, 0, FOLD_NONE },
		{ "nfs.v4.null", COUNTER32, UNIT_COUNT, 0, FOLD_NONE },
		{ "nfs.v4.operations.read", COUNTER32, UNIT_COUNT, 0, FOLD_NONE },
		{ "nfs.v4.operations.putfh", COUNTER32, UNIT_COUNT, 0, FOLD_NONE },
		{ "nfs.v4.level", GAUGE, UNIT_COUNT, 0, FOLD_NONE },
	};
	static const char *const sides[] = { "Client", "Server" };
	static const struct shape shape = { "nfsstat", 1, metrics, 7, sides, 2 };
	struct play p;

	play_open(&p);
	PLAY(&p, &shape, 1, 100, ABSENT, 5, ABSENT, 1000, ABSENT, 1, 1, ABSENT, 50, ABSENT, 60, 9, 9);
	PLAY(&p, &shape, 2, 140, ABSENT, 15, ABSENT, 1030, ABSENT, 1, 5, ABSENT, 53, ABSENT, 69, 9, 9);
	play_finish(&p);
	expect(&p, "nfsstat.Client.rpc.calls", 40);
	expect(&p, "nfsstat.Client.nfs.v4.open", 10);
	expect(&p, "nfsstat.Client.nfs.v4.open.percent", 25);
	expect(&p, "nfsstat.Client.nfs.v4.read.percent", 75);
	expect(&p, "nfsstat.Server.nfs.v4.null.percent", 100);
	expect(&p, "nfsstat.Server.nfs.v4.operations.read.percent", 25);
	expect_none(&p, "nfsstat.Client.nfs.v4.null.percent");
	expect_none(&p, "nfsstat.Client.rpc.calls.percent");
	expect_none(&p, "nfsstat.Client.nfs.v4.level.percent");
	play_close(&p);
}

static void what_the_build_of_a_protocol_fixes_is_no_stat(void **state)
{
	static const struct metric metrics[] = {
		{ "size", GAUGE, UNIT_BYTES, 0, FOLD_NONE },
		{ "sockets", GAUGE, UNIT_COUNT, 0, FOLD_NONE },
		{ "maxhdr", GAUGE, UNIT_BYTES, 0, FOLD_NONE },
	};
	static const char *const protocols[] = { "TCP" };
	static const struct shape shape = { "protocols", 1, metrics, 3, protocols, 1 };
	struct play p;

	play_open(&p);
	PLAY(&p, &shape, 1, 2208, 3, 320);
	PLAY(&p, &shape, 2, 2208, 5, 320);
	play_finish(&p);
	expect(&p, "protocols.TCP.sockets", 4);
	expect_none(&p, "protocols.TCP.size");
	expect_none(&p, "protocols.TCP.maxhdr");
	play_close(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_interface_has_rates_beside_its_differences),
		cmocka_unit_test(an_interface_that_was_away_has_the_rate_of_the_time_it_was_there),
		cmocka_unit_test(a_single_sample_is_no_rate),
		cmocka_unit_test(a_procedure_has_its_share_of_its_section),
		cmocka_unit_test(what_the_build_of_a_protocol_fixes_is_no_stat),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
