/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines "key : value", a block for each CPU with a blank line behind it. What differs:
 *
 *   x86        all in each block
 *   arm64      numbers of the designer and the part; old kernels list "processor : N" alone and tell the rest once
 *   ppc        "cpu" is the name; the machine has a block of its own at the end, with a "model"
 *   s390       "vendor_id", then one line "processor 0: version = FF,  identification = 32C047,  machine = 2827" a CPU
 *   riscv      mvendorid, marchid, mimpid
 *   loongarch  a block on the system first; capitals
 *   alpha      no blocks, "cpus detected" tells how many
 */
#include "host/cpuinfo.h"

#include <errno.h>
#include <stdbool.h>
#include <strings.h>

#include "base/buf.h"
#include "base/names.h"

struct cpuinfo {
	struct pairs *ret;
	struct text variant; /* of an arm part; with the revision, its stepping */
	struct text package; /* of the CPU being read */
	struct names packages, cores;
	size_t threads;
	uint64_t package_threads, package_cores; /* "siblings" and "cpu cores" */
	bool first_is_read;			 /* the first CPU's block has ended: keys behind it are not its own */
};

/* The first spelling that is there wins. */
static const struct {
	const char *key; /* of either case */
	const char *fact;
} facts[] = {
	{ "vendor_id", "cpu.vendor" },
	{ "vendor", "cpu.vendor" },
	{ "CPU implementer", "cpu.vendor" },
	{ "mvendorid", "cpu.vendor" },
	{ "cpu family", "cpu.family" },
	{ "family", "cpu.family" },
	{ "CPU architecture", "cpu.family" },
	{ "model", "cpu.model" },
	{ "cpu model", "cpu.model" },
	{ "CPU part", "cpu.model" },
	{ "marchid", "cpu.model" },
	{ "stepping", "cpu.stepping" },
	{ "revision", "cpu.stepping" },
	{ "CPU revision", "cpu.stepping" },
	{ "mimpid", "cpu.stepping" },
	{ "model name", "cpu.name" },
	{ "uarch", "cpu.name" },
	{ "cpu", "cpu.name" },
	{ "Processor", "cpu.name" },
	{ "microcode", "cpu.microcode" },
};

/* The designers' numbers are of the Arm Architecture Reference Manual, MIDR_EL1.Implementer, and its supplements. */
static const struct {
	unsigned number;
	const char *name;
} implementers[] = {
	{ 0x41, "ARM" },       { 0x42, "Broadcom" }, { 0x43, "Cavium" },  { 0x44, "DEC" },	{ 0x46, "Fujitsu" },
	{ 0x48, "HiSilicon" }, { 0x4e, "NVIDIA" },   { 0x50, "APM" },	  { 0x51, "Qualcomm" }, { 0x53, "Samsung" },
	{ 0x56, "Marvell" },   { 0x61, "Apple" },    { 0x66, "Faraday" }, { 0x69, "Intel" },	{ 0x6d, "Microsoft" },
	{ 0x70, "Phytium" },   { 0xc0, "Ampere" },
};

static bool key_is(struct text key, const char *name)
{
	return text_len(key) == strlen(name) && strncasecmp(key.at, name, text_len(key)) == 0;
}

static struct text implementer(struct text value)
{
	struct text rest = value;
	uint64_t number;

	if (text_hex(&rest, &number) && rest.at == rest.end)
		for (size_t i = 0; i < sizeof(implementers) / sizeof(*implementers); i++)
			if (implementers[i].number == number)
				return text_of(implementers[i].name);
	return value; /* the number will do */
}

/* "0x1" and "1" are "r1p1", as Arm writes it. */
static int arm_stepping(struct cpuinfo *c, struct text revision)
{
	uint64_t variant, patch;

	if (!text_hex(&c->variant, &variant) || !text_u64(&revision, &patch))
		return 0;
	return pairs_setf(c->ret, "cpu.stepping", "r%llup%llu", (unsigned long long)variant, (unsigned long long)patch);
}

static int fact(struct cpuinfo *c, struct text key, struct text value)
{
	if (c->first_is_read || value.at == value.end)
		return 0;
	if (key_is(key, "CPU variant"))
		c->variant = value;
	for (size_t i = 0; i < sizeof(facts) / sizeof(*facts); i++) {
		if (!key_is(key, facts[i].key) || pairs_get(c->ret, facts[i].fact))
			continue;
		if (key_is(key, "CPU implementer"))
			value = implementer(value);
		if (key_is(key, "CPU revision") && c->variant.at)
			return arm_stepping(c, value);
		return pairs_set_text(c->ret, text_of(facts[i].fact), value);
	}
	return 0;
}

/* A core is told by its package and its own number; a package alone is a socket still. */
static int place(struct cpuinfo *c, struct text key, struct text value)
{
	cleanup_buf struct buf core = { 0 };

	if (key_is(key, "physical id") || key_is(key, "package")) {
		c->package = value;
		return names_add(&c->packages, value) < 0 ? -ENOMEM : 0;
	}
	if ((key_is(key, "siblings") && text_u64(&value, &c->package_threads)) ||
	    (key_is(key, "cpu cores") && text_u64(&value, &c->package_cores)))
		return 0;
	if (!c->package.at || !(key_is(key, "core id") || key_is(key, "core")))
		return 0;
	(void)buf_add_text(&core, c->package);
	(void)buf_putc(&core, ':');
	(void)buf_add_text(&core, value);
	if (core.failed)
		return core.failed == -EMSGSIZE ? 0 : core.failed;
	return names_add(&c->cores, buf_text(&core)) < 0 ? -ENOMEM : 0;
}

/* "processor 0" and its "version = FF,  identification = 32C047,  machine = 2827" */
static int s390_line(struct cpuinfo *c, struct text value)
{
	struct text part;

	c->threads++;
	if (pairs_get(c->ret, "cpu.model"))
		return 0;
	while (value.at < value.end) {
		if (!text_cut(&value, ", ", &part)) {
			part = value;
			value.at = value.end;
		}
		if (text_is(part, "machine") && text_skip(&value, "= "))
			return pairs_set_text(c->ret, text_of("cpu.model"), text_trim(value));
	}
	return 0;
}

static int line_of(struct cpuinfo *c, struct text line)
{
	struct text key, value = line;
	uint64_t number;
	int r;

	if (text_trim(line).at == text_trim(line).end) {
		c->first_is_read = c->first_is_read || c->threads > 0;
		c->package = (struct text){ 0 };
		return 0;
	}
	if (!text_cut(&value, ":", &key))
		return 0;
	key = text_trim(key);
	value = text_trim(value);
	if (text_is(key, "processor") && text_u64(&value, &number)) {
		c->threads++;
		return 0;
	}
	if (text_skip(&key, "processor ") && text_u64(&key, &number) && key.at == key.end)
		return s390_line(c, value);
	if (text_is(key, "cpus detected") && text_u64(&value, &number) && number < 65536) {
		c->threads = (size_t)number;
		return 0;
	}
	r = fact(c, key, value);
	return r < 0 ? r : place(c, key, value);
}

static int count(struct cpuinfo *c, const char *name, size_t n)
{
	return n ? pairs_setf(c->ret, name, "%zu", n) : 0;
}

/* Two dies of one package may number their cores alike (AMD family 16): the counts by package know better then. */
static size_t cores_of(const struct cpuinfo *c)
{
	size_t by_package = 0;

	if (c->package_cores && c->package_cores <= c->package_threads && c->package_threads <= c->threads)
		by_package = (size_t)(c->threads * c->package_cores / c->package_threads);
	return by_package > c->cores.count ? by_package : c->cores.count;
}

int cpuinfo_facts(struct text cpuinfo, struct pairs *ret)
{
	struct cpuinfo c = { .ret = ret };
	struct text line;
	int r = 0;

	while (r == 0 && text_line(&cpuinfo, &line))
		r = line_of(&c, line);
	if (r == 0)
		r = count(&c, "cpu.threads", c.threads);
	if (r == 0)
		r = count(&c, "cpu.cores", cores_of(&c));
	if (r == 0)
		r = count(&c, "cpu.sockets", c.packages.count);
	names_free(&c.packages);
	names_free(&c.cores);
	return r;
}
