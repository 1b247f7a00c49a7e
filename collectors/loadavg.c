/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 *   0.20 0.18 0.12 1/80 11206     load of 1, 5 and 15 minutes; running / all tasks; the last process id given
 */
#include <errno.h>

#include "collectors/collector.h"
#include "host/procfile.h"

static const char *const instances[] = { "" };

static const struct metric metrics[] = {
	{ "1min", GAUGE, UNIT_NONE, 2, FOLD_NONE },
	{ "5min", GAUGE, UNIT_NONE, 2, FOLD_NONE },
	{ "15min", GAUGE, UNIT_NONE, 2, FOLD_NONE },
	{ "running", GAUGE, UNIT_COUNT, 0, FOLD_NONE },
	{ "tasks", GAUGE, UNIT_COUNT, 0, FOLD_NONE },
};

#define AVERAGES 3
#define METRICS  (sizeof(metrics) / sizeof(*metrics))

static const struct hint hints[] = {
	/* key      kind   unit        help                                                        exponent */
	{ "*min",    GAUGE, UNIT_NONE,  "Tasks that run or wait for a disk, averaged with this time constant.", 2 },
	{ "running", GAUGE, UNIT_COUNT, "Tasks that run or could." },
	{ "tasks",   GAUGE, UNIT_COUNT, "Tasks there are: processes and their threads." },
	{ 0 },
};

struct loadavg {
	struct procfile file;
	struct shape shape;
};

static int loadavg_open(const struct collector *self, void *state, const struct host *host, struct err *err)
{
	struct loadavg *l = state;

	l->shape = (struct shape){ .collector = self->name,
				   .metrics = metrics,
				   .metric_count = METRICS,
				   .instances = instances,
				   .instance_count = 1 };
	return procfile_open(&l->file, host, self->source, err);
}

static const struct shape *loadavg_shape(const void *state)
{
	return &((const struct loadavg *)state)->shape;
}

static int loadavg_sample(void *state, struct sample *out, struct err *err)
{
	struct loadavg *l = state;
	uint64_t running, tasks;
	struct text text;
	int r = procfile_read(&l->file, &text, err);

	for (size_t i = 0; i < AVERAGES && r == 0; i++) {
		int64_t value;

		if (text_decimal(&text, 2, &value))
			sample_put(out, i, 0, (uint64_t)value);
		else
			r = err_set(err, -EBADMSG, "%s: no number for %s", l->file.path, metrics[i].name);
	}
	if (r < 0)
		return r;
	if (!text_u64(&text, &running) || !text_skip(&text, "/") || !text_u64(&text, &tasks))
		return err_set(err, -EBADMSG, "%s: no running/all tasks behind the averages", l->file.path);
	sample_put(out, AVERAGES, 0, running);
	sample_put(out, AVERAGES + 1, 0, tasks);
	return 0;
}

static void loadavg_close(void *state)
{
	procfile_close(&((struct loadavg *)state)->file);
}

const struct collector collector_loadavg = {
	.name = "loadavg",
	.description = "Tasks that run or wait, averaged over minutes",
	.source = "proc/loadavg",
	.hints = hints,
	.state_size = sizeof(struct loadavg),
	.open = loadavg_open,
	.shape = loadavg_shape,
	.sample = loadavg_sample,
	.close = loadavg_close,
};
