/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 *   some avg10=0.12 avg60=0.05 avg300=0.01 total=111749368752     percent; microseconds
 *   full avg10=0.00 avg60=0.00 avg300=0.00 total=100648410
 *
 * Each line stands for itself: before 5.13 the cpu has no "full", and irq never has a "some".
 */
#include <errno.h>

#include "collectors/collector.h"
#include "host/procfile.h"

#define FILES  4
#define HEADS  2
#define FIELDS 4

static const char *const paths[FILES] = {
	"proc/pressure/cpu",
	"proc/pressure/io",
	"proc/pressure/irq",
	"proc/pressure/memory",
};
static const char *const heads[HEADS] = { "some ", "full " };
static const char *const fields[FIELDS] = { "avg10=", "avg60=", "avg300=", "total=" };
static const char *const names[HEADS * FIELDS] = {
	"some.avg10", "some.avg60", "some.avg300", "some.total", "full.avg10", "full.avg60", "full.avg300", "full.total",
};

struct pressure {
	bool full;
	struct procfile file[FILES];
	const char *instances[FILES];
	size_t files; /* those that are there */
	struct metric metrics[HEADS * FIELDS];
	struct shape shape;
};

static const struct option options[] = {
	{ "full", OPT_BOOL, offsetof(struct pressure, full), "yes", "Tell also when every task waited." },
	{ 0 },
};

static const struct hint hints[] = {
	/* key          kind     unit               help                                exponent */
	{ "some.total", COUNTER, UNIT_MICROSECONDS, "Time in which a task had to wait.", 0 },
	{ "full.total", COUNTER, UNIT_MICROSECONDS, "Time in which no task could run.",  0 },
	{ "*.avg*",     GAUGE,   UNIT_PERCENT,      "The kernel's own moving average.",  2 },
	{ 0 },
};

static int pressure_open(const struct collector *self, void *state, const struct host *host, struct err *err)
{
	struct pressure *p = state;
	int r = 0;

	for (size_t i = 0; i < FILES; i++) {
		struct err why;
		int failed = procfile_open(&p->file[p->files], host, paths[i], &why);

		if (failed == 0)
			p->instances[p->files++] = paths[i] + strlen("proc/pressure/");
		else if (r == 0)
			r = err_set(err, failed, "%s%s", why.text,
				    failed == -EOPNOTSUPP ? ": boot with psi=1 to have it" : "");
	}
	for (size_t i = 0; i < HEADS * FIELDS; i++) {
		p->metrics[i].name = names[i];
		hint_apply(hints, &p->metrics[i]);
	}
	p->shape = (struct shape){ .collector = self->name,
				   .metrics = p->metrics,
				   .metric_count = (p->full ? HEADS : 1) * FIELDS,
				   .instances = p->instances,
				   .instance_count = p->files };
	return p->files ? 0 : r;
}

static const struct shape *pressure_shape(const void *state)
{
	return &((const struct pressure *)state)->shape;
}

static int take_line(struct pressure *p, size_t file, size_t head, struct text line, struct sample *out,
		     struct err *err)
{
	for (size_t i = 0; i < FIELDS; i++) {
		size_t metric = head * FIELDS + i;
		int64_t value;

		text_skip_blanks(&line);
		if (!text_skip(&line, fields[i]) || !text_decimal(&line, p->metrics[metric].exponent, &value))
			return err_set(err, -EBADMSG, "%s: no number for %s", p->file[file].path, names[metric]);
		sample_put(out, metric, file, (uint64_t)value);
	}
	return 0;
}

static int pressure_sample(void *state, struct sample *out, struct err *err)
{
	struct pressure *p = state;
	int failed = 0;

	for (size_t i = 0; i < p->files; i++) {
		struct text rest, line;
		int r = procfile_read(&p->file[i], &rest, err);

		while (r == 0 && text_line(&rest, &line))
			for (size_t head = 0; head < (p->full ? HEADS : 1) && r == 0; head++)
				if (text_skip(&line, heads[head]))
					r = take_line(p, i, head, line, out, err);
		if (r < 0)
			failed = r;
	}
	return failed;
}

static void pressure_close(void *state)
{
	struct pressure *p = state;

	for (size_t i = 0; i < p->files; i++)
		procfile_close(&p->file[i]);
}

const struct collector collector_pressure = {
	.name = "pressure",
	.description = "Time lost to waiting for cpu, disks, interrupts and memory",
	.source = "proc/pressure/*",
	.options = options,
	.hints = hints,
	.state_size = sizeof(struct pressure),
	.open = pressure_open,
	.shape = pressure_shape,
	.sample = pressure_sample,
	.close = pressure_close,
};
