/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the rules of results are read and checked: what results.c and results_finders.c share. */
#ifndef ASSAY_ANALYSIS_RESULTS_READ_H
#define ASSAY_ANALYSIS_RESULTS_READ_H

#include <jansson.h>

#include "analysis/results_rules.h"

/* Where in the rules: "results/2/value". */
struct place {
	char text[160];
	struct err *err;
};

int place_wrong(const struct place *at, const char *what); /* -EINVAL, "PLACE: what" */
struct place place_inside(const struct place *at, const char *key);
/* An object holds these keys and no others; `keys` ends at NULL. */
int place_only(const struct place *at, json_t *object, const char *const *keys);
int place_text(const struct place *at, json_t *object, const char *key, bool required, const char **ret);

/* A list under `key`, each element given to `read`. */
typedef int (*read_one)(struct results_rules *rules, const struct place *at, json_t *value, size_t i);
int rules_list(struct results_rules *rules, const struct place *at, json_t *object, const char *key, size_t size,
	       void *array, size_t *count, read_one read);

int rules_pattern(const struct place *at, const char *text, struct pattern **ret);
/* A name for numbers; the same one may stand in several rules where it may have many values. */
int rules_name(struct results_rules *rules, const struct place *at, const char *name, bool many, int *ret);

/* ---- results_finders.c ---- */
int rules_finders(struct results_rules *rules, const struct place *at, json_t *root);
void rules_finders_free(struct results_rules *rules);

#endif
