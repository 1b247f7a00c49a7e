/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "server/target.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "base/text.h"

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Decode to `*to`, which moves behind the NUL that ends it; it never takes more bytes than the text and that NUL. */
static int decode(struct text from, bool plus, char **to, const char **ret, struct err *err)
{
	*ret = *to;
	for (; from.at < from.end; from.at++) {
		char c = *from.at;

		if (c == '%') {
			int high = text_len(from) > 2 ? hex_digit(from.at[1]) : -1;
			int low = text_len(from) > 2 ? hex_digit(from.at[2]) : -1;

			if (high < 0 || low < 0)
				return err_set(err, -EINVAL, "a '%%' without two hexadecimal digits in the address");
			c = (char)(high << 4 | low);
			if (c == '\0')
				return err_set(err, -EINVAL, "a '%%00' in the address");
			from.at += 2;
		} else if (c == '+' && plus) {
			c = ' ';
		}
		*(*to)++ = c;
	}
	*(*to)++ = '\0';
	return 0;
}

/* What stands before the first `separator`, or all of it; the separator is taken, too. False when nothing is left. */
static bool piece(struct text *rest, char separator, struct text *ret)
{
	const char *at;

	*ret = *rest;
	if (!rest->at)
		return false;
	at = memchr(rest->at, separator, text_len(*rest));
	*ret = (struct text){ rest->at, at ? at : rest->end };
	*rest = at ? (struct text){ at + 1, rest->end } : (struct text){ 0 };
	return true;
}

static int parse_path(struct target *t, struct text path, char **to, struct err *err)
{
	struct text part;
	int r = 0;

	path.at++; /* the first '/' */
	if (path.at == path.end)
		return 0;
	while (r == 0 && piece(&path, '/', &part)) {
		if (t->part_count == TARGET_PARTS)
			return err_set(err, -ENOENT, "nothing has an address of so many parts");
		r = decode(part, false, to, &t->parts[t->part_count++], err);
	}
	return r;
}

static int parse_arguments(struct target *t, struct text query, char **to, struct err *err)
{
	struct text argument, name;
	int r = 0;

	while (r == 0 && piece(&query, '&', &argument)) {
		if (argument.at == argument.end)
			continue;
		if (t->argument_count == TARGET_ARGUMENTS)
			return err_set(err, -E2BIG, "more than %d arguments", TARGET_ARGUMENTS);
		(void)piece(&argument, '=', &name);
		t->arguments[t->argument_count].value = "";
		r = decode(name, true, to, &t->arguments[t->argument_count].name, err);
		if (r == 0 && argument.at)
			r = decode(argument, true, to, &t->arguments[t->argument_count].value, err);
		t->argument_count++;
	}
	return r;
}

int target_parse(struct target *ret, const char *raw, struct err *err)
{
	size_t length = strnlen(raw, TARGET_BYTES + 1);
	struct text rest = text_n(raw, length), path;
	char *to = ret->memory;
	int r;

	ret->part_count = ret->argument_count = 0;
	if (length > TARGET_BYTES)
		return err_set(err, -ENAMETOOLONG, "the address is longer than %d bytes", TARGET_BYTES);
	if (text_skip(&rest, "http://")) { /* the absolute form, as for a proxy */
		const char *slash = memchr(rest.at, '/', text_len(rest));

		rest.at = slash ? slash : rest.end;
	}
	if (!text_starts(rest, "/"))
		return err_set(err, -EINVAL, "the address does not begin with '/'");
	(void)piece(&rest, '?', &path);
	r = parse_path(ret, path, &to, err);
	if (r == 0 && rest.at)
		r = parse_arguments(ret, rest, &to, err);
	return r;
}

const char *target_argument(const struct target *target, const char *name)
{
	for (unsigned i = 0; i < target->argument_count; i++)
		if (strcmp(target->arguments[i].name, name) == 0)
			return target->arguments[i].value;
	return NULL;
}
