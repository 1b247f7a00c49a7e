/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rules as results.c has read and checked them; extract.c applies them. */
#ifndef ASSAY_ANALYSIS_RESULTS_RULES_H
#define ASSAY_ANALYSIS_RESULTS_RULES_H

#include "analysis/expression.h"
#include "analysis/pattern.h"
#include "analysis/results.h"

enum { STREAM_OUT = 1, STREAM_ERROR = 2 };

struct line_rule {
	struct pattern *pattern;
	unsigned streams;
	bool unfinished;
	int *names; /* of its groups, in scope */
};

struct table_column {
	int name;	/* in scope */
	unsigned field; /* from 1 */
};

struct table_rule {
	struct pattern *after;
	unsigned streams, fields;
	struct table_column *columns;
	size_t column_count;
};

struct value_rule {
	char *name;
	char *value;
	int scope_name; /* of a let; -1 for a result */
	int direction;
	bool kpi;
};

struct results_rules {
	struct pattern **reject;
	struct line_rule *lines;
	struct table_rule *tables;
	struct value_rule *lets, *results;
	size_t reject_count, line_count, table_count, let_count, result_count;
	struct names names; /* all that an expression may use */
	bool *many;	    /* [name] */
	size_t many_room;
};

#endif
