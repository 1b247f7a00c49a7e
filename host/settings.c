/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/settings.h"

#include <errno.h>
#include <stdio.h>

#include "host/topology.h"

#define CPUS "sys/devices/system/cpu"

/* "Mitigation: Retpolines, IBPB: conditional" of vulnerabilities/spectre_v2. */
static int mitigation_facts(const struct host *host, struct buf *content, struct pairs *ret)
{
	struct names faults = { 0 };
	struct err ignored;
	int r = host_list(host, CPUS "/vulnerabilities", &faults, &ignored) == -ENOMEM ? -ENOMEM : 0;

	for (size_t i = 0; i < faults.count && r == 0; i++) {
		char path[300], name[280];
		struct text text;

		(void)snprintf(path, sizeof(path), CPUS "/vulnerabilities/%s", faults.at[i]);
		(void)snprintf(name, sizeof(name), "mitigation.%s", faults.at[i]);
		r = fact_read(host, path, content, &text);
		if (r == 0 && text.at < text.end)
			r = pairs_set_text(ret, text_of(name), text);
	}
	names_free(&faults);
	return r;
}

static int distance_facts(const struct host *host, struct buf *content, struct pairs *ret)
{
	cleanup_buf struct buf rows = { 0 };
	struct names paths = { 0 };
	struct err ignored;
	int r = host_glob(host, "sys/devices/system/node/node*/distance", &paths, &ignored) == -ENOMEM ? -ENOMEM : 0;

	for (size_t i = 0; i < paths.count && r == 0; i++) {
		struct text text;

		r = fact_read(host, paths.at[i], content, &text);
		if (r == 0 && text.at < text.end)
			r = buf_printf(&rows, "%s%.*s", rows.len ? "; " : "", TEXT_ARGS(text));
	}
	names_free(&paths);
	return r == 0 && rows.len ? pairs_set(ret, "node.distances", rows.data) : r;
}

/* FNV-1a: tells one configuration from another, and is nobody's secret. */
static uint64_t hash_of(struct text bytes)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (; bytes.at < bytes.end; bytes.at++)
		hash = (hash ^ (unsigned char)*bytes.at) * UINT64_C(0x100000001b3);
	return hash;
}

static int config_facts(const struct host *host, struct buf *content, struct pairs *ret)
{
	const char *release = pairs_get(ret, "kernel.release");
	char path[300];
	struct text text;
	int r = fact_read(host, "proc/config.gz", content, &text);

	if (r == 0 && text.at == text.end && release && !strchr(release, '/')) {
		(void)snprintf(path, sizeof(path), "boot/config-%s", release);
		r = fact_read(host, path, content, &text);
	}
	if (r == 0 && text.at < text.end)
		r = pairs_setf(ret, "kernel.config_hash", "%016llx", (unsigned long long)hash_of(buf_text(content)));
	return r;
}

/* "always [madvise] never": what stands in brackets. */
static int thp_facts(const struct host *host, struct buf *content, struct pairs *ret)
{
	struct text text, word;
	int r = fact_read(host, "sys/kernel/mm/transparent_hugepage/enabled", content, &text);

	while (r == 0 && text_word(&text, &word))
		if (text_skip(&word, "[") && text_ends(word, "]"))
			return pairs_set_text(ret, text_of("memory.thp"), (struct text){ word.at, word.end - 1 });
	return r;
}

/* "... CPU @ 2.40GHz" */
static int base_of_name(struct pairs *ret)
{
	const char *name = pairs_get(ret, "cpu.name"), *at = name ? strstr(name, "@ ") : NULL;
	struct text text = text_of(at ? at + 2 : "");
	int64_t gigahertz;

	if (!text_decimal(&text, 3, &gigahertz) || !text_starts(text, "GHz") || gigahertz <= 0)
		return 0;
	return pairs_setf(ret, "cpu.base_mhz", "%lld", (long long)gigahertz);
}

/* As the driver tells it, the firmware, the processor (host/cpuid.h), or its name. */
static int base_facts(const struct host *host, struct buf *content, struct pairs *ret)
{
	static const struct {
		const char *path;
		unsigned per_mhz;
	} files[] = {
		{ CPUS "/cpufreq/policy*/base_frequency", 1000 },
		{ CPUS "/cpu*/cpufreq/base_frequency", 1000 },
		{ CPUS "/cpu*/acpi_cppc/nominal_freq", 1 },
	};

	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		struct text text;
		uint64_t value;
		int r = fact_read_first(host, files[i].path, content, &text);

		if (r < 0)
			return r;
		if (text_u64(&text, &value) && value >= files[i].per_mhz)
			return pairs_setf(ret, "cpu.base_mhz", "%llu", (unsigned long long)(value / files[i].per_mhz));
	}
	return pairs_get(ret, "cpu.base_mhz") ? 0 : base_of_name(ret);
}

int setting_facts(const struct host *host, struct pairs *ret)
{
	static int (*const all[])(const struct host *, struct buf *, struct pairs *) = {
		mitigation_facts, distance_facts, config_facts, thp_facts, base_facts,
	};
	cleanup_buf struct buf content = { 0 };
	int r = 0;

	for (size_t i = 0; i < sizeof(all) / sizeof(*all) && r == 0; i++)
		r = all[i](host, &content, ret);
	return r;
}
