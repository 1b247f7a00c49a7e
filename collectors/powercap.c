/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 *   sys/class/powercap/<zone>/{name,energy_uj,max_energy_range_uj}     "package-0"; microjoules; where they begin anew
 *
 * Two ways to the same counter (intel-rapl, intel-rapl-mmio) show zones of the same name, and every package has its
 * own "core": an instance is "<zone>/<name>", as "intel-rapl:0:0/core", and nothing is summed up. The class has a link
 * to every zone; a recording without links has the zones where they stand, one below the other.
 */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "base/take.h"
#include "collectors/files.h"

#define CLASS	"sys/class/powercap/"
#define DEVICES "sys/devices/virtual/powercap/"

static const struct hint hints[] = {
	/* key                   kind     unit         help                                           exponent */
	{ "energy_uj",           COUNTER, UNIT_JOULES, "Energy spent; begins anew at max_energy_range_uj.", 6 },
	{ "max_energy_range_uj", GAUGE,   UNIT_JOULES, "How far energy_uj counts.",                        6 },
	{ 0 },
};

/* Where zones are looked for, in this order; the first place that has some has all. */
static const char *const places[][2] = {
	{ CLASS "*:*/energy_uj", NULL },
	{ CLASS "*/*:*/energy_uj", CLASS "*/*:*/*:*/energy_uj" },
	{ DEVICES "*/*:*/energy_uj", DEVICES "*/*:*/*:*/energy_uj" },
};

#define PLACES (sizeof(places) / sizeof(*places))

static int find_zones(const struct host *host, struct names *ret, struct err *err)
{
	struct names found = { 0 };
	int r = 0;

	for (size_t place = 0; place < PLACES && ret->count == 0 && r == 0; place++)
		for (size_t depth = 0; depth < 2 && places[place][depth] && r == 0; depth++) {
			r = host_glob(host, places[place][depth], &found, err);
			for (size_t i = 0; i < found.count && r == 0; i++)
				if (names_add(ret, text_of(found.at[i])) < 0)
					r = err_set(err, -ENOMEM, "powercap: no memory");
		}
	names_free(&found);
	if (r == 0 && ret->count == 0)
		r = err_set(err, -ENOENT, "%s: no such file", places[0][0]);
	return r;
}

static int add_zone(struct files *f, const char *energy, struct err *err)
{
	cleanup_buf struct buf name = { .ceiling = 256 }, instance = { 0 };
	int folder = (int)(strrchr(energy, '/') - energy); /* its length */
	const char *zone = memrchr(energy, '/', (size_t)folder);
	char path[512];
	struct err ignored;
	int r = 0;

	if (snprintf(path, sizeof(path), "%.*s/name", folder, energy) >= (int)sizeof(path))
		return 0;
	if (host_read(f->host, path, &name, &ignored) < 0)
		buf_clear(&name);
	(void)buf_printf(&instance, "%.*s", (int)(energy + folder - zone) - 1, zone + 1);
	if (text_len(text_trim(buf_text(&name))) > 0)
		(void)buf_printf(&instance, "/%.*s", TEXT_ARGS(text_trim(buf_text(&name))));
	if (instance.failed)
		return err_set(err, -ENOMEM, "powercap: no memory");
	for (size_t i = 0; hints[i].key && r == 0; i++)
		if (snprintf(path, sizeof(path), "%.*s/%s", folder, energy, hints[i].key) < (int)sizeof(path))
			r = files_add(f, path, hints[i].key, instance.data, err);
	return r;
}

static int powercap_probe(const struct collector *self, const struct host *host, struct err *err)
{
	struct names zones = { 0 };
	cleanup_fd int fd = -1;
	int r = find_zones(host, &zones, err);

	if (r == 0) {
		fd = host_open(host, zones.at[0]);
		if (fd < 0)
			r = err_set(err, fd, "%s: %s", zones.at[0], err_name(fd));
	}
	names_free(&zones);
	return r;
}

static int powercap_open(const struct collector *self, void *state, const struct host *host, struct err *err)
{
	struct files *f = state;
	struct names zones = { 0 };
	int r;

	files_begin(f, self, host);
	r = find_zones(host, &zones, err);
	for (size_t i = 0; i < zones.count && r == 0; i++)
		r = add_zone(f, zones.at[i], err);
	names_free(&zones);
	return r < 0 ? r : files_end(f, err);
}

const struct collector collector_powercap = {
	.name = "powercap",
	.description = "Energy that packages, cores and memory spend",
	.source = CLASS "*:*/energy_uj " CLASS "*:*/max_energy_range_uj " CLASS "*:*/name " CLASS "*/*:*/energy_uj " CLASS
			"*/*:*/max_energy_range_uj " CLASS "*/*:*/name " CLASS "*/*:*/*:*/energy_uj " CLASS
			"*/*:*/*:*/max_energy_range_uj " CLASS "*/*:*/*:*/name " DEVICES "*/*:*/energy_uj " DEVICES
			"*/*:*/max_energy_range_uj " DEVICES "*/*:*/name " DEVICES "*/*:*/*:*/energy_uj " DEVICES
			"*/*:*/*:*/max_energy_range_uj " DEVICES "*/*:*/*:*/name",
	.hints = hints,
	.state_size = sizeof(struct files),
	.probe = powercap_probe,
	.open = powercap_open,
	FILES_STATE,
};
