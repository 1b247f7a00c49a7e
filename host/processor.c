/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/processor.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "host/cpuinfo.h"

#define ANY 0xff

/* `called`: a part of the name that a seller gave it; NULL: whatever. */
struct design {
	unsigned char family, model_first, model_last, stepping_first, stepping_last;
	const char *called, *name;
};

static const struct design intel[] = {
	{ 6, 0x0f, 0x0f, 0, ANY, NULL, "Merom" },
	{ 6, 0x16, 0x16, 0, ANY, NULL, "Merom" },
	{ 6, 0x17, 0x17, 0, ANY, NULL, "Penryn" },
	{ 6, 0x1d, 0x1d, 0, ANY, NULL, "Dunnington" },
	{ 6, 0x1a, 0x1a, 0, ANY, NULL, "Nehalem-EP" },
	{ 6, 0x1e, 0x1f, 0, ANY, NULL, "Nehalem" },
	{ 6, 0x2e, 0x2e, 0, ANY, NULL, "Nehalem-EX" },
	{ 6, 0x25, 0x25, 0, ANY, NULL, "Westmere" },
	{ 6, 0x2c, 0x2c, 0, ANY, NULL, "Westmere-EP" },
	{ 6, 0x2f, 0x2f, 0, ANY, NULL, "Westmere-EX" },
	{ 6, 0x2a, 0x2a, 0, ANY, NULL, "Sandy Bridge" },
	{ 6, 0x2d, 0x2d, 0, ANY, NULL, "Sandy Bridge-EP" },
	{ 6, 0x3a, 0x3a, 0, ANY, NULL, "Ivy Bridge" },
	{ 6, 0x3e, 0x3e, 0, ANY, " E7-", "Ivy Bridge-EX" },
	{ 6, 0x3e, 0x3e, 0, ANY, NULL, "Ivy Bridge-EP" },
	{ 6, 0x3c, 0x3c, 0, ANY, NULL, "Haswell" },
	{ 6, 0x45, 0x46, 0, ANY, NULL, "Haswell" },
	{ 6, 0x3f, 0x3f, 0, ANY, " E7-", "Haswell-EX" },
	{ 6, 0x3f, 0x3f, 0, ANY, NULL, "Haswell-EP" },
	{ 6, 0x3d, 0x3d, 0, ANY, NULL, "Broadwell" },
	{ 6, 0x47, 0x47, 0, ANY, NULL, "Broadwell" },
	{ 6, 0x4f, 0x4f, 0, ANY, " E7-", "Broadwell-EX" },
	{ 6, 0x4f, 0x4f, 0, ANY, NULL, "Broadwell-EP" },
	{ 6, 0x56, 0x56, 0, ANY, NULL, "Broadwell-DE" },
	{ 6, 0x4e, 0x4e, 0, ANY, NULL, "Skylake" },
	{ 6, 0x5e, 0x5e, 0, ANY, NULL, "Skylake" },
	{ 6, 0x55, 0x55, 0, 4, NULL, "Skylake" },
	{ 6, 0x55, 0x55, 5, 9, NULL, "Cascade Lake" },
	{ 6, 0x55, 0x55, 10, 11, NULL, "Cooper Lake" },
	{ 6, 0x8e, 0x8e, 0, 9, NULL, "Kaby Lake" },
	{ 6, 0x8e, 0x8e, 10, 10, NULL, "Coffee Lake" },
	{ 6, 0x8e, 0x8e, 11, 12, NULL, "Whiskey Lake" },
	{ 6, 0x9e, 0x9e, 0, 9, NULL, "Kaby Lake" },
	{ 6, 0x9e, 0x9e, 10, 13, NULL, "Coffee Lake" },
	{ 6, 0x66, 0x66, 0, ANY, NULL, "Cannon Lake" },
	{ 6, 0x7d, 0x7e, 0, ANY, NULL, "Ice Lake" },
	{ 6, 0x6a, 0x6a, 0, ANY, NULL, "Ice Lake" },
	{ 6, 0x6c, 0x6c, 0, ANY, NULL, "Ice Lake-D" },
	{ 6, 0x8c, 0x8d, 0, ANY, NULL, "Tiger Lake" },
	{ 6, 0xa5, 0xa6, 0, ANY, NULL, "Comet Lake" },
	{ 6, 0xa7, 0xa7, 0, ANY, NULL, "Rocket Lake" },
	{ 6, 0x8a, 0x8a, 0, ANY, NULL, "Lakefield" },
	{ 6, 0x97, 0x97, 0, ANY, NULL, "Alder Lake" },
	{ 6, 0x9a, 0x9a, 0, ANY, NULL, "Alder Lake" },
	{ 6, 0xbe, 0xbe, 0, ANY, NULL, "Alder Lake-N" },
	{ 6, 0xb7, 0xb7, 0, ANY, NULL, "Raptor Lake" },
	{ 6, 0xba, 0xba, 0, ANY, NULL, "Raptor Lake" },
	{ 6, 0xbf, 0xbf, 0, ANY, NULL, "Raptor Lake" },
	{ 6, 0xd7, 0xd7, 0, ANY, NULL, "Bartlett Lake" },
	{ 6, 0xaa, 0xaa, 0, ANY, NULL, "Meteor Lake" },
	{ 6, 0xac, 0xac, 0, ANY, NULL, "Meteor Lake" },
	{ 6, 0xb5, 0xb5, 0, ANY, NULL, "Arrow Lake" },
	{ 6, 0xc5, 0xc6, 0, ANY, NULL, "Arrow Lake" },
	{ 6, 0xbd, 0xbd, 0, ANY, NULL, "Lunar Lake" },
	{ 6, 0xcc, 0xcc, 0, ANY, NULL, "Panther Lake" },
	{ 6, 0x8f, 0x8f, 0, ANY, NULL, "Sapphire Rapids" },
	{ 6, 0xcf, 0xcf, 0, ANY, NULL, "Emerald Rapids" },
	{ 6, 0xad, 0xad, 0, ANY, NULL, "Granite Rapids" },
	{ 6, 0xae, 0xae, 0, ANY, NULL, "Granite Rapids-D" },
	{ 6, 0xaf, 0xaf, 0, ANY, NULL, "Sierra Forest" },
	{ 6, 0xb6, 0xb6, 0, ANY, NULL, "Grand Ridge" },
	{ 6, 0xdd, 0xdd, 0, ANY, NULL, "Clearwater Forest" },
	{ 6, 0x57, 0x57, 0, ANY, NULL, "Knights Landing" },
	{ 6, 0x85, 0x85, 0, ANY, NULL, "Knights Mill" },
	{ 6, 0x1c, 0x1c, 0, ANY, NULL, "Bonnell" },
	{ 6, 0x26, 0x26, 0, ANY, NULL, "Bonnell" },
	{ 6, 0x27, 0x27, 0, ANY, NULL, "Saltwell" },
	{ 6, 0x35, 0x36, 0, ANY, NULL, "Saltwell" },
	{ 6, 0x37, 0x37, 0, ANY, NULL, "Bay Trail" },
	{ 6, 0x4a, 0x4a, 0, ANY, NULL, "Merrifield" },
	{ 6, 0x4c, 0x4c, 0, ANY, NULL, "Cherry Trail" },
	{ 6, 0x4d, 0x4d, 0, ANY, NULL, "Avoton" },
	{ 6, 0x5a, 0x5a, 0, ANY, NULL, "Moorefield" },
	{ 6, 0x5c, 0x5c, 0, ANY, NULL, "Apollo Lake" },
	{ 6, 0x5f, 0x5f, 0, ANY, NULL, "Denverton" },
	{ 6, 0x7a, 0x7a, 0, ANY, NULL, "Gemini Lake" },
	{ 6, 0x86, 0x86, 0, ANY, NULL, "Snow Ridge" },
	{ 6, 0x96, 0x96, 0, ANY, NULL, "Elkhart Lake" },
	{ 6, 0x9c, 0x9c, 0, ANY, NULL, "Jasper Lake" },
	{ 15, 0, 6, 0, ANY, NULL, "NetBurst" },
	{ 18, 1, 3, 0, ANY, NULL, "Nova Lake" },
	{ 19, 1, 1, 0, ANY, NULL, "Diamond Rapids" },
	{ 0 },
};

static const struct design amd[] = {
	{ 0x0f, 0x00, ANY, 0, ANY, NULL, "K8" },
	{ 0x10, 0x02, 0x02, 0, ANY, NULL, "Barcelona" },
	{ 0x10, 0x04, 0x04, 0, ANY, NULL, "Shanghai" },
	{ 0x10, 0x08, 0x08, 0, ANY, NULL, "Istanbul" },
	{ 0x10, 0x09, 0x09, 0, ANY, NULL, "Magny-Cours" },
	{ 0x10, 0x00, ANY, 0, ANY, NULL, "K10" },
	{ 0x12, 0x00, ANY, 0, ANY, NULL, "Llano" },
	{ 0x14, 0x00, ANY, 0, ANY, NULL, "Bobcat" },
	{ 0x15, 0x02, 0x02, 0, ANY, NULL, "Piledriver" },
	{ 0x15, 0x00, 0x0f, 0, ANY, NULL, "Bulldozer" },
	{ 0x15, 0x10, 0x2f, 0, ANY, NULL, "Piledriver" },
	{ 0x15, 0x30, 0x3f, 0, ANY, NULL, "Steamroller" },
	{ 0x15, 0x60, 0x7f, 0, ANY, NULL, "Excavator" },
	{ 0x16, 0x00, 0x0f, 0, ANY, NULL, "Jaguar" },
	{ 0x16, 0x30, 0x3f, 0, ANY, NULL, "Puma" },
	{ 0x17, 0x01, 0x01, 0, ANY, "EPYC", "Naples" },
	{ 0x17, 0x01, 0x01, 0, ANY, NULL, "Summit Ridge" },
	{ 0x17, 0x08, 0x08, 0, ANY, NULL, "Pinnacle Ridge" },
	{ 0x17, 0x11, 0x11, 0, ANY, NULL, "Raven Ridge" },
	{ 0x17, 0x18, 0x18, 0, ANY, NULL, "Picasso" },
	{ 0x17, 0x20, 0x20, 0, ANY, NULL, "Dali" },
	{ 0x17, 0x31, 0x31, 0, ANY, "Threadripper", "Castle Peak" },
	{ 0x17, 0x31, 0x31, 0, ANY, NULL, "Rome" },
	{ 0x17, 0x60, 0x60, 0, ANY, NULL, "Renoir" },
	{ 0x17, 0x68, 0x68, 0, ANY, NULL, "Lucienne" },
	{ 0x17, 0x71, 0x71, 0, ANY, NULL, "Matisse" },
	{ 0x17, 0x90, 0x91, 0, ANY, NULL, "Van Gogh" },
	{ 0x17, 0xa0, 0xaf, 0, ANY, NULL, "Mendocino" },
	{ 0x18, 0x00, ANY, 0, ANY, NULL, "Dhyana" },
	{ 0x19, 0x00, 0x07, 0, ANY, NULL, "Milan" },
	{ 0x19, 0x08, 0x0f, 0, ANY, NULL, "Chagall" },
	{ 0x19, 0x10, 0x17, 0, ANY, NULL, "Genoa" },
	{ 0x19, 0x18, 0x1f, 0, ANY, NULL, "Storm Peak" },
	{ 0x19, 0x20, 0x2f, 0, ANY, NULL, "Vermeer" },
	{ 0x19, 0x40, 0x4f, 0, ANY, NULL, "Rembrandt" },
	{ 0x19, 0x50, 0x5f, 0, ANY, NULL, "Cezanne" },
	{ 0x19, 0x60, 0x6f, 0, ANY, NULL, "Raphael" },
	{ 0x19, 0x70, 0x7f, 0, ANY, NULL, "Phoenix" },
	{ 0x19, 0xa0, 0xaf, 0, ANY, NULL, "Bergamo" },
	{ 0x1a, 0x00, 0x0f, 0, ANY, NULL, "Turin" },
	{ 0x1a, 0x10, 0x1f, 0, ANY, NULL, "Turin Dense" },
	{ 0x1a, 0x20, 0x2f, 0, ANY, NULL, "Strix Point" },
	{ 0x1a, 0x40, 0x4f, 0, ANY, NULL, "Granite Ridge" },
	{ 0x1a, 0x60, 0x6f, 0, ANY, NULL, "Krackan Point" },
	{ 0x1a, 0x70, 0x7f, 0, ANY, NULL, "Strix Halo" },
	{ 0 },
};

/* By the designer's name as cpu.vendor has it, and the number of the part. */
static const struct {
	const char *vendor;
	unsigned part;
	const char *name;
} arm[] = {
	{ "ARM", 0xc07, "Cortex-A7" },	    { "ARM", 0xc08, "Cortex-A8" },	{ "ARM", 0xc09, "Cortex-A9" },
	{ "ARM", 0xc0f, "Cortex-A15" },	    { "ARM", 0xd03, "Cortex-A53" },	{ "ARM", 0xd04, "Cortex-A35" },
	{ "ARM", 0xd05, "Cortex-A55" },	    { "ARM", 0xd07, "Cortex-A57" },	{ "ARM", 0xd08, "Cortex-A72" },
	{ "ARM", 0xd09, "Cortex-A73" },	    { "ARM", 0xd0a, "Cortex-A75" },	{ "ARM", 0xd0b, "Cortex-A76" },
	{ "ARM", 0xd0c, "Neoverse-N1" },    { "ARM", 0xd0d, "Cortex-A77" },	{ "ARM", 0xd0e, "Cortex-A76AE" },
	{ "ARM", 0xd40, "Neoverse-V1" },    { "ARM", 0xd41, "Cortex-A78" },	{ "ARM", 0xd42, "Cortex-A78AE" },
	{ "ARM", 0xd44, "Cortex-X1" },	    { "ARM", 0xd46, "Cortex-A510" },	{ "ARM", 0xd47, "Cortex-A710" },
	{ "ARM", 0xd48, "Cortex-X2" },	    { "ARM", 0xd49, "Neoverse-N2" },	{ "ARM", 0xd4a, "Neoverse-E1" },
	{ "ARM", 0xd4b, "Cortex-A78C" },    { "ARM", 0xd4c, "Cortex-X1C" },	{ "ARM", 0xd4d, "Cortex-A715" },
	{ "ARM", 0xd4e, "Cortex-X3" },	    { "ARM", 0xd4f, "Neoverse-V2" },	{ "ARM", 0xd80, "Cortex-A520" },
	{ "ARM", 0xd81, "Cortex-A720" },    { "ARM", 0xd82, "Cortex-X4" },	{ "ARM", 0xd83, "Neoverse-V3AE" },
	{ "ARM", 0xd84, "Neoverse-V3" },    { "ARM", 0xd85, "Cortex-X925" },	{ "ARM", 0xd87, "Cortex-A725" },
	{ "ARM", 0xd8e, "Neoverse-N3" },    { "Broadcom", 0x516, "Vulcan" },	{ "Cavium", 0x0a1, "ThunderX" },
	{ "Cavium", 0x0af, "ThunderX2" },   { "Cavium", 0x0b8, "ThunderX3" },	{ "Fujitsu", 0x001, "A64FX" },
	{ "Fujitsu", 0x003, "Monaka" },	    { "HiSilicon", 0xd01, "TSV110" },	{ "HiSilicon", 0xd02, "HIP09" },
	{ "NVIDIA", 0x003, "Denver 2" },    { "NVIDIA", 0x004, "Carmel" },	{ "NVIDIA", 0x010, "Olympus" },
	{ "APM", 0x000, "X-Gene" },	    { "Qualcomm", 0x800, "Kryo Gold" },	{ "Qualcomm", 0xc00, "Falkor" },
	{ "Qualcomm", 0x001, "Oryon" },	    { "Apple", 0x022, "Icestorm" },	{ "Apple", 0x023, "Firestorm" },
	{ "Microsoft", 0xd49, "Azure Cobalt 100" }, { "Phytium", 0x662, "FTC662" }, { "Phytium", 0x663, "FTC663" },
	{ "Phytium", 0x862, "FTC862" },	    { "Ampere", 0xac3, "Ampere1" },	{ "Ampere", 0xac4, "Ampere1A" },
};

static enum vendor vendor_of(const char *name)
{
	if (name && strcmp(name, "GenuineIntel") == 0)
		return VENDOR_INTEL;
	if (name && (strcmp(name, "AuthenticAMD") == 0 || strcmp(name, "HygonGenuine") == 0))
		return VENDOR_AMD;
	return VENDOR_OTHER;
}

static bool number_of(const struct pairs *facts, const char *name, unsigned *ret)
{
	const char *value = pairs_get(facts, name);
	struct text text = text_of(value ? value : "");
	uint64_t number;

	if (!(text_starts(text, "0x") ? text_hex(&text, &number) : text_u64(&text, &number)) || text.at != text.end ||
	    number > UINT32_MAX)
		return false;
	*ret = (unsigned)number;
	return true;
}

static struct processor processor_of(const struct pairs *facts)
{
	struct processor p = { .vendor = vendor_of(pairs_get(facts, "cpu.vendor")) };

	(void)number_of(facts, "cpu.family", &p.family);
	(void)number_of(facts, "cpu.model", &p.model);
	(void)number_of(facts, "cpu.stepping", &p.stepping);
	return p;
}

int processor_read(const struct host *host, struct processor *ret)
{
	cleanup_buf struct buf content = { 0 };
	struct pairs facts = { 0 };
	struct err ignored;
	int r = host_read(host, "proc/cpuinfo", &content, &ignored) == -ENOMEM ? -ENOMEM : 0;

	if (r == 0)
		r = cpuinfo_facts(buf_text(&content), &facts);
	*ret = processor_of(&facts);
	pairs_free(&facts);
	return r;
}

/* The first row that fits. */
static const char *design_name(const struct design *table, const struct processor *p, const char *called)
{
	for (const struct design *d = table; d->name; d++)
		if (d->family == p->family && d->model_first <= p->model && p->model <= d->model_last &&
		    d->stepping_first <= p->stepping && p->stepping <= d->stepping_last &&
		    (!d->called || (called && strstr(called, d->called))))
			return d->name;
	return NULL;
}

const char *processor_code_name(const struct pairs *facts)
{
	struct processor p = processor_of(facts);
	const char *vendor = pairs_get(facts, "cpu.vendor"), *called = pairs_get(facts, "cpu.name");

	if (p.vendor != VENDOR_OTHER)
		return p.family ? design_name(p.vendor == VENDOR_INTEL ? intel : amd, &p, called) : NULL;
	for (size_t i = 0; vendor && pairs_get(facts, "cpu.model") && i < sizeof(arm) / sizeof(*arm); i++)
		if (strcmp(arm[i].vendor, vendor) == 0 && arm[i].part == p.model)
			return arm[i].name;
	return NULL;
}
