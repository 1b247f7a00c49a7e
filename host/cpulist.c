/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/cpulist.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

struct set {
	uint64_t bits[CPULIST_MAX / 64];
	size_t count;
};

static void set_add(struct set *s, uint64_t cpu)
{
	uint64_t bit = UINT64_C(1) << cpu % 64;

	s->count += !(s->bits[cpu / 64] & bit);
	s->bits[cpu / 64] |= bit;
}

/* "3" or "3-7" from the front of `rest`. */
static bool range(struct text *rest, uint64_t *first, uint64_t *last)
{
	if (rest->at == rest->end || *rest->at < '0' || *rest->at > '9' || !text_u64(rest, first))
		return false;
	*last = *first;
	if (text_skip(rest, "-") &&
	    (rest->at == rest->end || *rest->at < '0' || *rest->at > '9' || !text_u64(rest, last)))
		return false;
	return *first <= *last && *last < CPULIST_MAX;
}

int cpulist_parse(struct text text, struct cpulist *ret, struct err *err)
{
	struct text whole = text_trim(text);
	struct text rest = whole;
	struct set s = { 0 };
	size_t n = 0;

	while (rest.at < rest.end) {
		struct text at = rest;
		uint64_t first, last;

		if (!range(&rest, &first, &last) ||
		    (rest.at < rest.end && (*rest.at != ',' || rest.at + 1 == rest.end)))
			return err_set(err, -EINVAL, "cpu list: '%.*s' at byte %zu is no number below %d, nor a range",
				       text_len(at) > 40 ? 40 : (int)text_len(at), at.at, (size_t)(at.at - whole.at),
				       CPULIST_MAX);
		for (; first <= last; first++)
			set_add(&s, first);
		(void)text_skip(&rest, ",");
	}
	ret->at = malloc((s.count + 1) * sizeof(*ret->at));
	if (!ret->at)
		return err_set(err, -ENOMEM, "cpu list: no memory for %zu numbers", s.count);
	for (unsigned word = 0; word < CPULIST_MAX / 64; word++)
		for (uint64_t left = s.bits[word]; left; left &= left - 1)
			ret->at[n++] = 64 * word + (unsigned)__builtin_ctzll(left);
	ret->count = n;
	return 0;
}

bool cpulist_has(const struct cpulist *list, unsigned cpu)
{
	size_t low = 0, high = list->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (list->at[middle] == cpu)
			return true;
		if (list->at[middle] < cpu)
			low = middle + 1;
		else
			high = middle;
	}
	return false;
}

void cpulist_free(struct cpulist *list)
{
	free(list->at);
	*list = (struct cpulist){ 0 };
}
