/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rules as results.c has read and checked them; extract.c applies them. */
#ifndef ASSAY_ANALYSIS_RESULTS_RULES_H
#define ASSAY_ANALYSIS_RESULTS_RULES_H

#include "analysis/expression.h"
#include "analysis/json_path.h"
#include "analysis/pattern.h"
#include "analysis/results.h"

enum { STREAM_OUT = 1, STREAM_ERROR = 2 };

/*
 * What a finder puts its findings under: a row of the rules' names, or, below 0, a word of labels: -1 - row of the
 * rules' words. `label` is made of words, "{test}.{function}"; NULL: none.
 */
struct line_rule {
	struct pattern *pattern;
	unsigned streams;
	unsigned suffixes; /* what "k" stands for, 1000 or 1024; 0: no number has one */
	bool unfinished;
	int *names; /* of its groups */
	char *label;
};

struct table_column {
	int name;
	unsigned field; /* from 1 */
};

struct table_rule {
	struct pattern *after;
	unsigned streams, fields;
	struct table_column *columns;
	size_t column_count;
	char *label;
};

struct csv_column {
	int name;
	char *title;
};

struct csv_rule {
	struct pattern *after;
	unsigned streams;
	char separator;
	struct csv_column *columns;
	size_t column_count;
	char *label;
};

struct json_value {
	int name;
	struct json_path path;
};

struct json_rule {
	unsigned streams;
	struct json_path at;
	struct json_value *values;
	size_t value_count;
	char *label;
};

struct value_rule {
	char *name;
	char *value;
	int scope_name; /* of a let; -1 for a result */
	int direction;
	bool kpi;
	bool labelled; /* its name has "{}" */
};

struct results_rules {
	struct pattern **reject;
	struct line_rule *labels, *lines;
	struct table_rule *tables;
	struct csv_rule *csv;
	struct json_rule *json;
	struct value_rule *lets, *results;
	size_t reject_count, label_count, line_count, table_count, csv_count, json_count, let_count, result_count;
	struct names names;    /* all that an expression may use */
	bool *many, *labelled; /* [name]; labelled: a finder with a label finds it */
	size_t many_room;
	struct names words; /* of labels */
};

#endif
