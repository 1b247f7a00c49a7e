/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collectors/records.h"

#include <errno.h>

/* "Udp:" of a line; the rest stands behind it. */
static bool cut_section(struct text *rest, struct text *section)
{
	struct text line = *rest;
	const char *colon = memchr(line.at, ':', text_len(line));

	if (!colon || colon == line.at)
		return false;
	*section = (struct text){ line.at, colon };
	rest->at = colon + 1;
	return true;
}

/* "Udp.NoPorts", or "Udp.field3". */
static int name_value(struct layout *l, struct text section, struct text name, unsigned nth, struct err *err)
{
	cleanup_buf struct buf whole = { 0 };

	(void)buf_printf(&whole, "%.*s.", TEXT_ARGS(section));
	if (text_len(name) > 0)
		(void)buf_add_text(&whole, name);
	else
		(void)buf_printf(&whole, "field%u", nth);
	if (whole.failed)
		return err_set(err, -ENOMEM, "%s: no memory", l->collector->name);
	return layout_name(l, whole.data, "", err);
}

/* ---- headed ---- */

static bool begins_with_number(struct text rest)
{
	struct text word;

	if (!layout_next(&rest, &word))
		return false;
	word.at += *word.at == '-' && text_len(word) > 1;
	return *word.at >= '0' && *word.at <= '9';
}

static int learn_values(struct layout *l, struct text section, struct text names, struct text values, struct err *err)
{
	int r = layout_begin(l, (struct text){ section.at, section.end + 1 }, err);
	struct text name, value;

	for (unsigned nth = 1; r == 0 && layout_next(&values, &value); nth++) {
		if (!layout_next(&names, &name))
			name = text_of("");
		r = name_value(l, section, name, nth, err);
	}
	return r;
}

/* Line by line; `above` is the section of the line of names that waits for its values. */
static int learn_headed(struct layout *l, struct text rest, struct err *err)
{
	struct text line, above = text_of(""), names = text_of("");
	int r = 0;

	while (r == 0 && text_line(&rest, &line)) {
		struct text behind = line, section;
		bool is_section = cut_section(&behind, &section);
		bool is_below = is_section && text_same(section, above) && !text_same(behind, names);

		if (is_section && (is_below || begins_with_number(behind))) {
			r = learn_values(l, section, is_below ? names : text_of(""), behind, err);
			above = names = text_of("");
			continue;
		}
		r = layout_begin(l, line, err);
		above = is_section ? section : text_of("");
		names = is_section ? behind : text_of("");
	}
	return r;
}

/* ---- worded ---- */

static int learn_words(struct layout *l, struct text rest, struct err *err)
{
	struct text line, section, name, value;
	int r = 0;

	while (r == 0 && text_line(&rest, &line)) {
		struct text behind = line;

		if (!cut_section(&behind, &section)) {
			r = layout_begin(l, line, err);
			continue;
		}
		r = layout_begin(l, (struct text){ section.at, section.end + 1 }, err);
		while (r == 0 && layout_next(&behind, &name)) {
			r = layout_word(l, name, err);
			if (r == 0 && layout_next(&behind, &value))
				r = name_value(l, section, name, 0, err);
		}
	}
	return r;
}

/* ---- both ---- */

static int open_and_learn(const struct collector *self, struct layout *l, const struct host *host,
			  int (*learn)(struct layout *l, struct text file, struct err *err), struct err *err)
{
	int r = layout_open(l, self, host, err);

	if (r == 0)
		r = learn(l, procfile_first(&l->file), err);
	layout_end(l);
	return r;
}

int headed_open(const struct collector *self, void *state, const struct host *host, struct err *err)
{
	return open_and_learn(self, state, host, learn_headed, err);
}

int worded_open(const struct collector *self, void *state, const struct host *host, struct err *err)
{
	return open_and_learn(self, state, host, learn_words, err);
}
