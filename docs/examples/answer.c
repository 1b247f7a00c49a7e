/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A collector outside the tree of assay, whole:
 *
 *   cc -shared -fPIC $(pkg-config --cflags assay) answer.c -o answer.so
 *   ASSAY_PLUGINS=$PWD assay sample -c answer
 *
 * It reads /proc/sys/kernel/pid_max and the count of threads of /proc/loadavg: "0.20 0.18 0.12 1/80 11206".
 */
#include <assay/collector.h>
#include <errno.h>

static const char *const names[] = { "pid_max", "threads" };
static const char *const instances[] = { "" };

static const struct hint hints[] = {
	/* key        kind   unit        help */
	{ "pid_max", GAUGE, UNIT_COUNT, "How many tasks there may be." },
	{ "threads", GAUGE, UNIT_COUNT, "How many there are." },
	{ 0 },
};

struct answer {
	struct procfile most, load;
	struct metric metrics[2];
	struct shape shape;
};

static int answer_open(const struct collector *self, void *state, const struct host *host, struct err *err)
{
	struct answer *a = state;
	int r;

	for (int i = 0; i < 2; i++) {
		a->metrics[i].name = names[i];
		hint_apply(hints, &a->metrics[i]);
	}
	a->shape = (struct shape){ .collector = self->name,
				   .metrics = a->metrics,
				   .metric_count = 2,
				   .instances = instances,
				   .instance_count = 1 };
	r = procfile_open(&a->most, host, "proc/sys/kernel/pid_max", err);
	return r < 0 ? r : procfile_open(&a->load, host, "proc/loadavg", err);
}

static const struct shape *answer_shape(const void *state)
{
	return &((const struct answer *)state)->shape;
}

static int answer_sample(void *state, struct sample *out, struct err *err)
{
	struct answer *a = state;
	struct text text, before;
	uint64_t value;
	int r = procfile_read(&a->most, &text, err);

	if (r < 0)
		return r;
	if (!text_u64(&text, &value))
		return err_set(err, -EBADMSG, "%s: no number", a->most.path);
	sample_put(out, 0, 0, value);
	r = procfile_read(&a->load, &text, err);
	if (r < 0)
		return r;
	if (!text_cut(&text, "/", &before) || !text_u64(&text, &value))
		return err_set(err, -EBADMSG, "%s: no count of threads", a->load.path);
	sample_put(out, 1, 0, value);
	return 0;
}

static void answer_close(void *state)
{
	struct answer *a = state;

	procfile_close(&a->most);
	procfile_close(&a->load);
}

static const struct collector answer = {
	.name = "answer",
	.description = "How many tasks there are, and may be",
	.source = "proc/sys/kernel/pid_max proc/loadavg",
	.hints = hints,
	.state_size = sizeof(struct answer),
	.open = answer_open,
	.shape = answer_shape,
	.sample = answer_sample,
	.close = answer_close,
};

ASSAY_COLLECTOR(answer);
