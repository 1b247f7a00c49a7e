/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 *   sys/class/hwmon/hwmon<i>/{name,temp1_input,temp1_label,power1_average ...}     "coretemp", millidegrees, "Core 0"
 *
 * The number of a chip may differ from boot to boot: an instance is its name, "nvme"; the second one of that name is
 * "nvme-hwmon<i>". A sensor with a label is "<file>:<label>", "temp2_input:Core 0", without one "<file>".
 */
#include <errno.h>
#include <stdio.h>

#include "collectors/files.h"

#define FOLDER "sys/class/hwmon/"

static const struct hint hints[] = {
	/* key                kind     unit          help                                          exponent */
	{ "temp*_input*",     GAUGE,   UNIT_CELSIUS, "Temperature.",                               3 },
	{ "power*",           GAUGE,   UNIT_WATTS,   "Power, now or averaged.",                    6 },
	{ "energy*_input*",   COUNTER, UNIT_JOULES,  "Energy spent.",                              6 },
	{ "humidity*_input*", GAUGE,   UNIT_PERCENT, "Relative humidity.",                         3 },
	{ "freq*_input*",     GAUGE,   UNIT_HERTZ,   "A clock, as of a graphics chip.",            0 },
	{ "fan*_input*",      GAUGE,   UNIT_NONE,    "Turns of a fan in a minute.",                0 },
	{ "in*_input*",       GAUGE,   UNIT_NONE,    "Voltage, V.",                                3 },
	{ "curr*_input*",     GAUGE,   UNIT_NONE,    "Current, A.",                                3 },
	{ "*",                GAUGE,   UNIT_NONE,    "What the chip tells, as its driver names it.", 0 },
	{ 0 },
};

static bool is_reading(const char *file)
{
	struct text name = text_of(file);

	return text_ends(name, "_input") || text_glob(name, "power*_average");
}

/* The text of a small file, trimmed; "" without one. */
static struct text read_word(const struct host *host, const char *folder, struct text stem, const char *suffix,
			     struct buf *ret)
{
	char path[256];
	struct err ignored;

	buf_clear(ret);
	if (snprintf(path, sizeof(path), "%s/%.*s%s", folder, TEXT_ARGS(stem), suffix) >= (int)sizeof(path) ||
	    host_read(host, path, ret, &ignored) < 0)
		buf_clear(ret);
	return text_trim(buf_text(ret));
}

static int add_reading(struct files *f, const char *folder, const char *file, const char *instance, struct err *err)
{
	cleanup_buf struct buf label = { .ceiling = 256 }, name = { 0 };
	struct text stem = text_of(file), word;
	char path[256];

	while (*--stem.end != '_')
		;
	word = read_word(f->host, folder, stem, "_label", &label);
	(void)buf_puts(&name, file);
	if (text_len(word) > 0)
		(void)buf_printf(&name, ":%.*s", TEXT_ARGS(word));
	if (name.failed)
		return err_set(err, -ENOMEM, "hwmon: no memory");
	if (snprintf(path, sizeof(path), "%s/%s", folder, file) >= (int)sizeof(path))
		return 0;
	return files_add(f, path, name.data, instance, err);
}

static int add_chip(struct files *f, const char *chip, struct names *chips, struct err *err)
{
	cleanup_buf struct buf label = { .ceiling = 256 }, instance = { 0 };
	struct names entries = { 0 };
	struct err ignored;
	struct text name;
	char folder[192];
	size_t count = chips->count;
	int r = 0;

	if (snprintf(folder, sizeof(folder), FOLDER "%s", chip) >= (int)sizeof(folder))
		return 0;
	name = read_word(f->host, folder, text_of("name"), "", &label);
	if (text_len(name) == 0)
		name = text_of(chip);
	(void)buf_add_text(&instance, name);
	if (names_add(chips, name) < 0)
		return err_set(err, -ENOMEM, "hwmon: no memory");
	if (chips->count == count)
		(void)buf_printf(&instance, "-%s", chip);
	if (instance.failed || host_list(f->host, folder, &entries, &ignored) == -ENOMEM)
		r = err_set(err, -ENOMEM, "hwmon: no memory");
	for (size_t i = 0; i < entries.count && r == 0; i++)
		if (is_reading(entries.at[i]))
			r = add_reading(f, folder, entries.at[i], instance.data, err);
	names_free(&entries);
	return r;
}

static int hwmon_open(const struct collector *self, void *state, const struct host *host, struct err *err)
{
	struct files *f = state;
	struct names found = { 0 }, chips = { 0 };
	int r;

	files_begin(f, self, host);
	r = host_list(host, FOLDER, &found, err);
	for (size_t i = 0; i < found.count && r == 0; i++)
		r = add_chip(f, found.at[i], &chips, err);
	names_free(&found);
	names_free(&chips);
	return r < 0 ? r : files_end(f, err);
}

const struct collector collector_hwmon = {
	.name = "hwmon",
	.description = "Temperatures, fans, voltages and power that chips measure",
	.source = FOLDER "hwmon*/*_input " FOLDER "hwmon*/power*_average " FOLDER "hwmon*/*_label " FOLDER "hwmon*/name",
	.hints = hints,
	.state_size = sizeof(struct files),
	.interval_ms = 10000,
	.dear = true, /* a chip may be behind a slow bus */
	.probe = files_probe,
	.open = hwmon_open,
	FILES_STATE,
};
