/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The probe, run by qemu-x86_64 as processors that this machine is not: the numbers are qemu's own definitions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/buf.h"

static const struct {
	const char *model, *vendor, *family, *number, *stepping, *code_name;
} models[] = {
	{ "Conroe", "GenuineIntel", "6", "15", "3", "Merom" },
	{ "Penryn", "GenuineIntel", "6", "23", "3", "Penryn" },
	{ "Nehalem", "GenuineIntel", "6", "26", "3", "Nehalem-EP" },
	{ "Westmere", "GenuineIntel", "6", "44", "1", "Westmere-EP" },
	{ "SandyBridge", "GenuineIntel", "6", "42", "1", "Sandy Bridge" },
	{ "IvyBridge", "GenuineIntel", "6", "58", "9", "Ivy Bridge" },
	{ "Haswell", "GenuineIntel", "6", "60", "4", "Haswell" },
	{ "Broadwell", "GenuineIntel", "6", "61", "2", "Broadwell" },
	{ "Skylake-Client", "GenuineIntel", "6", "94", "3", "Skylake" },
	{ "Skylake-Server", "GenuineIntel", "6", "85", "4", "Skylake" },
	{ "Cascadelake-Server", "GenuineIntel", "6", "85", "6", "Cascade Lake" },
	{ "Cooperlake", "GenuineIntel", "6", "85", "10", "Cooper Lake" },
	{ "Icelake-Server-v4", "GenuineIntel", "6", "106", "0", "Ice Lake" },
	{ "Denverton", "GenuineIntel", "6", "95", "1", "Denverton" },
	{ "Snowridge", "GenuineIntel", "6", "134", "1", "Snow Ridge" },
	{ "KnightsMill", "GenuineIntel", "6", "133", "0", "Knights Mill" },
	{ "Opteron_G3", "AuthenticAMD", "16", "2", "3", "Barcelona" },
	{ "Opteron_G4", "AuthenticAMD", "21", "1", "2", "Bulldozer" },
	{ "Opteron_G5", "AuthenticAMD", "21", "2", "0", "Piledriver" },
	{ "EPYC", "AuthenticAMD", "23", "1", "2", "Naples" },
	{ "EPYC-Rome", "AuthenticAMD", "23", "49", "0", "Rome" },
	{ "EPYC-Milan", "AuthenticAMD", "25", "1", "1", "Milan" },
	{ "Dhyana", "HygonGenuine", "24", "0", "1", "Dhyana" },
};

#ifdef CPUID_PROBE
static bool run(const char *model, struct buf *ret)
{
	char command[600];
	FILE *output;
	int c;

	/* Features that the emulator does not have are told to stderr. */
	(void)snprintf(command, sizeof(command), "qemu-x86_64 -cpu %s %s 2>/dev/null", model, CPUID_PROBE);
	output = popen(command, "r");
	assert_non_null(output);
	buf_clear(ret);
	while ((c = fgetc(output)) != EOF)
		assert_int_equal(buf_putc(ret, (char)c), 0);
	return pclose(output) == 0;
}

static void tells(const struct buf *output, const char *model, const char *name, const char *value)
{
	char line[200];

	(void)snprintf(line, sizeof(line), "%s=%s\n", name, value);
	if (!strstr(output->data, line))
		fail_msg("%s: no line %s in\n%s", model, line, output->data);
}
#endif

static void facts_of_other_processors_are_right(void **state)
{
#ifdef CPUID_PROBE
	cleanup_buf struct buf output = { 0 };

	if (access("/usr/bin/qemu-x86_64", X_OK) < 0)
		skip();
	for (size_t i = 0; i < sizeof(models) / sizeof(*models); i++) {
		assert_true(run(models[i].model, &output));
		tells(&output, models[i].model, "cpu.vendor", models[i].vendor);
		tells(&output, models[i].model, "cpu.family", models[i].family);
		tells(&output, models[i].model, "cpu.model", models[i].number);
		tells(&output, models[i].model, "cpu.stepping", models[i].stepping);
		tells(&output, models[i].model, "cpu.code_name", models[i].code_name);
	}
#else
	print_message("# %s and the other models are not tried: no static libcpuid, or a sanitizer\n", models[0].model);
	skip();
#endif
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(facts_of_other_processors_are_right) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
