/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collectors/exec_line.h"

#include <errno.h>

#define NAME_MOST   128
#define DIGITS_MOST 9

static bool name_is_good(struct text name)
{
	if (text_len(name) > NAME_MOST)
		return false;
	for (const char *c = name.at; c < name.end; c++)
		if (*c <= ' ' || *c > '~')
			return false;
	return true;
}

static bool unit_by_name(struct text word, enum unit *ret)
{
	for (int i = UNIT_COUNT; *unit_name((enum unit)i); i++)
		if (text_is(word, unit_name((enum unit)i))) {
			*ret = (enum unit)i;
			return true;
		}
	return false;
}

/* The digits behind the point; -1: no number. */
static int digits_of(struct text word)
{
	const char *point = NULL, *c = word.at;

	if (c < word.end && *c == '-')
		c++;
	if (c == word.end || *c < '0' || *c > '9')
		return -1;
	for (; c < word.end; c++) {
		if (*c == '.' && !point)
			point = c;
		else if (*c < '0' || *c > '9')
			return -1;
	}
	if (!point)
		return 0;
	return word.end - point - 1 > DIGITS_MOST ? DIGITS_MOST : (int)(word.end - point - 1);
}

bool exec_line_value(const struct exec_line *line, int exponent, uint64_t *ret)
{
	struct text rest = line->decimal;
	int64_t value;

	if (exponent == 0 && line->exponent == 0 && text_u64(&rest, ret))
		return rest.at == rest.end;
	if (!text_decimal(&rest, exponent, &value))
		return false;
	*ret = (uint64_t)value;
	return true;
}

int exec_line_read(struct text line, struct exec_line *ret, struct err *err)
{
	struct text rest = line, word;
	uint64_t value;

	*ret = (struct exec_line){ .kind = GAUGE, .unit = UNIT_NONE };
	if (!text_word(&rest, &ret->name) || !name_is_good(ret->name))
		return err_set(err, -EBADMSG, "a name is made of up to %d visible characters of ASCII", NAME_MOST);
	if (!text_word(&rest, &ret->decimal))
		return err_set(err, -EBADMSG, "no value after %.*s", TEXT_ARGS(ret->name));
	ret->exponent = digits_of(ret->decimal);
	if (ret->exponent < 0 || !exec_line_value(ret, ret->exponent, &value))
		return err_set(err, -EBADMSG, "no number after %.*s", TEXT_ARGS(ret->name));
	while (text_word(&rest, &word)) {
		if (text_is(word, "counter"))
			ret->kind = COUNTER;
		else if (!text_is(word, "gauge") && !unit_by_name(word, &ret->unit))
			return err_set(err, -EBADMSG,
				       "a word behind the value of %.*s is neither a unit, counter nor gauge",
				       TEXT_ARGS(ret->name));
	}
	return 0;
}
