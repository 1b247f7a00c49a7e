/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reader of model-specific registers, on a device made by a file system in user space, and on recordings. */
#include "host/msr.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "host/msr_recorded.h"
#include "tests/support/shared.h"
#ifdef ASSAY_FUSE
#include "tests/support/msr_device.h"
#endif

struct rig {
	char folder[256];
	struct host host;
	struct msr msr;
	struct err err;
};

static int setup(void **state)
{
	struct rig *rig = calloc(1, sizeof(*rig));

	fresh_folder(rig->folder, sizeof(rig->folder));
	assert_int_equal(host_open_root(&rig->host, rig->folder, &rig->err), 0);
	*state = rig;
	return 0;
}

static int teardown(void **state)
{
	struct rig *rig = *state;

	msr_close(&rig->msr);
	host_close(&rig->host);
#ifdef ASSAY_FUSE
	msr_device_unmount();
#endif
	remove_tree(rig->folder);
	free(rig);
	return 0;
}

static void put(struct rig *rig, const char *path, const char *content)
{
	write_file(rig->folder, path, content, strlen(content));
}

#ifdef ASSAY_FUSE
static void device(struct rig *rig, unsigned cpus)
{
	if (msr_device_mount(rig->folder, cpus))
		return;
	print_message("# no file system in user space here\n");
	skip();
}

static void a_register_that_faults_says_nothing_of_others(void **state)
{
	struct rig *rig = *state;
	uint64_t value;

	device(rig, 3);
	for (unsigned cpu = 0; cpu < 3; cpu++) {
		msr_device_set(cpu, 0x10, 100000000 + cpu);
		msr_device_set(cpu, 0x198, 0x200000001800);
	}
	msr_device_fault(1, 0x198, EIO);
	put(rig, "sys/devices/system/cpu/online", "0-2\n");
	assert_int_equal(msr_open(&rig->msr, &rig->host, &rig->err), 0);
	assert_int_equal(rig->msr.cpus.count, 3);
	assert_int_equal(msr_read(&rig->msr, 0, 0x198, &value), 0);
	assert_true(value == 0x200000001800);
	assert_int_equal(msr_read(&rig->msr, 1, 0x198, &value), -EIO);
	assert_int_equal(msr_read(&rig->msr, 1, 0x10, &value), 0);
	assert_true(value == 100000001);
	assert_int_equal(msr_read(&rig->msr, 2, 0x198, &value), 0);
	for (size_t nth = 0; nth < 3; nth++)
		assert_int_equal(msr_read(&rig->msr, nth, 0x639, &value), -EIO);
}

static void addresses_above_two_to_the_31_are_read(void **state)
{
	struct rig *rig = *state;
	uint64_t value;

	device(rig, 1);
	msr_device_set(0, 0xc001029b, 77);
	assert_int_equal(msr_open(&rig->msr, &rig->host, &rig->err), 0);
	assert_int_equal(msr_read(&rig->msr, 0, 0xc001029b, &value), 0);
	assert_int_equal(value, 77);
}

static void a_cpu_that_is_off_has_no_values_and_may_come_back(void **state)
{
	struct rig *rig = *state;
	uint64_t value;

	device(rig, 2);
	msr_device_set(0, 0x10, 5);
	msr_device_set(1, 0x10, 6);
	msr_device_refuse(1, ENXIO);
	assert_int_equal(msr_open(&rig->msr, &rig->host, &rig->err), 0);
	assert_int_equal(msr_read(&rig->msr, 0, 0x10, &value), 0);
	assert_int_equal(msr_read(&rig->msr, 1, 0x10, &value), -ENXIO);
	msr_device_refuse(1, 0);
	assert_int_equal(msr_read(&rig->msr, 1, 0x10, &value), 0);
	assert_int_equal(value, 6);
}

static void refused(struct rig *rig, int error, const char *words)
{
	device(rig, 1);
	msr_device_refuse(0, error);
	assert_int_equal(msr_probe(&rig->host, &rig->err), -error);
	assert_string_equal(rig->err.text, words);
}

static void a_missing_capability_is_said(void **state)
{
	struct rig *rig = *state;

	put(rig, "proc/self/status", "Name:\tassay\nCapEff:\t000001fffefdffff\n");
	put(rig, "sys/kernel/security/lockdown", "none [integrity] confidentiality\n");
	refused(rig, EPERM, "dev/cpu/0/msr: Operation not permitted: it takes CAP_SYS_RAWIO; run as root, or setcap "
			    "cap_sys_rawio+ep");
}

static void a_kernel_that_is_locked_down_is_said(void **state)
{
	struct rig *rig = *state;

	put(rig, "proc/self/status", "Name:\tassay\nCapEff:\t000001ffffffffff\n");
	put(rig, "sys/kernel/security/lockdown", "none integrity [confidentiality]\n");
	refused(rig, EPERM, "dev/cpu/0/msr: Operation not permitted: the kernel is locked down (confidentiality)");
}

static void a_file_that_is_roots_alone_is_said(void **state)
{
	struct rig *rig = *state;

	put(rig, "sys/kernel/security/lockdown", "[none] integrity confidentiality\n");
	refused(rig, EACCES, "dev/cpu/0/msr: Permission denied: the file is root's alone");
}

/* What data/cases/028 tells, on a device that fails as its faults.json says. */
static void one_register_that_faults_on_one_cpu(void **state)
{
	struct rig *rig = *state;
	struct msr_recorded *recorded;
	struct host host;
	char path[512];
	size_t count;
	uint64_t value;

	if (!shared_path(path, sizeof(path), "cases/028-msr-one-register-eio/root"))
		skip();
	assert_int_equal(host_open_root(&host, path, &rig->err), 0);
	assert_int_equal(msr_recorded_read(&host, &recorded, &count, &rig->err), 0);
	host_close(&host);
	device(rig, 3);
	for (size_t i = 0; i < count; i++)
		msr_device_set(recorded[i].cpu, recorded[i].address, recorded[i].value);
	free(recorded);
	msr_device_fault(0, 0x639, EIO);
	msr_device_fault(1, 0x198, EIO);
	assert_int_equal(msr_open(&rig->msr, &rig->host, &rig->err), 0);
	assert_int_equal(msr_read(&rig->msr, 0, 0x198, &value), 0);
	assert_true(value == 35184372094976);
	assert_int_equal(msr_read(&rig->msr, 1, 0x198, &value), -EIO);
	assert_int_equal(msr_read(&rig->msr, 2, 0x198, &value), 0);
	assert_true(value == 35184372094976);
	assert_int_equal(msr_read(&rig->msr, 1, 0x10, &value), 0);
	assert_true(value == 100000256);
	for (size_t nth = 0; nth < 3; nth++)
		assert_int_equal(msr_read(&rig->msr, nth, 0x639, &value), -EIO);
	msr_close(&rig->msr);

	msr_device_refuse(2, ENXIO); /* the second sample: that CPU is off */
	assert_int_equal(msr_open(&rig->msr, &rig->host, &rig->err), 0);
	assert_int_equal(msr_read(&rig->msr, 2, 0x198, &value), -ENXIO);
	assert_int_equal(msr_read(&rig->msr, 0, 0x198, &value), 0);
}
#endif

static void a_driver_that_is_not_there_is_told_from_a_processor_without_registers(void **state)
{
	struct rig *rig = *state;

	put(rig, "sys/devices/system/cpu/online", "0-1\n");
	put(rig, "proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu tsc msr pae\n\n");
	assert_int_equal(msr_probe(&rig->host, &rig->err), -ENOENT);
	assert_string_equal(rig->err.text, "dev/cpu/0/msr: No such file or directory: the kernel's msr driver is not there; "
					   "modprobe msr, or CONFIG_X86_MSR");
	put(rig, "proc/cpuinfo", "processor\t: 0\nFeatures\t: fp asimd\n\n");
	assert_int_equal(msr_probe(&rig->host, &rig->err), -ENOENT);
	assert_string_equal(rig->err.text,
			    "this processor shows no model-specific registers (no flag msr in proc/cpuinfo)");
}

static void a_recording_answers_like_the_device(void **state)
{
	struct rig *rig = *state;
	uint64_t value;

	put(rig, "msr/msr.txt", "# Format: ...\nce:0|804043df0811900 3|7\n\n10:3|ffffffffffffffff\n");
	assert_int_equal(msr_open(&rig->msr, &rig->host, &rig->err), 0);
	assert_int_equal(rig->msr.cpus.count, 2);
	assert_int_equal(rig->msr.cpus.at[1], 3);
	assert_int_equal(msr_read(&rig->msr, 0, 0xce, &value), 0);
	assert_true(value == 0x804043df0811900);
	assert_int_equal(msr_read(&rig->msr, 1, 0x10, &value), 0);
	assert_true(value == UINT64_MAX);
	assert_int_equal(msr_read(&rig->msr, 0, 0x10, &value), -EIO);
}

static void a_recording_that_is_broken_names_the_place(void **state)
{
	static const char *const broken[][2] = {
		{ "ce:0|12 1!3\n", "msr/msr.txt: register 0xce: not cpu|value: 1!3" },
		{ "ce:70000|1\n", "msr/msr.txt: register 0xce: not cpu|value: 70000|1" },
		{ "zz:0|1\n", "msr/msr.txt: no register before a colon: zz:0|1" },
		{ "1ffffffff:0|1\n", "msr/msr.txt: no register before a colon: 1ffffffff:0|1" },
	};
	struct rig *rig = *state;

	for (size_t i = 0; i < sizeof(broken) / sizeof(*broken); i++) {
		put(rig, "msr/msr.txt", broken[i][0]);
		assert_int_equal(msr_probe(&rig->host, &rig->err), -EBADMSG);
		assert_string_equal(rig->err.text, broken[i][1]);
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
#ifdef ASSAY_FUSE
		TEST(a_register_that_faults_says_nothing_of_others),
		TEST(addresses_above_two_to_the_31_are_read),
		TEST(a_cpu_that_is_off_has_no_values_and_may_come_back),
		TEST(a_missing_capability_is_said),
		TEST(a_kernel_that_is_locked_down_is_said),
		TEST(a_file_that_is_roots_alone_is_said),
		TEST(one_register_that_faults_on_one_cpu),
#endif
		TEST(a_driver_that_is_not_there_is_told_from_a_processor_without_registers),
		TEST(a_recording_answers_like_the_device),
		TEST(a_recording_that_is_broken_names_the_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
