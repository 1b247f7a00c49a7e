/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/cpuid.h"

#include <libcpuid/libcpuid.h>
#include <stdint.h>
#ifdef __x86_64__
#include <cpuid.h>
#endif

/* The library prints to stderr unless somebody else takes its words. */
static void be_silent(const char *message)
{
	(void)message;
}

static int number(struct pairs *ret, const char *name, int value)
{
	return value > 0 ? pairs_setf(ret, name, "%d", value) : 0; /* -1: the library does not know */
}

#ifdef __x86_64__
/*
 * Leaf 0x16: the base clock in MHz. Leaf 0x15: the time-stamp counter's as a ratio to a crystal, in Hz; where the
 * crystal is not told, the counter runs at the base clock (as the kernel takes it). A hypervisor may tell it in kHz
 * by leaf 0x40000010.
 */
static int clock_facts(struct pairs *ret)
{
	unsigned a, b, c, d, base = 0;
	uint64_t tsc = 0;
	int r = 0;

	if (__get_cpuid(0x16, &a, &b, &c, &d))
		base = a & 0xffff;
	if (__get_cpuid(0x15, &a, &b, &c, &d) && a && b)
		tsc = c ? (uint64_t)c * b / a / 1000000 : base;
	if (tsc == 0 && __get_cpuid(1, &a, &b, &c, &d) && c >> 31) {
		__cpuid(0x40000000, a, b, c, d);
		if (a >= 0x40000010 && a < 0x40010000) {
			__cpuid(0x40000010, a, b, c, d);
			tsc = a / 1000;
		}
	}
	if (base)
		r = number(ret, "cpu.base_mhz", (int)base);
	return r == 0 && tsc ? number(ret, "cpu.tsc_mhz", (int)tsc) : r;
}
#else
static int clock_facts(struct pairs *ret)
{
	return 0;
}
#endif

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
	if (r == 0 && *id.brand_str && !pairs_get(ret, "cpu.name")) /* proc/cpuinfo has told it already, or is not there */
		r = pairs_set_text(ret, text_of("cpu.name"), text_trim(text_of(id.brand_str)));
	if (r == 0)
		r = number(ret, "cpu.cache.l1d", id.l1_data_cache);
	if (r == 0)
		r = number(ret, "cpu.cache.l1i", id.l1_instruction_cache);
	if (r == 0)
		r = number(ret, "cpu.cache.l2", id.l2_cache);
	if (r == 0)
		r = number(ret, "cpu.cache.l3", id.l3_cache);
	return r == 0 ? clock_facts(ret) : r;
}
