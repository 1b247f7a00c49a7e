/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/kernel_line.h"

#define FACILITY_USER 1

static bool skip_word(struct text *rest, struct text *ret, char separator)
{
	const char *at = memchr(rest->at, separator, text_len(*rest));

	if (!at)
		return false;
	*ret = text_n(rest->at, (size_t)(at - rest->at));
	rest->at = at + 1;
	return true;
}

static void set_priority(struct kernel_line *line, uint64_t priority)
{
	line->level = (int)(priority & 7);
	line->facility = (int)(priority >> 3 & 0xffff);
}

/* "6,100,5000000,-,caller=T1;" */
static bool read_kmsg(struct text *rest, struct kernel_line *line)
{
	struct text t = *rest, head;
	uint64_t priority;

	if (!skip_word(&t, &head, ';') || !text_u64(&head, &priority) || !text_skip(&head, ",") ||
	    !text_u64(&head, &line->number) || !text_skip(&head, ",") || !text_u64(&head, &line->usec) ||
	    !text_skip(&head, ","))
		return false;
	set_priority(line, priority);
	line->numbered = line->stamped = true;
	line->continued = text_starts(head, "c");
	*rest = t;
	return true;
}

static void read_angle(struct text *rest, struct kernel_line *line)
{
	struct text t = *rest;
	uint64_t priority;

	if (text_skip(&t, "<") && text_u64(&t, &priority) && text_skip(&t, ">")) {
		set_priority(line, priority);
		*rest = t;
	}
}

/* "kern  :err   : " */
static void read_words(struct text *rest, struct kernel_line *line)
{
	static const char *const levels[] = { "emerg", "alert", "crit", "err", "warn", "notice", "info", "debug" };
	struct text t = *rest, facility, level;

	if (!skip_word(&t, &facility, ':') || !skip_word(&t, &level, ':') || text_len(facility) > 8)
		return;
	level = text_trim(level);
	facility = text_trim(facility);
	for (int i = 0; i < 8; i++) {
		if (!text_is(level, levels[i]))
			continue;
		line->level = i;
		line->facility = text_is(facility, "kern") ? 0 : FACILITY_USER;
		text_skip_blanks(&t);
		*rest = t;
		return;
	}
}

/* "[   18.389095]", then perhaps the caller, "[    T1]" */
static void read_stamp(struct text *rest, struct kernel_line *line)
{
	struct text t = *rest;
	int64_t usec;

	text_skip_blanks(&t);
	if (!text_skip(&t, "[") || !text_decimal(&t, 6, &usec) || !text_skip(&t, "]") || usec < 0)
		return;
	line->usec = (uint64_t)usec;
	line->stamped = true;
	*rest = t;
	if (!text_skip(&t, "["))
		return;
	text_skip_blanks(&t);
	if (t.at < t.end && (*t.at == 'T' || *t.at == 'C')) {
		uint64_t id;

		t.at++;
		if (text_u64(&t, &id) && text_skip(&t, "]"))
			*rest = t;
	}
}

/* "** 4491 printk messages dropped ** " */
static void skip_dropped(struct text *rest)
{
	struct text t = *rest;
	uint64_t count;

	if (text_skip(&t, "** ") && text_u64(&t, &count) && text_skip(&t, " printk messages dropped **"))
		*rest = t;
}

struct kernel_line kernel_line_read(struct text record)
{
	struct kernel_line line = { .level = -1 };
	struct text rest = record, first;

	if (!text_line(&rest, &first))
		first = rest;
	if (!read_kmsg(&first, &line)) {
		line = (struct kernel_line){ .level = -1 };
		skip_dropped(&first);
		read_angle(&first, &line);
		if (line.level < 0)
			read_words(&first, &line);
		read_stamp(&first, &line);
		if (first.at < first.end && *first.at == ' ')
			first.at++;
	}
	while (first.at < first.end && first.end[-1] == '\r')
		first.end--;
	line.text = first;
	line.more = rest;
	return line;
}

static int digit_of(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

int kernel_line_unescape(struct text t, struct buf *ret)
{
	int r = 0;

	while (t.at < t.end && r == 0) {
		if (text_len(t) >= 4 && t.at[0] == '\\' && t.at[1] == 'x' && digit_of(t.at[2]) >= 0 &&
		    digit_of(t.at[3]) >= 0) {
			r = buf_putc(ret, (char)(digit_of(t.at[2]) << 4 | digit_of(t.at[3])));
			t.at += 4;
		} else {
			r = buf_putc(ret, *t.at++);
		}
	}
	return r;
}

bool kernel_line_key(const struct kernel_line *line, const char *key, struct text *ret)
{
	struct text rest = line->more, row;

	while (text_line(&rest, &row))
		if (text_skip(&row, " ") && text_skip(&row, key) && text_skip(&row, "=")) {
			*ret = row;
			return true;
		}
	return false;
}
