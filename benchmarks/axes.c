/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A command line -> axes, by the words of a benchmark's axes:
 *
 *   -g --groups      options whose value is the axis'           -g 50  -g50  --groups 50  --groups=50  -pg50
 *   -T=threads       an option that stands for a value          -T  -pT
 *   =process         the value when nothing else tells it
 *   #-d              how often the option (with a value) stands there
 *
 * As with getopt, the last one wins, and "--" ends the options.
 */
#include <errno.h>

#include "benchmarks/benchmark.h"

enum meaning { UNKNOWN, VALUE, FIXED, COUNTED };

struct finding {
	enum meaning meaning;
	const char *axis;
	struct text fixed;
};

/* What `option` ("-g", "--groups") says. */
static struct finding meaning_of(const struct benchmark *b, struct text option)
{
	for (size_t i = 0; i < b->axes.count; i++) {
		struct text rest = text_of(b->axes.at[i].value), word;

		while (text_word(&rest, &word)) {
			struct finding f = { VALUE, b->axes.at[i].name, { NULL, NULL } };
			struct text name = word;

			if (text_skip(&name, "#"))
				f.meaning = COUNTED;
			else if (text_cut(&word, "=", &name)) {
				f.meaning = FIXED;
				f.fixed = word;
			}
			if (text_same(name, option))
				return f;
		}
	}
	return (struct finding){ UNKNOWN, NULL, { NULL, NULL } };
}

static int count_one(struct pairs *found, const char *axis)
{
	const char *known = pairs_get(found, axis);
	struct text rest = text_of(known ? known : "0");
	uint64_t count = 0;

	(void)text_u64(&rest, &count);
	return pairs_setf(found, axis, "%llu", (unsigned long long)count + 1);
}

/* Take what was found; `value` is what stands with it (at NULL: nothing does). */
static int take_finding(const struct finding *f, struct text value, struct pairs *found)
{
	switch (f->meaning) {
	case VALUE:
		return value.at ? pairs_set_text(found, text_of(f->axis), value) : 0;
	case FIXED:
		return pairs_set_text(found, text_of(f->axis), f->fixed);
	case COUNTED:
		return value.at ? count_one(found, f->axis) : 0;
	default:
		return 0;
	}
}

static const struct text nothing = { NULL, NULL };

/* Does it use up the next argument? */
static bool wants_value(const struct finding *f)
{
	return f->meaning == VALUE || f->meaning == COUNTED;
}

/* "--groups=50", "--groups 50", "--threads", and "-runtime 5" of programs that have such. *used: the next one, too. */
static int whole_option(const struct benchmark *b, struct text argument, const char *next, struct pairs *found,
			bool *known, bool *used)
{
	struct text rest = argument, name = argument, value = nothing;
	struct finding f;

	if (text_cut(&rest, "=", &name))
		value = rest;
	f = meaning_of(b, name);
	*known = f.meaning != UNKNOWN;
	*used = wants_value(&f) && !value.at;
	if (*used && next)
		value = text_of(next);
	return take_finding(&f, value, found);
}

/* "-pTg50": letters, up to one that takes a value or that is not known. */
static int letters(const struct benchmark *b, struct text rest, const char *next, struct pairs *found, bool *used)
{
	*used = false;
	while (rest.at < rest.end) {
		const char option[2] = { '-', *rest.at++ };
		struct finding f = meaning_of(b, text_n(option, 2));
		struct text value = nothing;
		int r;

		if (f.meaning == UNKNOWN)
			return 0;
		if (wants_value(&f)) {
			*used = rest.at == rest.end;
			if (!*used)
				value = rest;
			else if (next)
				value = text_of(next);
			rest.at = rest.end;
		}
		r = take_finding(&f, value, found);
		if (r < 0)
			return r;
	}
	return 0;
}

static int read_arguments(const struct benchmark *b, char *const *argv, struct pairs *found)
{
	for (size_t i = 1; argv[0] && argv[i]; i++) {
		struct text argument = text_of(argv[i]);
		bool known, used;
		int r;

		if (text_is(argument, "--"))
			break;
		if (!text_starts(argument, "-") || text_is(argument, "-"))
			continue;
		r = whole_option(b, argument, argv[i + 1], found, &known, &used);
		if (r == 0 && !known && !text_starts(argument, "--")) {
			argument.at++;
			r = letters(b, argument, argv[i + 1], found, &used);
		}
		if (r < 0)
			return r;
		if (used && argv[i + 1])
			i++;
	}
	return 0;
}

static int set_otherwise(const struct benchmark *b, struct pairs *found)
{
	for (size_t i = 0; i < b->axes.count; i++) {
		struct text rest = text_of(b->axes.at[i].value), word;

		while (text_word(&rest, &word))
			if (text_skip(&word, "=") && !pairs_get(found, b->axes.at[i].name) &&
			    pairs_set_text(found, text_of(b->axes.at[i].name), word) < 0)
				return -ENOMEM;
	}
	return 0;
}

int benchmark_axes(const struct benchmark *b, char *const *argv, struct pairs *axes, struct err *err)
{
	struct pairs found = { 0 };
	int r = read_arguments(b, argv, &found);

	if (r == 0)
		r = set_otherwise(b, &found);
	for (size_t i = 0; i < found.count && r == 0; i++)
		if (!pairs_get(axes, found.at[i].name))
			r = pairs_set(axes, found.at[i].name, found.at[i].value);
	pairs_free(&found);
	return r < 0 ? err_set(err, r, "%s: no memory", b->name) : 0;
}
