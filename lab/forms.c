/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "lab/lab.h"

const struct lab_form lab_forms[] = {
	{ "text",     "text/plain; charset=utf-8",     report_text },
	{ "json",     "application/json",              report_json },
	{ "markdown", "text/markdown; charset=utf-8",  report_markdown },
	{ "csv",      "text/csv; charset=utf-8",       report_csv },
	{ "html",     "text/html; charset=utf-8",      report_html },
	{ 0 },
};

const struct lab_form *lab_form_find(const char *name)
{
	for (const struct lab_form *f = lab_forms; f->name; f++)
		if (strcmp(f->name, name) == 0)
			return f;
	return NULL;
}
