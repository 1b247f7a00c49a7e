/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 *   sys/class/powercap/<zone>/{name,energy_uj,max_energy_range_uj}     "package-0"; microjoules; where they begin anew
 *
 * Two ways to the same counter (intel-rapl, intel-rapl-mmio) show zones of the same name, and every package has its
 * own "core": an instance is "<zone>/<name>", as "intel-rapl:0:0/core", and nothing is summed up.
 */
#include <errno.h>
#include <stdio.h>

#include "collectors/files.h"

#define FOLDER "sys/class/powercap/"

static const struct hint hints[] = {
	/* key                   kind     unit         help                                           exponent */
	{ "energy_uj",           COUNTER, UNIT_JOULES, "Energy spent; begins anew at max_energy_range_uj.", 6 },
	{ "max_energy_range_uj", GAUGE,   UNIT_JOULES, "How far energy_uj counts.",                        6 },
	{ 0 },
};

static int add_zone(struct files *f, const char *zone, struct err *err)
{
	cleanup_buf struct buf name = { .ceiling = 256 }, instance = { 0 };
	char path[256];
	struct err ignored;
	int r = 0;

	if (snprintf(path, sizeof(path), FOLDER "%s/name", zone) >= (int)sizeof(path))
		return 0;
	if (host_read(f->host, path, &name, &ignored) < 0)
		buf_clear(&name);
	(void)buf_puts(&instance, zone);
	if (text_len(text_trim(buf_text(&name))) > 0)
		(void)buf_printf(&instance, "/%.*s", TEXT_ARGS(text_trim(buf_text(&name))));
	if (instance.failed)
		return err_set(err, -ENOMEM, "powercap: no memory");
	for (size_t i = 0; hints[i].key && r == 0; i++)
		if (snprintf(path, sizeof(path), FOLDER "%s/%s", zone, hints[i].key) < (int)sizeof(path))
			r = files_add(f, path, hints[i].key, instance.data, err);
	return r;
}

static int powercap_open(const struct collector *self, void *state, const struct host *host, struct err *err)
{
	struct files *f = state;
	struct names zones = { 0 };
	int r;

	files_begin(f, self, host);
	r = host_list(host, FOLDER, &zones, err);
	for (size_t i = 0; i < zones.count && r == 0; i++)
		if (strchr(names_at(&zones, (int)i), ':')) /* without one it is the way, not a zone */
			r = add_zone(f, names_at(&zones, (int)i), err);
	names_free(&zones);
	return r < 0 ? r : files_end(f, err);
}

const struct collector collector_powercap = {
	.name = "powercap",
	.description = "Energy that packages, cores and memory spend",
	.source = FOLDER "*:*/energy_uj " FOLDER "*:*/max_energy_range_uj " FOLDER "*:*/name",
	.hints = hints,
	.state_size = sizeof(struct files),
	.open = powercap_open,
	FILES_STATE,
};
