/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 *   sys/class/thermal/thermal_zone<i>/temp             zone<i>, millidegrees, may be negative
 *   sys/class/thermal/cooling_device<i>/cur_state      cdev<i>, 0 is off
 *
 * Zones and devices that come after the opening are not noticed before it is opened anew.
 */
#include <stdio.h>

#include "collectors/files.h"

#define FOLDER "sys/class/thermal/"

static const struct hint hints[] = {
	/* key    kind   unit          help                                               exponent */
	{ "zone*", GAUGE, UNIT_CELSIUS, "Temperature of that thermal zone.",                3 },
	{ "cdev*", GAUGE, UNIT_COUNT,   "How hard that cooling device works; 0 is not at all.", 0 },
	{ 0 },
};

static const struct {
	const char *prefix, *file, *name;
} kinds[] = {
	{ "thermal_zone",   "temp",      "zone" },
	{ "cooling_device", "cur_state", "cdev" },
};

static int add(struct files *f, const char *entry, struct err *err)
{
	char path[256], name[64];

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		size_t length = strlen(kinds[i].prefix);

		if (strncmp(entry, kinds[i].prefix, length) != 0)
			continue;
		if (snprintf(path, sizeof(path), FOLDER "%s/%s", entry, kinds[i].file) >= (int)sizeof(path) ||
		    snprintf(name, sizeof(name), "%s%s", kinds[i].name, entry + length) >= (int)sizeof(name))
			continue;
		return files_add(f, path, name, "", err);
	}
	return 0;
}

static int thermal_open(const struct collector *self, void *state, const struct host *host, struct err *err)
{
	struct files *f = state;
	struct names entries = { 0 };
	int r;

	files_begin(f, self, host);
	r = host_list(host, FOLDER, &entries, err);
	for (size_t i = 0; i < entries.count && r == 0; i++)
		r = add(f, names_at(&entries, (int)i), err);
	names_free(&entries);
	return r < 0 ? r : files_end(f, err);
}

const struct collector collector_thermal = {
	.name = "thermal",
	.description = "Temperatures, and how hard the cooling works",
	.source = FOLDER "thermal_zone*/temp " FOLDER "cooling_device*/cur_state",
	.hints = hints,
	.state_size = sizeof(struct files),
	.interval_ms = 10000,
	.dear = true, /* a sensor may be behind a slow bus */
	.probe = files_probe,
	.open = thermal_open,
	FILES_STATE,
};
