/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/alloc_count.h"
#include "tests/support/rig.h"

extern const struct collector collector_boot_time;

static void reads_the_kernels_records(void **state)
{
	struct rig *rig = *state;
	size_t before;

	rig_file(rig, "dev/kmsg",
		 "6,1,0,-;Linux version 6.18.0 (Sending DHCP requests)x\n"
		 "6,155,263000,-;smp: Bringing up secondary CPUs ...\n"
		 "6,156,263259,-;smpboot: x86: Booting SMP configuration:\n SUBSYSTEM=cpu\n"
		 "6,158,563502,-;smp: Brought up 1 node, 2 CPUs\n"
		 "6,300,5140900,-;Sending DHCP requests ., OK\n"
		 "6,316,6482468,-;Freeing unused kernel image (initmem) memory: 3732K\n"
		 "6,400,9000000,-;Sending DHCP requests .\n");
	rig_start(rig, &collector_boot_time);
	assert_int_equal(rig_value(rig, "dhcp"), 0);
	assert_int_equal(rig_value(rig, "smp_boot"), 563502 - 263259);
	assert_int_equal(rig_value(rig, "kernel_boot"), 6482468);
	assert_int_equal(rig_metric(rig, "smp_boot")->exponent, 6);
	assert_int_equal(rig_metric(rig, "smp_boot")->unit, UNIT_SECONDS);
	before = alloc_count();
	rig_again(rig);
	assert_int_equal(alloc_count(), before);
}

static void reads_a_recorded_log(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "log/dmesg",
		 "[    0.000000] Linux version 4.4.0\n[    0.100000] smp: Bringing up secondary CPUs ...\n"
		 "[    0.350000] smp: Brought up 1 node, 4 CPUs\n[    4.500000] Sending DHCP requests .\n"
		 "[   12.000001] Freeing unused kernel memory: 1568K\n");
	rig_start(rig, &collector_boot_time);
	assert_int_equal(rig_value(rig, "smp_boot"), 250000);
	assert_int_equal(rig_value(rig, "dhcp"), 4500000);
	assert_int_equal(rig_value(rig, "kernel_boot"), 12000001);
}

static void what_the_log_does_not_tell_is_absent(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "dev/kmsg",
		 "smp: Brought up 1 node, 2 CPUs\n6,158,563502,-;smp: Brought up 1 node, 2 CPUs\n"
		 "6,x,1,-;Freeing unused kernel memory\n[ Freeing unused kernel memory\n6,1,2\n\n");
	rig_start(rig, &collector_boot_time);
	assert_int_equal(rig_count(rig), 0);
	rig_file(rig, "dev/kmsg", "");
	rig_start(rig, &collector_boot_time);
	assert_int_equal(rig_count(rig), 0);
}

static void a_host_without_a_log_is_told(void **state)
{
	struct rig *rig = *state;

	assert_int_equal(collector_probe(&collector_boot_time, &rig->host, &rig->err), -ENOENT);
	assert_string_equal(rig->err.text, "log/dmesg: No such file or directory");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RIG_TEST(reads_the_kernels_records),
		RIG_TEST(reads_a_recorded_log),
		RIG_TEST(what_the_log_does_not_tell_is_absent),
		RIG_TEST(a_host_without_a_log_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
