/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "base/buf.h"
#include "tests/support/alloc_count.h"
#include "tests/support/rig.h"

extern const struct collector collector_vmallocinfo;

#define FILE_NAME "proc/vmallocinfo"
#define RANGE     "0x00000000b686fce8-0x00000000a3ea881b"

static void adds_areas_up_by_word_and_by_node(void **state)
{
	struct rig *rig = *state;
	size_t before;

	rig_file(rig, FILE_NAME,
		 RANGE "   20480 kernel_clone+0xb8/0x400 pages=4 vmalloc N0=3 N1=1\n"
		 RANGE "    8192 acpi_os_map_iomem+0x1bc/0x1e0 phys=0x00000000000a0000 ioremap\n"
		 RANGE " 4198400 alloc_large [nvme_core] pages=1024 vmalloc vpages N0=1024\n"
		 RANGE "   20480 irq_init_percpu_irqstack+0xed/0x120 vmap\n"
		 RANGE "    4096 unpurged vm_area\n");
	rig_start(rig, &collector_vmallocinfo);
	assert_int_equal(rig_value(rig, "areas"), 5);
	assert_int_equal(rig_value(rig, "bytes"), 20480 + 8192 + 4198400 + 20480 + 4096);
	assert_int_equal(rig_value(rig, "pages"), 1028);
	assert_int_equal(rig_value_of(rig, "areas", "vmalloc"), 2);
	assert_int_equal(rig_value_of(rig, "pages", "vmalloc"), 1028);
	assert_int_equal(rig_value_of(rig, "areas", "vpages"), 1);
	assert_int_equal(rig_value_of(rig, "bytes", "vpages"), 4198400);
	assert_int_equal(rig_value_of(rig, "bytes", "ioremap"), 8192);
	assert_false(rig_has_of(rig, "pages", "ioremap"));
	assert_int_equal(rig_value_of(rig, "areas", "unpurged"), 1);
	assert_int_equal(rig_value_of(rig, "areas", "user"), 0);
	assert_int_equal(rig_value_of(rig, "pages", "N0"), 1027);
	assert_int_equal(rig_value_of(rig, "pages", "N1"), 1);
	assert_false(rig_has_of(rig, "areas", "N0"));
	assert_int_equal(rig->run.shape.instance_count, 1 + 9 + 2);
	before = alloc_count();
	rig_again(rig);
	assert_int_equal(alloc_count(), before);
	assert_int_equal(rig_value(rig, "areas"), 5);
	assert_int_equal(rig_value_of(rig, "pages", "N0"), 1027);
}

static void a_word_or_a_node_that_is_new_is_a_new_generation(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, FILE_NAME, RANGE " 8192 a+0x1/0x2 pages=1 vmalloc N0=1\n");
	rig_start(rig, &collector_vmallocinfo);
	rig_file(rig, FILE_NAME, RANGE " 8192 a+0x1/0x2 pages=1 vmalloc N3=1\n");
	rig_again(rig);
	assert_int_equal(rig->run.shape.generation, 2);
	assert_int_equal(rig_value_of(rig, "pages", "N3"), 1);
	assert_false(rig_has_of(rig, "pages", "N0"));
	rig_file(rig, FILE_NAME, RANGE " 8192 a+0x1/0x2 pages=1 hugemap N3=1\n");
	rig_again(rig);
	assert_int_equal(rig->run.shape.generation, 3);
	assert_int_equal(rig_value_of(rig, "areas", "hugemap"), 1);
	assert_int_equal(rig_value_of(rig, "areas", "vmalloc"), 0);
}

/* The caller stands first and may be any word; a line may have none. */
static void a_caller_is_no_word(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, FILE_NAME,
		 RANGE " 8192 odd_caller pages=1 vmalloc\n" RANGE " 8192 0xffffffffc0001000 pages=2 vmalloc\n"
		 RANGE " 8192 vm_map_ram\n" RANGE " 4096\n");
	rig_start(rig, &collector_vmallocinfo);
	assert_int_equal(rig_value(rig, "areas"), 4);
	assert_int_equal(rig_value_of(rig, "pages", "vmalloc"), 3);
	assert_int_equal(rig_value_of(rig, "areas", "vm_map_ram"), 1);
	assert_int_equal(rig->run.shape.instance_count, 1 + 9);
}

static void a_line_without_a_size_costs_that_line(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, FILE_NAME, RANGE " 8192 a pages=1 vmalloc\n0x1-0x2 big a pages=7 vmalloc\n\n" RANGE " 4096 a vmap");
	assert_int_equal(rig_open(rig, &collector_vmallocinfo), 0);
	assert_int_equal(rig_sample(rig), -EBADMSG);
	assert_string_equal(rig->err.text, "proc/vmallocinfo: no size after 0x1-0x2");
	assert_int_equal(rig_value(rig, "areas"), 2);
	assert_int_equal(rig_value_of(rig, "pages", "vmalloc"), 1);
}

static void an_empty_file_is_no_areas(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, FILE_NAME, "");
	rig_start(rig, &collector_vmallocinfo);
	assert_int_equal(rig_value(rig, "areas"), 0);
	assert_int_equal(rig_value(rig, "pages"), 0);
}

static void two_hundred_thousand_areas_are_added_up(void **state)
{
	struct rig *rig = *state;
	cleanup_buf struct buf text = { 0 };

	for (int i = 0; i < 200000; i++)
		assert_int_equal(buf_printf(&text, RANGE " 20480 kernel_clone+0xb8/0x400 pages=4 vmalloc N%d=4\n", i % 8), 0);
	rig_file(rig, FILE_NAME, text.data);
	rig_start(rig, &collector_vmallocinfo);
	assert_int_equal(rig_value(rig, "areas"), 200000);
	assert_true(rig_value(rig, "bytes") == UINT64_C(200000) * 20480);
	assert_int_equal(rig_value_of(rig, "pages", "N7"), 100000);
}

static void hostile_words_are_bounded(void **state)
{
	struct rig *rig = *state;
	cleanup_buf struct buf text = { 0 };

	for (int i = 0; i < 5000; i++)
		assert_int_equal(buf_printf(&text, RANGE " 1 a word%d\n", i), 0);
	rig_file(rig, FILE_NAME, text.data);
	rig_start(rig, &collector_vmallocinfo);
	assert_int_equal(rig->run.shape.instance_count, 2048);
	assert_int_equal(rig_value(rig, "areas"), 5000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RIG_TEST(adds_areas_up_by_word_and_by_node),
		RIG_TEST(a_word_or_a_node_that_is_new_is_a_new_generation),
		RIG_TEST(a_caller_is_no_word),
		RIG_TEST(a_line_without_a_size_costs_that_line),
		RIG_TEST(an_empty_file_is_no_areas),
		RIG_TEST(two_hundred_thousand_areas_are_added_up),
		RIG_TEST(hostile_words_are_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
