/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/rig.h"

extern const struct collector collector_snmp6;

static void names_and_units_are_those_of_the_kernel(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/net/snmp6", "Ip6InReceives                   \t41\nIp6InOctets                     \t9007199254740993\n"
					"Icmp6OutType143                 \t3\n");
	rig_start(rig, &collector_snmp6);
	assert_int_equal(rig_value(rig, "Ip6InReceives"), 41);
	assert_true(rig_value(rig, "Ip6InOctets") == 9007199254740993);
	assert_int_equal(rig_value(rig, "Icmp6OutType143"), 3);
	assert_int_equal(rig_metric(rig, "Ip6InOctets")->unit, UNIT_BYTES);
	assert_int_equal(rig_metric(rig, "Icmp6OutType143")->kind, COUNTER);
}

static void a_type_of_message_seen_first_is_a_new_shape(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/net/snmp6", "Ip6InReceives\t1\n");
	rig_start(rig, &collector_snmp6);
	rig_file(rig, "proc/net/snmp6", "Ip6InReceives\t2\nIcmp6InType133\t1\n");
	rig_again(rig);
	assert_int_equal(rig->run.shape.generation, 2);
	assert_int_equal(rig_value(rig, "Ip6InReceives"), 2);
	assert_int_equal(rig_value(rig, "Icmp6InType133"), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RIG_TEST(names_and_units_are_those_of_the_kernel),
		RIG_TEST(a_type_of_message_seen_first_is_a_new_shape),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
