/* SPDX-License-Identifier: GPL-3.0-or-later */
/* /v1/compare?base=..&head=..[&head=..][&OPTION=..][&format=FORM]; the options are those of
 * lab_option_set(), the forms lab_forms. */
#include <errno.h>

#include "lab/lab.h"
#include "server/api.h"

struct asked {
	struct lab_options options;
	const char *names[TARGET_ARGUMENTS]; /* the base first */
	size_t count;
	const struct lab_form *form;
};

static int form_of(const char *value, const struct lab_form **ret, struct err *err)
{
	const struct lab_form *form = lab_form_find(value);

	if (!form)
		return err_set(err, -EINVAL, "format: '%.32s' is none of text, json, markdown, csv, html", value);
	*ret = form;
	return 0;
}

static int ask(struct request *q, struct asked *ret, struct err *err)
{
	const char *base = target_argument(&q->target, "base");
	int r = 0;

	*ret = (struct asked){ .form = lab_form_find(q->wants_json ? "json" : "text") };
	if (!base)
		return err_set(err, -EINVAL,
			       "a comparison needs base= and head=: queries such as testcase=hackbench,commit=v6.12, "
			       "commits, or runs");
	ret->names[ret->count++] = base;
	for (unsigned i = 0; i < q->target.argument_count && r == 0; i++) {
		const char *name = q->target.arguments[i].name, *value = q->target.arguments[i].value;

		if (strcmp(name, "base") == 0)
			continue;
		if (strcmp(name, "head") == 0 && ret->count < TARGET_ARGUMENTS)
			ret->names[ret->count++] = value;
		else if (strcmp(name, "format") == 0)
			r = form_of(value, &ret->form, err);
		else
			r = lab_option_set(&ret->options, name, value, err);
		if (r == -ENOENT)
			r = err_set(err, -EINVAL, "a comparison has no option '%.32s'", name);
	}
	return r;
}

void get_comparison(struct request *q, struct store *store)
{
	struct comparison comparison = { 0 };
	struct buf body = { 0 };
	struct err err = { 0 };
	struct asked asked;
	int r = ask(q, &asked, &err);

	q->answer.vary_accept = true;
	if (r == 0)
		r = lab_compare_names(store, asked.names, asked.count, &asked.options, &comparison, &err);
	if (r < 0) {
		answer_failure(q, &err);
		return;
	}
	(void)asked.form->write(&comparison, &body);
	comparison_free(&comparison);
	answer_with(q, MHD_HTTP_OK, asked.form->type, &body);
}
