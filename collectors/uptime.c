/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 *   57437.22 228971.97     seconds since boot; seconds that all CPUs together were idle
 */
#include <errno.h>

#include "collectors/collector.h"
#include "host/procfile.h"

static const char *const names[] = { "boot", "idle" };
static const char *const instances[] = { "" };

#define METRICS (sizeof(names) / sizeof(*names))

struct uptime {
	struct procfile file;
	struct metric metrics[METRICS];
	struct shape shape;
};

static const struct hint hints[] = {
	/* key    kind   unit          help                                           exponent */
	{ "boot", GAUGE, UNIT_SECONDS, "Time since boot, suspended time included.",    2 },
	{ "idle", GAUGE, UNIT_SECONDS, "Time in which CPUs were idle, summed up.",     2 },
	{ 0 },
};

static int uptime_open(const struct collector *self, void *state, const struct host *host, struct err *err)
{
	struct uptime *u = state;

	for (size_t i = 0; i < METRICS; i++) {
		u->metrics[i].name = names[i];
		hint_apply(hints, &u->metrics[i]);
	}
	u->shape = (struct shape){ .collector = self->name,
				   .metrics = u->metrics,
				   .metric_count = METRICS,
				   .instances = instances,
				   .instance_count = 1 };
	return procfile_open(&u->file, host, self->source, err);
}

static const struct shape *uptime_shape(const void *state)
{
	return &((const struct uptime *)state)->shape;
}

static int uptime_sample(void *state, struct sample *out, struct err *err)
{
	struct uptime *u = state;
	struct text text;
	int r = procfile_read(&u->file, &text, err);

	for (size_t i = 0; i < METRICS && r == 0; i++) {
		int64_t value;

		if (text_decimal(&text, 2, &value))
			sample_put(out, i, 0, (uint64_t)value);
		else
			r = err_set(err, -EBADMSG, "%s: no number for %s", u->file.path, names[i]);
	}
	return r;
}

static void uptime_close(void *state)
{
	procfile_close(&((struct uptime *)state)->file);
}

const struct collector collector_uptime = {
	.name = "uptime",
	.description = "Time since boot, and the idle share of it",
	.source = "proc/uptime",
	.hints = hints,
	.state_size = sizeof(struct uptime),
	.interval_ms = 10000,
	.open = uptime_open,
	.shape = uptime_shape,
	.sample = uptime_sample,
	.close = uptime_close,
};
