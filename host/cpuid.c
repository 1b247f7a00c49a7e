/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/cpuid.h"

#include <libcpuid/libcpuid.h>

/* The library prints to stderr unless somebody else takes its words. */
static void be_silent(const char *message)
{
	(void)message;
}

static int number(struct pairs *ret, const char *name, int value)
{
	return value > 0 ? pairs_setf(ret, name, "%d", value) : 0; /* -1: the library does not know */
}

int cpuid_facts(struct pairs *ret)
{
	struct cpu_raw_data_t raw;
	struct cpu_id_t id;
	int r;

	(void)cpuid_set_warn_function(be_silent);
	if (!cpuid_present() || cpuid_get_raw_data(&raw) != 0 || cpu_identify(&raw, &id) != 0)
		return 0;
	r = pairs_set(ret, "cpu.vendor", id.vendor_str);
	if (r == 0) /* its "ext" numbers are the kernel's: the extension is added already */
		r = pairs_setf(ret, "cpu.family", "%d", id.ext_family);
	if (r == 0)
		r = pairs_setf(ret, "cpu.model", "%d", id.ext_model);
	if (r == 0)
		r = pairs_setf(ret, "cpu.stepping", "%d", id.stepping);
	if (r == 0)
		r = number(ret, "cpu.cache.l1d", id.l1_data_cache);
	if (r == 0)
		r = number(ret, "cpu.cache.l1i", id.l1_instruction_cache);
	if (r == 0)
		r = number(ret, "cpu.cache.l2", id.l2_cache);
	if (r == 0)
		r = number(ret, "cpu.cache.l3", id.l3_cache);
	return r;
}
