/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/metric.h"

const struct hint *hint_find(const struct hint *hints, struct text name)
{
	for (const struct hint *h = hints; h && h->key; h++)
		if (text_glob(name, h->key))
			return h;
	return NULL;
}

void hint_apply(const struct hint *hints, struct metric *metric)
{
	const struct hint *h = hint_find(hints, text_of(metric->name));

	metric->kind = h ? h->kind : GAUGE;
	metric->unit = h ? h->unit : UNIT_NONE;
	metric->exponent = h ? h->exponent : 0;
	metric->fold = h ? h->fold : FOLD_NONE;
}

const char *kind_name(enum kind kind)
{
	static const char *const names[] = { "unknown", "gauge", "counter", "counter32" };

	return (size_t)kind < sizeof(names) / sizeof(*names) ? names[kind] : "unknown";
}

const char *unit_name(enum unit unit)
{
	static const char *const names[] = { "",   "count", "bytes", "KiB", "pages", "sectors", "ns",   "us", "ms",
					     "s",  "ticks", "%",     "Hz",  "kHz",   "degC",    "W",    "J" };

	return (size_t)unit < sizeof(names) / sizeof(*names) ? names[unit] : "";
}

const char *fold_name(enum fold fold)
{
	static const char *const names[] = { "", "sum", "mean", "max", "min" };

	return (size_t)fold < sizeof(names) / sizeof(*names) ? names[fold] : "";
}
