/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collectors/layout.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "collectors/digits.h"
#include "collectors/grow.h"

static bool is_between(char c)
{
	return is_blank(c) || c == ',' || c == '(' || c == ')' || c == '>' || c == '\r';
}

static const char *skip_between(const char *at, const char *end)
{
	for (at = skip_blanks(at, end); at < end && is_between(*at);)
		at++;
	return at;
}

static bool is_word_end(const char *at, const char *end)
{
	return at == end || *at == '\n' || is_between(*at);
}

/* ---- open ---- */

static int no_memory(const struct layout *l, struct err *err)
{
	return err_set(err, -ENOMEM, "%s: no memory", l->collector->name);
}

int layout_open(struct layout *l, const struct collector *self, const struct host *host, struct err *err)
{
	l->collector = self;
	return procfile_open(&l->file, host, self->source, err);
}

int layout_begin(struct layout *l, struct text beginning, struct err *err)
{
	int row = names_add(&l->beginnings, beginning);

	if (row < 0 || !grow(&l->lines, l->line_count, &l->line_room, sizeof(*l->lines)))
		return no_memory(l, err);
	l->lines[l->line_count++] = (struct layout_line){ .beginning = (uint32_t)row };
	return 0;
}

static int learn_metric(struct layout *l, const char *name)
{
	size_t count = l->names.count;
	int row = names_add(&l->names, text_of(name));

	if (row < 0 || (size_t)row < count)
		return row;
	if (!grow(&l->metrics, count, &l->metric_room, sizeof(*l->metrics)))
		return -ENOMEM;
	l->metrics[row] = (struct metric){ .name = names_at(&l->names, row) };
	hint_apply(l->collector->hints, &l->metrics[row]);
	return row;
}

static int add_word(struct layout *l, struct layout_word word, struct err *err)
{
	if (!grow(&l->words, l->word_count, &l->word_room, sizeof(*l->words)))
		return no_memory(l, err);
	l->words[l->word_count++] = word;
	l->lines[l->line_count - 1].words++;
	return 0;
}

int layout_name(struct layout *l, const char *metric, const char *instance, struct err *err)
{
	struct layout_word word = { LAYOUT_NOTHING, LAYOUT_NOTHING };

	if (metric) {
		int row = learn_metric(l, metric), column = names_add(&l->instances, text_of(instance));

		if (row < 0 || column < 0)
			return no_memory(l, err);
		word = (struct layout_word){ (uint32_t)row, (uint32_t)column };
	}
	return add_word(l, word, err);
}

int layout_word(struct layout *l, struct text word, struct err *err)
{
	int row = names_add(&l->beginnings, word);

	return row < 0 ? no_memory(l, err) : add_word(l, (struct layout_word){ LAYOUT_NOTHING, (uint32_t)row }, err);
}

bool layout_next(struct text *rest, struct text *word)
{
	rest->at = skip_between(rest->at, rest->end);
	word->at = rest->at;
	while (!is_word_end(rest->at, rest->end))
		rest->at++;
	word->end = rest->at;
	return word->at < word->end;
}

int layout_name_all(struct layout *l, struct text rest, const char *prefix, const char *instance, struct err *err)
{
	struct text word;
	char name[64];
	int r = 0;

	for (unsigned i = 0; r == 0 && layout_next(&rest, &word); i++) {
		(void)snprintf(name, sizeof(name), "%s%u", prefix, i);
		r = layout_name(l, name, instance, err);
	}
	return r;
}

void layout_end(struct layout *l)
{
	l->shape = (struct shape){
		.collector = l->collector->name,
		.metrics = l->metrics,
		.metric_count = l->names.count,
		.instances = (const char *const *)l->instances.at,
		.instance_count = l->instances.count,
	};
}

const struct shape *layout_shape(const void *state)
{
	return &((const struct layout *)state)->shape;
}

/* ---- sample ---- */

/* A number and nothing glued to it, or NULL. */
static const char *take_number(const char *at, const char *end, int exponent, uint64_t *ret)
{
	at = digits_decimal(at, end, exponent, ret);
	return at && is_word_end(at, end) ? at : NULL;
}

static bool is_word(const struct layout *l, uint32_t row, const char *at, const char *end)
{
	return text_same((struct text){ at, end }, text_n(l->beginnings.at[row], l->beginnings.length[row]));
}

/* The words of a line from `at` on. Returns where the last one ends; NULL: there are fewer, or other ones. */
static const char *take_words(const struct layout *l, const char *path, const struct layout_line *line, size_t first,
			      const char *at, const char *end, struct sample *out, int *bad, struct err *err)
{
	for (uint32_t i = 0; i < line->words; i++) {
		const struct layout_word *word = &l->words[first + i];
		const char *begin = skip_between(at, end), *behind;
		uint64_t value;

		if (begin == end || *begin == '\n')
			return NULL;
		behind = word->metric == LAYOUT_NOTHING ?
				 NULL :
				 take_number(begin, end, l->metrics[word->metric].exponent, &value);
		if (behind) {
			at = behind;
			if (!sample_has(out, sample_slot(out, word->metric, word->instance)))
				sample_put(out, word->metric, word->instance, value);
			continue;
		}
		for (at = begin; !is_word_end(at, end);)
			at++;
		if (word->metric != LAYOUT_NOTHING)
			*bad = err_set(err, -EBADMSG, "%s: no number for %s", path, l->metrics[word->metric].name);
		else if (word->instance != LAYOUT_NOTHING && !is_word(l, word->instance, begin, at))
			return NULL;
	}
	return at;
}

/* Past a line that is of no interest. */
static bool skip_line(const struct layout *l, struct text *rest)
{
	struct text behind = *rest, line;

	if (!l->skip || !text_line(&behind, &line) || !l->skip(line))
		return false;
	*rest = behind;
	return true;
}

/* Past a line of the layout; false when this is another one. */
static bool take_line(const struct layout *l, const char *path, const struct layout_line *line, size_t word,
		      struct text *rest, struct sample *out, int *bad, struct err *err)
{
	size_t length = l->beginnings.length[line->beginning];
	const char *behind;

	if (text_len(*rest) < length || memcmp(rest->at, l->beginnings.at[line->beginning], length) != 0 ||
	    !is_word_end(rest->at + length, rest->end))
		return false;
	behind = take_words(l, path, line, word, rest->at + length, rest->end, out, bad, err);
	behind = behind ? skip_between(behind, rest->end) : NULL;
	if (!behind || (behind < rest->end && *behind != '\n'))
		return false;
	rest->at = behind < rest->end ? behind + 1 : behind;
	return true;
}

int layout_take(struct layout *l, const struct layout_part *part, struct text text, struct sample *out, struct err *err)
{
	size_t word = part->first_word;
	int bad = 0;

	for (size_t i = part->from; i < part->to; word += l->lines[i++].words)
		while (text.at == text.end || !take_line(l, part->path, &l->lines[i], word, &text, out, &bad, err))
			if (!skip_line(l, &text))
				return err_set(err, -ESTALE, "%s: other lines than before", part->path);
	while (text.at < text.end)
		if (!skip_line(l, &text))
			return err_set(err, -ESTALE, "%s: other lines than before", part->path);
	return bad;
}

int layout_sample(void *state, struct sample *out, struct err *err)
{
	struct layout *l = state;
	struct layout_part whole = { .path = l->file.path, .to = l->line_count };
	struct text text;
	int r = procfile_read(&l->file, &text, err);

	return r < 0 ? r : layout_take(l, &whole, text, out, err);
}

void layout_close(void *state)
{
	struct layout *l = state;

	procfile_close(&l->file);
	free(l->lines);
	free(l->words);
	free(l->metrics);
	names_free(&l->beginnings);
	names_free(&l->names);
	names_free(&l->instances);
}
