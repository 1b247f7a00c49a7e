/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/alloc_count.h"
#include "tests/support/rig.h"

extern const struct collector collector_interrupts;

static void names_are_label_and_text(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/interrupts",
		 "           CPU0       CPU1\n"
		 "  16:          3          4  IR-IO-APIC   16-fasteoi   ehci_hcd:usb1, eth0\n"
		 " NMI:         10         20   Non-maskable interrupts\n"
		 " EXT:          1          2\n"
		 " ERR:          5\n"
		 " MIS:          0\n");
	rig_start(rig, &collector_interrupts);
	assert_int_equal(rig_value_of(rig, "16:IR-IO-APIC.16-fasteoi.ehci_hcd:usb1,eth0", "CPU1"), 4);
	assert_int_equal(rig_value_of(rig, "NMI:Non-maskable_interrupts", "CPU0"), 10);
	assert_int_equal(rig_value_of(rig, "EXT", "CPU1"), 2);
	assert_int_equal(rig_value(rig, "ERR"), 5);
	assert_int_equal(rig_value(rig, "MIS"), 0);
	assert_false(rig_has_of(rig, "ERR", "CPU0"));
	assert_false(rig_has(rig, "EXT"));
	assert_int_equal(rig_metric(rig, "ERR")->kind, COUNTER32);
	assert_int_equal(rig_metric(rig, "EXT")->fold, FOLD_SUM);
}

static void the_header_names_the_cpu_of_a_column(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/interrupts",
		 "   CPU0  CPU1  CPU3  CPU12\n"
		 " 24:  10 20 30 40 PCI-MSI xhci\n");
	rig_start(rig, &collector_interrupts);
	assert_int_equal(rig_value_of(rig, "24:PCI-MSI.xhci", "CPU3"), 30);
	assert_int_equal(rig_value_of(rig, "24:PCI-MSI.xhci", "CPU12"), 40);
	assert_false(rig_has_of(rig, "24:PCI-MSI.xhci", "CPU2"));
}

static void a_cpu_that_goes_is_absent_and_one_that_comes_is_a_new_generation(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/interrupts", "  CPU0  CPU1  CPU2\nLOC: 1 2 3 Local\nERR: 9\n");
	rig_start(rig, &collector_interrupts);
	rig_file(rig, "proc/interrupts", "  CPU0  CPU2\nLOC: 11 33 Local\nERR: 9\n");
	rig_again(rig);
	assert_int_equal(rig->run.shape.generation, 1);
	assert_int_equal(rig_value_of(rig, "LOC:Local", "CPU0"), 11);
	assert_false(rig_has_of(rig, "LOC:Local", "CPU1"));
	assert_int_equal(rig_value_of(rig, "LOC:Local", "CPU2"), 33);
	assert_int_equal(rig_value(rig, "ERR"), 9);
	rig_file(rig, "proc/interrupts", "  CPU0  CPU1  CPU2\nLOC: 21 0 43 Local\nERR: 9\n");
	rig_again(rig);
	assert_int_equal(rig->run.shape.generation, 1);
	assert_int_equal(rig_value_of(rig, "LOC:Local", "CPU1"), 0);
	rig_file(rig, "proc/interrupts", "  CPU0  CPU1  CPU2 CPU3\nLOC: 21 0 43 5 Local\nERR: 9\n");
	rig_again(rig);
	assert_int_equal(rig->run.shape.generation, 2);
	assert_int_equal(rig_value_of(rig, "LOC:Local", "CPU3"), 5);
}

static void another_device_on_an_interrupt_is_another_metric(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/interrupts", "  CPU0  CPU1\n24: 1 2 PCI nvme0q1\n");
	rig_start(rig, &collector_interrupts);
	rig_file(rig, "proc/interrupts", "  CPU0  CPU1\n24: 3 4 PCI eth0\n");
	rig_again(rig);
	assert_int_equal(rig->run.shape.generation, 2);
	assert_int_equal(rig_value_of(rig, "24:PCI.eth0", "CPU0"), 3);
	assert_int_equal(rig->run.shape.metric_count, 1);
}

static void a_line_without_numbers_gives_nothing_until_it_has_some(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/interrupts", "  CPU0  CPU1\nFIQ:      usb_fiq\nIPI0: 1 2 Resched\n");
	rig_start(rig, &collector_interrupts);
	assert_int_equal(rig->run.shape.metric_count, 1);
	assert_int_equal(rig_value_of(rig, "IPI0:Resched", "CPU1"), 2);
	rig_file(rig, "proc/interrupts", "  CPU0  CPU1\nFIQ: 7 8  usb_fiq\nIPI0: 1 2 Resched\n");
	rig_again(rig);
	assert_int_equal(rig_value_of(rig, "FIQ:usb_fiq", "CPU1"), 8);
}

static void one_cpu_still_has_lines_of_the_machine(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/interrupts", "  CPU0\n 43: 8\nLOC: 5 Local\nERR: 2\n");
	rig_start(rig, &collector_interrupts);
	assert_int_equal(rig_value_of(rig, "43", "CPU0"), 8);
	assert_int_equal(rig_value_of(rig, "LOC:Local", "CPU0"), 5);
	assert_int_equal(rig_value(rig, "ERR"), 2);
}

static void a_torn_line_is_named_and_the_others_stand(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/interrupts", "  CPU0  CPU1\nNMI: 1 2 x\nLOC: 3 4 y\n");
	rig_start(rig, &collector_interrupts);
	rig_file(rig, "proc/interrupts", "  CPU0  CPU1\nNMI: 5 \nLOC: 6 7 y\n");
	assert_int_equal(rig_sample(rig), -EBADMSG);
	assert_string_equal(rig->err.text, "proc/interrupts: too few numbers after NMI");
	assert_false(rig_has_of(rig, "NMI:x", "CPU0"));
	assert_int_equal(rig_value_of(rig, "LOC:y", "CPU1"), 7);
}

static void columns_as_wide_as_the_kernel_prints_them(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/interrupts",
		 "           CPU0       CPU1       CPU2       \n"
		 " LOC:          0          0 4294967295   Local timer interrupts\n"
		 " RES:          0         10          0   Rescheduling interrupts\n"
		 " TLB:          0          0          0\n");
	rig_start(rig, &collector_interrupts);
	assert_int_equal(rig_value_of(rig, "LOC:Local_timer_interrupts", "CPU0"), 0);
	assert_int_equal(rig_value_of(rig, "LOC:Local_timer_interrupts", "CPU2"), 4294967295);
	assert_int_equal(rig_value_of(rig, "RES:Rescheduling_interrupts", "CPU1"), 10);
	assert_int_equal(rig_value_of(rig, "RES:Rescheduling_interrupts", "CPU2"), 0);
	assert_int_equal(rig_value_of(rig, "TLB", "CPU2"), 0);
}

static void refuses_what_does_not_begin_with_cpus(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/interrupts", "LOC: 1 2\n");
	assert_int_equal(rig_open(rig, &collector_interrupts), -EBADMSG);
	assert_string_equal(rig->err.text, "proc/interrupts: does not begin with a line of CPUs");
	rig_file(rig, "proc/interrupts", "");
	assert_int_equal(rig_open(rig, &collector_interrupts), -EBADMSG);
}

static void a_sample_allocates_nothing(void **state)
{
	struct rig *rig = *state;
	size_t before;

	rig_file(rig, "proc/interrupts", "  CPU0  CPU1\nNMI: 1 2 x\nFIQ: y\nERR: 3\n");
	rig_start(rig, &collector_interrupts);
	before = alloc_count();
	rig_again(rig);
	assert_int_equal(alloc_count(), before);
}

static void eight_cpus_of_a_recorded_machine(void **state)
{
	struct rig *rig = *state;

	if (!rig_tree(rig, "pcp-8cpu-x86"))
		skip();
	rig_start(rig, &collector_interrupts);
	assert_int_equal(rig_value_of(rig, "MCP:Machine_check_polls", "CPU7"), 2525);
	assert_int_equal(rig_value(rig, "ERR"), 0);
	assert_int_equal(rig_value_of(rig, "PIW:Posted-interrupt_wakeup_event", "CPU7"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RIG_TEST(names_are_label_and_text),
		RIG_TEST(the_header_names_the_cpu_of_a_column),
		RIG_TEST(a_cpu_that_goes_is_absent_and_one_that_comes_is_a_new_generation),
		RIG_TEST(another_device_on_an_interrupt_is_another_metric),
		RIG_TEST(a_line_without_numbers_gives_nothing_until_it_has_some),
		RIG_TEST(one_cpu_still_has_lines_of_the_machine),
		RIG_TEST(a_torn_line_is_named_and_the_others_stand),
		RIG_TEST(columns_as_wide_as_the_kernel_prints_them),
		RIG_TEST(refuses_what_does_not_begin_with_cpus),
		RIG_TEST(a_sample_allocates_nothing),
		RIG_TEST(eight_cpus_of_a_recorded_machine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
