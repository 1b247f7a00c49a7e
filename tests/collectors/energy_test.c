/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Perf's energy events, on a kernel that the test is. */
#include "tests/support/rig.h"

#include <string.h>

#include "tests/support/alloc_count.h"
#include "tests/support/fake_pmu.h"

extern const struct collector collector_energy;

#define FOLDER "sys/bus/event_source/devices/power/"

static void events(struct rig *rig)
{
	rig_file(rig, FOLDER "type", "14\n");
	rig_file(rig, FOLDER "cpumask", "0,16\n");
	rig_file(rig, FOLDER "events/energy-pkg", "event=0x02\n");
	rig_file(rig, FOLDER "events/energy-pkg.scale", "2.3283064365386962890625e-10\n");
	rig_file(rig, FOLDER "events/energy-pkg.unit", "Joules\n");
	rig_file(rig, FOLDER "events/energy-ram", "event=0x03\n");
	rig_file(rig, FOLDER "events/energy-ram.scale", "2.3283064365386962890625e-10\n");
	rig_file(rig, "sys/devices/system/cpu/online", "0-31\n");
	rig->host.live = true; /* perf is of the live machine; here nobody is asked */
	fake_count = 0;
	fake_refusal = 0;
}

static void counts_each_event_once_a_package(void **state)
{
	struct rig *rig = *state;
	size_t before;

	events(rig);
	rig_start(rig, &collector_energy);
	assert_int_equal(rig->run.shape.metric_count, 2);
	assert_int_equal(rig->run.shape.instance_count, 2);
	fake_add(14, 2, 16, UINT64_C(5) << 32);
	fake_add(14, 3, 0, 77);
	before = alloc_count();
	assert_int_equal(rig_sample(rig), 0);
	assert_int_equal(alloc_count() - before, 0);
	assert_true(rig_value_of(rig, "energy-pkg", "cpu16") == UINT64_C(5) << 32);
	assert_int_equal(rig_value_of(rig, "energy-ram", "cpu0"), 77);
	assert_int_equal(rig_value_of(rig, "energy-pkg", "cpu0"), 0);
	assert_int_equal(rig_metric(rig, "energy-pkg")->kind, COUNTER);
}

static void a_scale_it_does_not_know_is_not_counted(void **state)
{
	struct rig *rig = *state;

	events(rig);
	rig_file(rig, FOLDER "events/energy-ram.scale", "1e-6\n");
	rig_start(rig, &collector_energy);
	assert_int_equal(rig->run.shape.metric_count, 1);
	rig_remove(rig, FOLDER "events/energy-pkg.scale");
	assert_int_equal(rig_open(rig, &collector_energy), -EOPNOTSUPP);
	assert_string_equal(rig->err.text, "power/energy-ram/: not in units of 2^-32 J");
}

static void a_missing_permission_is_said(void **state)
{
	struct rig *rig = *state;

	events(rig);
	fake_refusal = EACCES;
	assert_int_equal(collector_probe(&collector_energy, &rig->host, &rig->err), -EACCES);
	assert_string_equal(rig->err.text, "power/energy-ram/: Permission denied: it takes CAP_PERFMON, or "
					   "proc/sys/kernel/perf_event_paranoid of 0 or less");
	fake_refusal = EMFILE;
	assert_int_equal(collector_probe(&collector_energy, &rig->host, &rig->err), -EMFILE);
	assert_string_equal(rig->err.text, "energy: power/energy-pkg/: Too many open files: raise ulimit -n");
}

static void a_processor_without_events_says_so(void **state)
{
	struct rig *rig = *state;

	rig->host.live = true;
	assert_int_equal(collector_probe(&collector_energy, &rig->host, &rig->err), -ENOENT);
	assert_string_equal(rig->err.text, "sys/bus/event_source/devices/power: the kernel has no energy events for this "
					   "processor");
}

static void a_recording_has_no_counters(void **state)
{
	struct rig *rig = *state;

	events(rig);
	rig->host.live = false;
	assert_int_equal(collector_probe(&collector_energy, &rig->host, &rig->err), -EOPNOTSUPP);
	assert_string_equal(rig->err.text, "power/energy-ram/: a recorded tree has no counters");
}

static void an_event_of_another_form_is_not_counted(void **state)
{
	static const char *const odd[] = { "event=\n", "umask=0x02\n", "event=0x02,umask=1\n", "event=0xffffffffffffffffff\n", "" };
	struct rig *rig = *state;

	events(rig);
	rig_remove(rig, FOLDER "events/energy-ram");
	for (size_t i = 0; i < sizeof(odd) / sizeof(*odd); i++) {
		rig_file(rig, FOLDER "events/energy-pkg", odd[i]);
		assert_int_equal(rig_open(rig, &collector_energy), -EBADMSG);
	}
}

static void a_package_that_comes_is_noticed(void **state)
{
	struct rig *rig = *state;

	events(rig);
	rig_start(rig, &collector_energy);
	rig_file(rig, FOLDER "cpumask", "0,16,32\n");
	rig_file(rig, "sys/devices/system/cpu/online", "0-47\n");
	assert_int_equal(rig_sample(rig), 0);
	assert_int_equal(rig->run.shape.generation, 2);
	assert_true(rig_has_of(rig, "energy-pkg", "cpu32"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RIG_TEST(counts_each_event_once_a_package),
		RIG_TEST(a_scale_it_does_not_know_is_not_counted),
		RIG_TEST(a_missing_permission_is_said),
		RIG_TEST(a_processor_without_events_says_so),
		RIG_TEST(a_recording_has_no_counters),
		RIG_TEST(an_event_of_another_form_is_not_counted),
		RIG_TEST(a_package_that_comes_is_noticed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
