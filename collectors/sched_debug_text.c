/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collectors/sched_debug_text.h"

#include "collectors/digits.h"

static bool is_digit(const char *at, const char *end)
{
	return at < end && *at >= '0' && *at <= '9';
}

static const char *skip_digits(const char *at, const char *end)
{
	while (is_digit(at, end))
		at++;
	return at;
}

/* "cpu#3": the number and what stands before and behind it. False: a block without one. */
bool sched_debug_number(struct text heading, struct text *before, struct text *number, struct text *behind)
{
	const char *at = heading.at, *stop;

	while (at < heading.end && ((*at >= 'a' && *at <= 'z') || *at == '_'))
		at++;
	if (at == heading.at || at == heading.end || (*at != '#' && *at != '['))
		return false;
	stop = skip_digits(at + 1, heading.end);
	if (stop == at + 1)
		return false;
	*before = (struct text){ heading.at, at };
	*number = (struct text){ at + 1, stop };
	*behind = (struct text){ stop, heading.end };
	return *at == '#' ? stop == heading.end
			  : text_skip(behind, "]") && text_skip(&(struct text){ stop + 1, heading.end }, ":");
}

/* The heading in a line that is no field: its first word without the comma; all of it where a group's name follows. */
static struct text heading_of(struct text line)
{
	struct text word = { line.at, line.at };

	(void)text_word(&line, &word);
	if (memchr(word.at, '[', text_len(word)))
		word.end = text_trim((struct text){ word.at, line.end }).end;
	else if (text_ends(word, ","))
		word.end--;
	return word;
}

bool sched_debug_is_autogroup(struct text heading)
{
	const char *slash = memchr(heading.at, '/', text_len(heading));

	return slash && text_starts((struct text){ slash, heading.end }, "/autogroup-");
}

bool sched_debug_is_group(struct text heading)
{
	const char *slash = memchr(heading.at, '/', text_len(heading));

	return slash && slash + 1 < heading.end;
}

/* "  .name : value"; in the head of the file the point may be missing. */
bool sched_debug_field(struct text line, bool in_head, struct text *name, const char **value)
{
	const char *at = skip_blanks(line.at, line.end), *stop, *colon;

	if (at == line.end || (*at != '.' && !in_head))
		return false;
	at += *at == '.';
	for (stop = at; stop < line.end && !is_blank(*stop) && *stop != ':';)
		stop++;
	colon = skip_blanks(stop, line.end);
	if (stop == at || colon == line.end || *colon != ':')
		return false;
	*name = (struct text){ at, stop };
	*value = skip_blanks(colon + 1, line.end);
	return true;
}

/* A number; decimals beyond those of the exponent are cut. NULL: it is none, or too large. */
const char *sched_debug_value(const char *at, const char *end, int exponent, uint64_t *ret)
{
	at = digits_decimal(at, end, exponent, ret);
	if (at && exponent == 0 && at < end && *at == '.')
		at = skip_digits(at + 1, end);
	return at && is_number_end(at, end) ? at : NULL;
}

int sched_debug_decimals(struct text value)
{
	const char *at = skip_digits(value.at + text_starts(value, "-"), value.end);
	const char *stop = at < value.end && *at == '.' ? skip_digits(at + 1, value.end) : at;
	size_t count = stop > at ? (size_t)(stop - at) - 1 : 0;

	return count > SCHED_DEBUG_DECIMALS ? SCHED_DEBUG_DECIMALS : (int)count;
}

/* What a line that is no field says: blank, or one of the tasks, or of the file's head (no block begins), or a heading.
 */
bool sched_debug_heading(struct text line, bool in_head, bool in_tasks, struct text *heading)
{
	struct text ignored;

	*heading = heading_of(line);
	if (text_len(*heading) == 0)
		return false;
	if (sched_debug_number(*heading, &ignored, &ignored, &ignored))
		return true;
	return !in_tasks && (!in_head || text_starts(line, SCHED_DEBUG_TASKS) || !memchr(line.at, ':', text_len(line)));
}
