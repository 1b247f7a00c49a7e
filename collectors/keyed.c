/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collectors/keyed.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/take.h"
#include "collectors/digits.h"

/* "Node 12 " in front of a key. Where it is not, `at`. */
static const char *past_node(const char *at, const char *end)
{
	const char *node;
	uint64_t number;

	if (end - at < 8 || memcmp(at, "Node ", 5) != 0)
		return at;
	node = digits_u64(at + 5, end, &number);
	return node && node < end && *node == ' ' ? node + 1 : at;
}

/* The key of the line at `at`, and what stands behind it. A key ends at its colon; without one, at the first blank. */
static bool cut_key(const char *at, const char *line_end, struct text *key, const char **behind)
{
	const char *stop = memchr(at, ':', (size_t)(line_end - at));

	if (!stop)
		for (stop = at; stop < line_end && !is_blank(*stop);)
			stop++;
	if (stop == at || stop == line_end)
		return false;
	*behind = stop + 1;
	while (stop > at && is_blank(stop[-1]))
		stop--;
	*key = (struct text){ at, stop };
	return stop > at;
}

/* A number, which may be negative, and nothing glued to it. */
static const char *cut_number(const char *at, const char *end, uint64_t *ret)
{
	bool negative;

	at = skip_blanks(at, end);
	negative = at < end && *at == '-';
	at = digits_u64(at + negative, end, ret);
	if (!at || !is_number_end(at, end))
		return NULL;
	if (negative)
		*ret = 0 - *ret;
	return at;
}

/* ---- open ---- */

static int make_room(struct keyed *k)
{
	size_t room = k->room ? 2 * k->room : 64;
	struct metric *metrics = realloc(k->metrics, room * sizeof(*metrics));
	char *stops;

	if (!metrics)
		return -ENOMEM;
	k->metrics = metrics;
	stops = realloc(k->stops, room);
	if (!stops)
		return -ENOMEM;
	k->stops = stops;
	k->room = room;
	return 0;
}

static int learn_line(struct keyed *k, struct text line, struct err *err)
{
	struct text key;
	const char *behind;
	uint64_t ignored;
	struct metric *metric;
	size_t count = k->keys.count;
	int row;

	line.at = past_node(line.at, line.end);
	if (!cut_key(line.at, line.end, &key, &behind))
		return 0;
	row = names_add(&k->keys, key);
	if (row < 0)
		return err_set(err, -ENOMEM, "%s: no memory", k->collector->name);
	if ((size_t)row < count)
		return 0;
	if (count == k->room && make_room(k) < 0)
		return err_set(err, -ENOMEM, "%s: no memory", k->collector->name);
	k->stops[row] = key.end + 1 == behind ? *key.end : '\0'; /* blanks before the colon: never guessed */
	metric = &k->metrics[row];
	metric->name = names_at(&k->keys, row);
	hint_apply(k->collector->hints, metric);
	behind = cut_number(behind, line.end, &ignored);
	if (behind && text_is(text_trim((struct text){ behind, line.end }), "kB"))
		metric->unit = UNIT_KIB;
	else if (metric->unit == UNIT_NONE)
		metric->unit = UNIT_COUNT;
	return 0;
}

static int learn_file(struct keyed *k, const struct host *host, const char *path, struct text instance, struct err *err)
{
	struct procfile *file = &k->files[k->instances.count];
	struct text rest, line;
	int r = procfile_open(file, host, path, err);
	bool unread = procfile_passes(r) && strchr(k->collector->source, '*'); /* one of many: the others' keys are its */

	if (unread && procfile_open_unread(file, host, path, err) < 0)
		return -ENOMEM;
	if (r < 0 && !unread)
		return r;
	if (names_add(&k->instances, instance) < 0) {
		procfile_close(file);
		return err_set(err, -ENOMEM, "%s: no memory", path);
	}
	rest = procfile_first(file);
	r = 0;
	while (r == 0 && text_line(&rest, &line))
		r = learn_line(k, line, err);
	return r;
}

/* What the component of `pattern` that holds the '*' is in `path`: "node8". `ret_folder` ends before it. */
static struct text component_of(const char *pattern, const char *path, size_t *ret_folder)
{
	size_t at = (size_t)(strchr(pattern, '*') - pattern);
	size_t length;

	while (at > 0 && pattern[at - 1] != '/')
		at--;
	*ret_folder = at;
	length = strcspn(path + at, "/");
	return text_n(path + at, length);
}

/* Every file that matches; one that cannot be read is not among the instances, unless none can. */
static int learn_files(struct keyed *k, const struct host *host, const char *pattern, struct err *err)
{
	struct names paths = { 0 };
	char online[128];
	size_t folder = 0;
	int r = host_glob(host, pattern, &paths, err);

	if (r == 0 && paths.count == 0)
		r = err_set(err, -ENOENT, "%s: no such file", pattern);
	if (r < 0)
		goto out;
	k->files = calloc(paths.count, sizeof(*k->files));
	if (!k->files)
		r = err_set(err, -ENOMEM, "%s: no memory", pattern);
	for (size_t i = 0; i < paths.count && r != -ENOMEM; i++)
		r = learn_file(k, host, paths.at[i], component_of(pattern, paths.at[i], &folder), err);
	if (r != -ENOMEM && k->instances.count > 0)
		r = 0;
	if (r == 0 && (size_t)snprintf(online, sizeof(online), "%.*sonline", (int)folder, pattern) < sizeof(online))
		r = watch_open(&k->online, host, online, err);
out:
	names_free(&paths);
	return r;
}

int keyed_open(const struct collector *self, void *state, const struct host *host, struct err *err)
{
	struct keyed *k = state;
	struct text source = text_of(self->source), pattern;
	cleanup_free char *path = NULL;
	int r;

	k->collector = self;
	if (!text_word(&source, &pattern) || !(path = text_copy(pattern)))
		return err_set(err, -ENOMEM, "%s: no memory", self->name);
	if (strchr(path, '*')) {
		r = learn_files(k, host, path, err);
	} else {
		k->files = calloc(1, sizeof(*k->files));
		if (!k->files)
			return err_set(err, -ENOMEM, "%s: no memory", self->name);
		r = learn_file(k, host, path, text_of(""), err);
	}
	k->shape = (struct shape){
		.collector = self->name,
		.metrics = k->metrics,
		.metric_count = k->keys.count,
		.instances = (const char *const *)k->instances.at,
		.instance_count = k->instances.count,
	};
	return r;
}

const struct shape *keyed_shape(const void *state)
{
	return &((const struct keyed *)state)->shape;
}

/* ---- sample ---- */

/* The row of the line at `at`: `guess`, if the line begins with that row's key, as nearly always. -1: no key there.
 * -2: a key that no row has. */
static int row_of(const struct keyed *k, const char *at, const char *end, size_t guess, const char **behind)
{
	const char *newline;
	struct text key;
	int row;

	if (guess < k->keys.count) {
		size_t length = k->keys.length[guess];

		if ((size_t)(end - at) > length && memcmp(at, k->keys.at[guess], length) == 0 &&
		    at[length] == k->stops[guess]) {
			*behind = at + length + 1;
			return (int)guess;
		}
	}
	newline = memchr(at, '\n', (size_t)(end - at));
	if (!cut_key(at, newline ? newline : end, &key, behind))
		return -1;
	row = names_find(&k->keys, key, -1);
	return row < 0 ? -2 : row;
}

static int take_file(struct keyed *k, size_t instance, struct text text, struct sample *out, struct err *err)
{
	const char *at = text.at, *end = text.end;
	size_t next = 0; /* the kernel's order rarely changes: guess the row after the last */
	int r = 0;

	while (at < end) {
		const char *behind, *number;
		uint64_t value;
		int row;

		at = past_node(at, end);
		row = row_of(k, at, end, next, &behind);
		if (row == -2)
			return err_set(err, -ESTALE, "%s: new key", k->files[instance].path);
		if (row < 0) {
			at = next_line(at, end);
			continue;
		}
		number = cut_number(behind, end, &value);
		if (!number) {
			r = err_set(err, -EBADMSG, "%s: no number after %s", k->files[instance].path,
				    names_at(&k->keys, row));
			number = at;
		} else if ((size_t)row == next || !sample_has(out, sample_slot(out, (size_t)row, instance))) {
			sample_put(out, (size_t)row, instance, value);
			next = (size_t)row + 1;
		}
		at = next_line(number, end);
	}
	return r;
}

int keyed_sample(void *state, struct sample *out, struct err *err)
{
	struct keyed *k = state;
	struct text text;
	int failed = watch_check(&k->online, err);

	for (size_t i = 0; i < k->shape.instance_count && failed != -ESTALE; i++) {
		int r = procfile_read(&k->files[i], &text, err);

		if (r == -ENODEV || r == -ENOENT)
			r = -ESTALE; /* the node went away */
		if (r == 0)
			r = take_file(k, i, text, out, err);
		if (r < 0)
			failed = r;
	}
	if (failed < 0)
		err->code = failed;
	return failed;
}

void keyed_close(void *state)
{
	struct keyed *k = state;

	for (size_t i = 0; i < k->instances.count; i++)
		procfile_close(&k->files[i]);
	free(k->files);
	free(k->metrics);
	free(k->stops);
	names_free(&k->keys);
	names_free(&k->instances);
	watch_close(&k->online);
}
