/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <stdlib.h>

#include "base/take.h"
#include "collectors/collector.h"
#include "host/clock.h"

#define SLOTS_MOST ((size_t)16 << 20) /* of one shape; a machine of 4096 CPUs and 1024 interrupts has a quarter of it */
#define REOPENED_MOST 3                /* for one sample */

static const char *const no_instance[] = { "" };

/* What a run has that could not be opened anew: nothing, under the collector's name. */
static void shape_nothing(struct collector_run *run)
{
	run->shape.collector = run->collector->name;
	run->shape.metrics = NULL;
	run->shape.metric_count = 0;
	run->shape.instances = no_instance;
	run->shape.instance_count = 1;
}

static void close_state(struct collector_run *run)
{
	sample_free(&run->sample);
	if (run->state) {
		run->collector->close(run->state);
		options_free(run->collector->options, run->state);
		free(run->state);
	}
	run->state = NULL;
	run->is_open = false;
	shape_nothing(run);
	run->sample.shape = &run->shape;
}

/* A file with NUL bytes, such as a padded capture, can make names that end before they begin. */
static int check_names(const struct shape *shape, struct err *err)
{
	size_t whole = 0;

	for (size_t i = 0; i < shape->metric_count; i++)
		if (!*shape->metrics[i].name)
			return err_set(err, -EBADMSG, "%s: a name begins with a NUL byte", shape->collector);
	for (size_t i = 0; i < shape->instance_count; i++)
		whole += !*shape->instances[i];
	if (whole > 1)
		return err_set(err, -EBADMSG, "%s: a name begins with a NUL byte", shape->collector);
	return 0;
}

static int make_state(const struct collector_run *run, void **ret, struct err *err)
{
	const struct collector *c = run->collector;
	void *state = calloc(1, c->state_size ? c->state_size : 1);
	int r;

	if (!state)
		return err_set(err, -ENOMEM, "%s: no memory", c->name);
	r = options_default(c->options, state, err);
	for (const char *const *o = run->options; r == 0 && o && o[0]; o += 2)
		r = option_set(c->options, state, o[0], o[1], err);
	if (r < 0) {
		options_free(c->options, state);
		free(state);
		return r;
	}
	*ret = state;
	return 0;
}

/* One that is open is closed before. */
static int open_state(struct collector_run *run, struct err *err)
{
	const struct collector *c = run->collector;
	const struct shape *found = NULL;
	uint32_t generation = run->shape.generation + 1;
	void *state = NULL;
	int r = make_state(run, &state, err);

	if (r == 0 && run->state && c->inherit)
		c->inherit(state, run->state);
	close_state(run);
	if (r < 0)
		return r;
	run->state = state;
	run->opened_ns = run->host->fresh_ns ? clock_monotonic() : 0;
	r = c->open(c, state, run->host, err);
	if (r == 0) {
		found = c->shape(state);
		if (found->instance_count > 0 && found->metric_count > SLOTS_MOST / found->instance_count)
			r = err_set(err, -E2BIG, "%s: %zu x %zu numbers are more than can be recorded", c->name,
				    found->metric_count, found->instance_count);
	}
	if (r == 0) {
		run->shape = *found;
		if (found->instance_count == 0)
			shape_nothing(run); /* a file without a line, as of a machine without a disk */
		run->shape.generation = generation;
		r = check_names(&run->shape, err);
	}
	if (r == 0)
		r = sample_init(&run->sample, &run->shape, err);
	if (r < 0) {
		close_state(run);
		return r;
	}
	run->is_open = true;
	return 0;
}

void collector_run_later(struct collector_run *run, const struct collector *c, const struct host *host,
			 const char *const *options)
{
	*run = (struct collector_run){ .collector = c, .host = host, .options = options };
	shape_nothing(run);
	run->sample.shape = &run->shape;
}

int collector_run_open(struct collector_run *run, const struct collector *c, const struct host *host,
		       const char *const *options, struct err *err)
{
	collector_run_later(run, c, host, options);
	return open_state(run, err);
}

bool collector_is_of_levels(const struct collector *c)
{
	if (!c->hints || !c->hints[0].key)
		return false;
	for (const struct hint *h = c->hints; h->key; h++)
		if (h->kind != GAUGE)
			return false;
	return true;
}

static int sample_once(struct collector_run *run, struct err *err)
{
	sample_clear(&run->sample);
	return run->collector->sample(run->state, &run->sample, err);
}

int collector_run_sample(struct collector_run *run, struct err *err)
{
	uint64_t begin = clock_monotonic(), opened = run->opened_ns;
	int r = -ESTALE;

	if (run->is_open)
		r = sample_once(run, err);
	/* While a block of memory or a CPU goes, what was just learnt may be old already. */
	for (int times = 0; r == -ESTALE && times < REOPENED_MOST; times++) {
		r = open_state(run, err);
		if (r == 0)
			r = sample_once(run, err);
	}
	if (r == -ESTALE)
		sample_clear(&run->sample); /* it may hold half of what there was */
	run->sample.begin_ns = opened && begin - opened <= run->host->fresh_ns ? opened : begin;
	run->opened_ns = 0;
	run->sample.cost_ns = clock_monotonic() - begin;
	return r;
}

int collector_run_notes(const struct collector_run *run, struct pairs *ret)
{
	struct pairs notes = { 0 };
	int r = 0;

	if (run->is_open && run->collector->notes)
		r = run->collector->notes(run->state, &notes);
	for (size_t i = 0; i < notes.count && r == 0; i++) {
		cleanup_buf struct buf name = { 0 };

		(void)buf_printf(&name, "%s.%s", run->collector->name, notes.at[i].name);
		r = name.failed ? name.failed : pairs_set(ret, name.data, notes.at[i].value);
	}
	pairs_free(&notes);
	return r;
}

void collector_run_close(struct collector_run *run)
{
	if (run->collector)
		close_state(run);
}

/* A file that the first pattern of `source` names: the first that matches it. */
static int first_file(const struct collector *c, const struct host *host, char **ret, struct err *err)
{
	struct text source = text_of(c->source), pattern;
	cleanup_free char *path = NULL;
	struct names found = { 0 };
	int r = 0;

	if (!text_word(&source, &pattern))
		return err_set(err, -EINVAL, "%s: names no file", c->name);
	path = text_copy(pattern);
	if (path && strpbrk(path, "*?")) {
		r = host_glob(host, path, &found, err);
		if (r == 0 && found.count == 0)
			r = err_set(err, -ENOENT, "%s: no such file", path);
		if (r == 0) {
			free(path);
			path = text_copy(text_of(names_at(&found, 0)));
		}
		names_free(&found);
	}
	if (r == 0 && !path)
		r = err_set(err, -ENOMEM, "%s: no memory", c->name);
	if (r == 0)
		*ret = take(&path);
	return r;
}

int collector_probe(const struct collector *c, const struct host *host, struct err *err)
{
	cleanup_free char *path = NULL;
	cleanup_fd int fd = -1;
	int r;

	if (c->probe)
		return c->probe(c, host, err);
	r = first_file(c, host, &path, err);
	if (r < 0)
		return r;
	fd = host_open(host, path);
	return fd < 0 ? err_set(err, fd, "%s: %s", path, err_name(fd)) : 0;
}
