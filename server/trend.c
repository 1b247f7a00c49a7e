/* SPDX-License-Identifier: GPL-3.0-or-later */
/* /v1/history?key=..[&query=..][&by=..][&format=text|json|svg] and
 * /v1/plot?key=..&base=..[&head=..][&axis=..][&format=text|svg] */
#include <errno.h>

#include "lab/trend.h"
#include "server/api.h"

#define TYPE_SVG "image/svg+xml"

/* The value of each argument by its place in `names`; others are refused. */
static int read_arguments(const struct request *q, const char *const *names, const char **ret, struct err *err)
{
	for (unsigned i = 0; i < q->target.argument_count; i++) {
		size_t n = 0;

		while (names[n] && strcmp(names[n], q->target.arguments[i].name) != 0)
			n++;
		if (!names[n])
			return err_set(err, -EINVAL, "there is no argument '%.32s' here", q->target.arguments[i].name);
		ret[n] = q->target.arguments[i].value;
	}
	return 0;
}

void get_history(struct request *q, struct store *store)
{
	static const char *const names[] = { "key", "query", "by", "format", NULL };
	const char *given[4] = { NULL, "", NULL, NULL }, *form;
	struct buf body = { 0 };
	struct err err = { 0 };
	struct trend trend;
	int r = read_arguments(q, names, given, &err);

	q->answer.vary_accept = true;
	form = given[3] ? given[3] : q->wants_json ? "json" : "text";
	if (r == 0 && (!given[0] || !*given[0]))
		r = err_set(&err, -EINVAL, "a history needs key=, such as hackbench.throughput");
	if (r == 0 && strcmp(form, "text") != 0 && strcmp(form, "json") != 0 && strcmp(form, "svg") != 0)
		r = err_set(&err, -EINVAL, "format: '%.32s' is none of text, json, svg", form);
	if (r == 0)
		r = lab_trend(store, given[0], given[1], given[2] && *given[2] ? given[2] : NULL, &trend, &err);
	if (r < 0) {
		answer_failure(q, &err);
		return;
	}
	(void)(strcmp(form, "json") == 0  ? trend_json(&trend, &body)
	       : strcmp(form, "svg") == 0 ? trend_svg(&trend, &body)
					  : trend_text(&trend, &body));
	trend_free(&trend);
	answer_with(q, MHD_HTTP_OK,
		    strcmp(form, "json") == 0  ? TYPE_JSON
		    : strcmp(form, "svg") == 0 ? TYPE_SVG
					       : TYPE_TEXT,
		    &body);
}

void get_plot(struct request *q, struct store *store)
{
	static const char *const names[] = { "key", "base", "head", "axis", "format", NULL };
	const char *given[5] = { 0 };
	struct buf body = { 0 };
	struct err err = { 0 };
	bool svg;
	int r = read_arguments(q, names, given, &err);

	svg = given[4] && strcmp(given[4], "svg") == 0;
	if (r == 0 && (!given[0] || !*given[0] || !given[1]))
		r = err_set(&err, -EINVAL, "a plot needs key= and base=");
	if (r == 0 && given[4] && !svg && strcmp(given[4], "text") != 0)
		r = err_set(&err, -EINVAL, "format: '%.32s' is neither text nor svg", given[4]);
	if (r == 0)
		r = lab_plot(store, given[0], (const char *[]){ given[1], given[2] }, given[2] ? 2 : 1,
			     given[3] && *given[3] ? given[3] : NULL, svg, &body, &err);
	if (r < 0) {
		buf_free(&body);
		answer_failure(q, &err);
		return;
	}
	if (!svg)
		(void)buf_putc(&body, '\n');
	answer_with(q, MHD_HTTP_OK, svg ? TYPE_SVG : TYPE_TEXT, &body);
}
