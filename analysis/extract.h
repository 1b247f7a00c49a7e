/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is found in one output: what extract.c, extract_csv.c and extract_json.c share. */
#ifndef ASSAY_ANALYSIS_EXTRACT_H
#define ASSAY_ANALYSIS_EXTRACT_H

#include "analysis/results_rules.h"

#define CSV_FIELDS 256

struct open_csv {
	bool open;
	unsigned fields;
	unsigned *places; /* [column] from 1; 0: the output has no such column */
};

struct extract {
	const struct results_rules *rules;
	struct matcher matcher;
	struct column *columns;	  /* [name] all values */
	char **words;		  /* [word] the last text found for it, or NULL */
	struct names labels;	  /* that numbers were found under */
	struct column **by_label; /* [label][name] */
	size_t by_label_room;
	bool *in_table;	      /* [table] */
	struct open_csv *csv; /* [csv] */
	uint64_t visited;     /* values of JSON documents */
	bool rejected;
	struct err *err;
};

/* A number found under `name`, and under `label` where that is not -1. */
int extract_put(struct extract *x, int name, int label, double value);
/* `name` is a word of labels (below 0): it is `text` from here on. */
int extract_word(struct extract *x, int name, struct text text);
/* The row of the label that `pattern`'s words make now, or NO_LABEL where it is NULL or a word was not found
 * yet. */
#define NO_LABEL (-1)
int extract_label(struct extract *x, const char *pattern, int *ret);

int extract_csv_line(struct extract *x, size_t nth, struct text line);
int extract_json(struct extract *x, unsigned stream, struct text whole);

#endif
