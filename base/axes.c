/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/axes.h"

#include <ctype.h>
#include <errno.h>

static bool has_odd_letter(struct text name)
{
	for (; name.at < name.end; name.at++)
		if (!isalnum((unsigned char)*name.at) && (*name.at == '\0' || !strchr("_.-", *name.at)))
			return true;
	return false;
}

static int check(struct text name, struct text value, struct err *err)
{
	if (text_len(name) == 0)
		return err_set(err, -EINVAL, "an axis without a name");
	if (text_len(name) > AXIS_NAME_BYTES)
		return err_set(err, -EINVAL, "the axis '%.32s...' has a name of %zu bytes; %d are allowed", name.at,
			       text_len(name), AXIS_NAME_BYTES);
	if (has_odd_letter(name))
		return err_set(err, -EINVAL, "the axis '%.*s': a name has only letters, digits, '_', '.' and '-'",
			       TEXT_ARGS(name));
	if (text_len(value) > AXIS_VALUE_BYTES)
		return err_set(err, -EINVAL, "the axis '%.*s' has a value of %zu bytes; %d are allowed", TEXT_ARGS(name),
			       text_len(value), AXIS_VALUE_BYTES);
	return 0;
}

static int check_count(size_t count, struct err *err)
{
	if (count > AXES_MOST)
		return err_set(err, -EINVAL, "%zu axes; a run may have %d", count, AXES_MOST);
	return 0;
}

int axes_check(const struct pairs *axes, struct err *err)
{
	int r = check_count(axes->count, err);

	for (size_t i = 0; i < axes->count && r == 0; i++)
		r = check(text_of(axes->at[i].name), text_of(axes->at[i].value), err);
	return r;
}

int axes_parse(struct pairs *axes, const char *what, const char *argument, struct err *err)
{
	const char *equals = strchr(argument, '=');
	struct text name, value;
	int r;

	if (!equals || equals == argument)
		return err_set(err, -EINVAL, "%s: '%.64s' is not NAME=VALUE", what, argument);
	name = (struct text){ argument, equals };
	value = text_of(equals + 1);
	r = check(name, value, err);
	if (r == 0)
		r = check_count(axes->count + 1, err);
	if (r == 0 && pairs_get_text(axes, name))
		r = err_set(err, -EINVAL, "'%.*s' is given twice", TEXT_ARGS(name));
	if (r < 0)
		return err_prefix(err, "%s: ", what);
	return pairs_set_text(axes, name, value) < 0 ? err_set(err, -ENOMEM, "%s: no memory", what) : 0;
}
