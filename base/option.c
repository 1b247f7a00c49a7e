/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/option.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

int parse_bool(const char *what, const char *value, bool *ret, struct err *err)
{
	static const char *const words[] = { "no", "yes", "false", "true", "off", "on", "0", "1" };

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (strcmp(value, words[i]) == 0) {
			*ret = i & 1;
			return 0;
		}
	}
	return err_set(err, -EINVAL, "%s: '%s' is neither yes nor no", what, value);
}

int parse_number(const char *what, const char *value, long long *ret, struct err *err)
{
	static const char suffixes[] = "KMGT";
	struct text rest = text_of(value);
	int64_t number;

	if (text_i64(&rest, &number)) {
		const char *suffix = rest.at < rest.end ? strchr(suffixes, *rest.at & ~0x20) : NULL;

		if (suffix && *suffix) {
			rest.at++;
			for (long i = 0; i <= suffix - suffixes; i++)
				if (__builtin_mul_overflow(number, 1024, &number))
					return err_set(err, -EINVAL, "%s: '%s' is too large", what, value);
		}
		if (rest.at == rest.end) {
			*ret = number;
			return 0;
		}
	}
	return err_set(err, -EINVAL, "%s: '%s' is not a whole number (with K, M, G or T if you like)", what, value);
}

int parse_duration(const char *what, const char *value, long long *ret_ns, struct err *err)
{
	static const struct {
		const char *suffix;
		int64_t factor; /* for a number in units of 10^-9 */
	} units[] = { { "ms", 0 }, { "us", 0 }, { "ns", 0 }, { "s", 1 }, { "", 1 }, { "m", 60 }, { "h", 3600 } };
	struct text rest = text_of(value);
	int64_t nano;

	if (!text_decimal(&rest, 9, &nano) || nano < 0)
		goto out;
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		if (!text_is(rest, units[i].suffix))
			continue;
		if (i == 0)
			nano /= 1000;
		else if (i == 1)
			nano /= 1000000;
		else if (i == 2)
			nano /= 1000000000;
		else if (__builtin_mul_overflow(nano, units[i].factor, &nano))
			goto out;
		*ret_ns = nano;
		return 0;
	}
out:
	return err_set(err, -EINVAL, "%s: '%s' is not a time such as 500ms, 1s, 1.5s, 2m or 1h", what, value);
}

int option_set(const struct option *options, void *state, const char *name, const char *value, struct err *err)
{
	for (const struct option *o = options; o && o->name; o++) {
		void *at = (char *)state + o->offset;
		long long number;
		char *copy;
		int r;

		if (strcmp(o->name, name) != 0)
			continue;
		switch (o->type) {
		case OPT_BOOL:
			return parse_bool(name, value, at, err);
		case OPT_NUMBER:
		case OPT_DURATION:
			r = o->type == OPT_NUMBER ? parse_number(name, value, &number, err) :
						    parse_duration(name, value, &number, err);
			if (r == 0)
				*(int64_t *)at = number;
			return r;
		case OPT_TEXT:
			copy = strdup(value);
			if (!copy)
				return err_set(err, -ENOMEM, "%s: no memory", name);
			free(*(char **)at);
			*(char **)at = copy;
			return 0;
		case OPT_END:
			break;
		}
	}
	return err_set(err, -ENOENT, "no option '%s'", name);
}

int options_default(const struct option *options, void *state, struct err *err)
{
	int r = 0;

	for (const struct option *o = options; o && o->name && r == 0; o++)
		if (o->otherwise)
			r = option_set(options, state, o->name, o->otherwise, err);
	return r;
}

void options_free(const struct option *options, void *state)
{
	for (const struct option *o = options; o && o->name; o++) {
		char **at = (char **)((char *)state + o->offset);

		if (o->type == OPT_TEXT) {
			free(*at);
			*at = NULL;
		}
	}
}
