/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <stdlib.h>

#include "analysis/lists.h"
#include "analysis/rows.h"
#include "base/names.h"

struct ranked {
	size_t rank;
	struct text name; /* what is sorted by before the change */
	const struct compare_row *row;
	size_t columns;
};

static int by_rank(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;
	int order;

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	order = text_compare(x->name, y->name);
	if (order)
		return order;
	for (size_t i = 1; i < x->columns; i++) {
		double p = x->row->cells[i].change, q = y->row->cells[i].change;

		if (p < q || p > q)
			return p < q ? -1 : 1;
	}
	return strcmp(x->row->key, y->row->key);
}

/* The whole key; its first two words where the change is of more interest than which function. */
static struct text sort_name(const char *key, enum era era)
{
	size_t first = strcspn(key, ".");

	if (era == ERA_2016 || key[first] == '\0' ||
	    !(key_is_of(key, "perf-profile") || key_is_of(key, "latency_stats")))
		return text_of(key);
	return text_n(key, first + 1 + strcspn(key + first + 1, "."));
}

/* How many rows each family has: rank[family's number in `names`]. */
static int count_families(const struct compare_row *rows, size_t count, struct names *names, size_t *rank)
{
	for (size_t i = 0; i < count; i++) {
		int family = names_add(names, key_family(rows[i].key));

		if (family < 0)
			return family;
		rank[family]++;
	}
	return 0;
}

int sort_rows(struct compare_row *rows, size_t count, size_t columns, const char *testcase, enum era era)
{
	struct ranked *ranked = calloc(count ? count : 1, sizeof(*ranked));
	struct compare_row *sorted = calloc(count ? count : 1, sizeof(*sorted));
	size_t *rank = calloc(count ? count : 1, sizeof(*rank));
	struct names families = { 0 };
	int r = -ENOMEM;

	if (!ranked || !sorted || !rank)
		goto out;
	r = count_families(rows, count, &families, rank);
	if (r < 0)
		goto out;
	for (size_t i = 0; i < count; i++) {
		struct text family = key_family(rows[i].key);
		bool first = !rows[i].function && family_is_testcase(family, testcase);

		ranked[i] = (struct ranked){
			.rank = first ? 0 : rank[names_find(&families, family, -1)],
			.name = sort_name(rows[i].key, era),
			.row = &rows[i],
			.columns = columns,
		};
	}
	qsort(ranked, count, sizeof(*ranked), by_rank);
	for (size_t i = 0; i < count; i++)
		sorted[i] = *ranked[i].row;
	if (count)
		memcpy(rows, sorted, count * sizeof(*rows));
out:
	names_free(&families);
	free(ranked);
	free(sorted);
	free(rank);
	return r;
}
