/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collectors/exec.h"

#include <errno.h>
#include <stdlib.h>

#include "base/take.h"
#include "collectors/child.h"
#include "collectors/exec_line.h"
#include "host/clock.h"

#define NAMES_MOST  4096 /* a program that makes up new ones has the old forgotten */
#define FIRST_MS    500	 /* for the first tick */
#define PATIENCE_MS 10000

static const char *const instances[] = { "" };

struct exec_collector {
	struct collector collector; /* its `self` leads here */
	char *name, *description;
	char **argv;
	uint64_t patience_ns;
};

struct exec_state {
	struct child *child;
	struct names names; /* of all that it ever told, in this order */
	struct metric *metrics;
	size_t room;
	struct shape shape;
};

static const struct exec_collector *plan_of(const struct collector *self)
{
	return (const struct exec_collector *)((const char *)self - offsetof(struct exec_collector, collector));
}

static int exec_probe(const struct collector *self, const struct host *host, struct err *err)
{
	const struct exec_collector *plan = plan_of(self);

	if (!host->live)
		return err_set(err, -ENOTSUP, "%s: a program runs on this machine only, not in a recorded tree",
			       plan->name);
	return child_look(plan->name, (const char *const *)plan->argv, err);
}

/* ---- names ---- */

static int learn(struct exec_state *e, const struct exec_line *line)
{
	int row = names_add(&e->names, line->name);
	struct metric *m;

	if (row < 0)
		return row;
	if ((size_t)row == e->room) {
		size_t room = e->room ? 2 * e->room : 32;
		struct metric *grown = realloc(e->metrics, room * sizeof(*grown));

		if (!grown)
			return -ENOMEM;
		memset(grown + e->room, 0, (room - e->room) * sizeof(*grown));
		e->metrics = grown;
		e->room = room;
	}
	m = &e->metrics[row];
	if (!m->name) {
		m->kind = line->kind;
		m->unit = line->unit;
	}
	m->name = names_at(&e->names, row);
	if (line->exponent > m->exponent)
		m->exponent = line->exponent;
	return 0;
}

static void forget(struct exec_state *e)
{
	names_free(&e->names);
	free(e->metrics);
	e->metrics = NULL;
	e->room = 0;
}

static int learn_all(struct exec_state *e, struct err *err)
{
	struct text rest = e->child->fresh ? e->child->tick : text_of(""), line;
	struct exec_line read;
	struct err ignored;

	if (e->names.count > NAMES_MOST)
		forget(e);
	while (text_line(&rest, &line))
		if (exec_line_read(line, &read, &ignored) == 0 && learn(e, &read) < 0)
			return err_set(err, -ENOMEM, "%s: no memory", e->child->name);
	return 0;
}

/* ---- the collector ---- */

static int exec_open(const struct collector *self, void *state, const struct host *host, struct err *err)
{
	const struct exec_collector *plan = plan_of(self);
	struct exec_state *e = state;
	int r;

	if (!e->child) {
		e->child = calloc(1, sizeof(*e->child));
		if (!e->child)
			return err_set(err, -ENOMEM, "%s: no memory", self->name);
		e->child->name = plan->name;
		e->child->argv = (const char *const *)plan->argv;
		e->child->patience_ns = plan->patience_ns;
		child_wait(e->child, FIRST_MS);
	}
	r = learn_all(e, err);
	e->shape = (struct shape){ .collector = self->name,
				   .metrics = e->metrics,
				   .metric_count = e->names.count,
				   .instances = instances,
				   .instance_count = 1 };
	return r;
}

static const struct shape *exec_shape(const void *state)
{
	return &((const struct exec_state *)state)->shape;
}

static int put(const struct exec_state *e, const struct exec_line *line, int *guess, struct sample *out,
	       struct err *err)
{
	int row = names_find(&e->names, line->name, *guess);
	uint64_t value;

	if (row < 0)
		return err_set(err, -ESTALE, "%s: new name %.*s", e->child->name, TEXT_ARGS(line->name));
	if (line->exponent > e->metrics[row].exponent)
		return err_set(err, -ESTALE, "%s: more digits in %.*s", e->child->name, TEXT_ARGS(line->name));
	*guess = row + 1;
	if (!exec_line_value(line, e->metrics[row].exponent, &value))
		return err_set(err, -EBADMSG, "%s: the value of %.*s is too large", e->child->name,
			       TEXT_ARGS(line->name));
	sample_put(out, (size_t)row, 0, value);
	return 0;
}

static int exec_sample(void *state, struct sample *out, struct err *err)
{
	struct exec_state *e = state;
	struct text rest, line;
	struct exec_line read;
	int r = child_turn(e->child, clock_monotonic(), err), guess = 0, result = 0;

	if (r < 0 || !e->child->fresh)
		return r;
	rest = e->child->tick;
	while (text_line(&rest, &line)) {
		r = exec_line_read(line, &read, err);
		if (r < 0)
			(void)err_prefix(err, "%s: ", e->child->name);
		else
			r = put(e, &read, &guess, out, err);
		if (r == -ESTALE)
			return r; /* the tick stays: it is read again when its names are known */
		result = r < 0 ? r : result;
	}
	e->child->fresh = false;
	return result;
}

static void exec_inherit(void *state, void *old)
{
	struct exec_state *to = state, *from = old;

	to->child = take(&from->child);
	to->names = from->names;
	to->metrics = take(&from->metrics);
	to->room = from->room;
	from->names = (struct names){ 0 };
}

static void exec_close(void *state)
{
	struct exec_state *e = state;

	if (e->child)
		child_end(e->child);
	free(e->child);
	forget(e);
}

/* ---- making one ---- */

int exec_make(const struct exec_plan *plan, const struct collector **ret, struct err *err)
{
	struct exec_collector *e = calloc(1, sizeof(*e));
	unsigned interval_ms = plan->interval_ms ? plan->interval_ms : 1000;
	size_t count = 0;
	bool whole;

	while (plan->argv[count])
		count++;
	if (!e)
		return err_set(err, -ENOMEM, "%s: no memory", plan->name);
	e->name = strdup(plan->name);
	e->description = strdup(plan->description);
	e->argv = calloc(count + 1, sizeof(*e->argv));
	whole = e->name && e->description && e->argv;
	for (size_t i = 0; whole && i < count; i++)
		whole = (e->argv[i] = strdup(plan->argv[i])) != NULL;
	e->patience_ns = (plan->patience_ms ? plan->patience_ms : PATIENCE_MS + 3 * (uint64_t)interval_ms) * 1000000;
	e->collector = (struct collector){ .name = e->name,
					   .description = e->description,
					   .source = "", /* no file of the kernel */
					   .state_size = sizeof(struct exec_state),
					   .interval_ms = plan->interval_ms,
					   .dear = true, /* to start a process takes its time */
					   .probe = exec_probe,
					   .open = exec_open,
					   .shape = exec_shape,
					   .sample = exec_sample,
					   .close = exec_close,
					   .inherit = exec_inherit };
	*ret = &e->collector;
	if (whole)
		return 0;
	exec_free(*ret);
	return err_set(err, -ENOMEM, "%s: no memory", plan->name);
}

void exec_free(const struct collector *c)
{
	struct exec_collector *e = (struct exec_collector *)plan_of(c);

	for (char **word = e->argv; word && *word; word++)
		free(*word);
	free(e->argv);
	free(e->name);
	free(e->description);
	free(e);
}
