/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "server/route.h"

#include <errno.h>

#include "server/api.h"

const struct route routes[] = {
	{ "", get_index, false, "" }, /* no parts */
	{ "healthz", get_health, false, "" },
	{ "v1/runs", get_runs, false, "query limit" },
	{ "v1/runs/?", get_run, false, "" },
	{ "v1/runs/?/stats", get_stats, false, "" },
	{ "v1/runs/?/segments/?", get_segment, true, "" },
	{ "v1/compare", get_comparison, false, NULL },
	{ "v1/history", get_history, false, NULL },
	{ "v1/plot", get_plot, false, NULL },
	{ 0 },
};

static bool matches(const struct target *target, struct text path)
{
	struct text part;

	for (unsigned i = 0; i < target->part_count; i++) {
		if (path.at == path.end)
			return false;
		if (!text_cut(&path, "/", &part)) {
			part = path;
			path.at = path.end;
		}
		if (text_is(part, "?") ? *target->parts[i] == '\0' : !text_is(part, target->parts[i]))
			return false;
	}
	return path.at == path.end;
}

const struct route *route_find(const struct target *target)
{
	for (const struct route *route = routes; route->path; route++)
		if (matches(target, text_of(route->path)))
			return route;
	return NULL;
}

static bool is_known(const struct route *route, const char *name)
{
	struct text rest = text_of(route->arguments), known;

	while (text_word(&rest, &known))
		if (text_is(known, name))
			return true;
	return false;
}

int route_check_arguments(const struct route *route, const struct target *target, struct err *err)
{
	for (unsigned i = 0; route->arguments && i < target->argument_count; i++) {
		const char *name = target->arguments[i].name;

		if (!is_known(route, name))
			return err_set(err, -EINVAL, "there is no argument '%.32s' here%s%s", name,
				       *route->arguments ? ", only: " : "", route->arguments);
		if (target_argument(target, name) != target->arguments[i].value)
			return err_set(err, -EINVAL, "the argument '%s' is given twice", name);
	}
	return 0;
}

const char *route_methods(const struct route *route)
{
	return route->put ? "GET, HEAD, PUT" : "GET, HEAD";
}

int route_run(const char *part, struct ulid *ret, struct err *err)
{
	if (!ulid_is(text_of(part)))
		return err_set(err, -EINVAL,
			       "'%.32s' is not a run's id: 26 characters of 0-9 and A-Z without I, L, O, U", part);
	memcpy(ret->text, part, sizeof(ret->text));
	return 0;
}

int route_sequence(const char *part, uint32_t *ret, struct err *err)
{
	struct text rest = text_of(part);
	uint64_t number;

	if (*part < '1' || *part > '9' || !text_u64(&rest, &number) || rest.at != rest.end || number > UINT32_MAX)
		return err_set(err, -EINVAL, "'%.32s' is not a segment's number: 1, 2, 3 ... %u", part, UINT32_MAX);
	*ret = (uint32_t)number;
	return 0;
}
