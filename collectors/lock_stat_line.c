/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collectors/lock_stat_line.h"

#include "collectors/digits.h"

static const char *last_of(struct text t, char c)
{
	return memrchr(t.at, c, text_len(t));
}

/* "  name   count   [<address>] function+0x41/0x80 [module]" */
static bool cut_point(struct text line, struct lock_stat_line *ret)
{
	const char *bracket = memmem(line.at, text_len(line), "[<", 2), *stop, *close;
	struct text before = text_trim((struct text){ line.at, bracket ? bracket : line.at });

	for (stop = before.end; stop > before.at && stop[-1] >= '0' && stop[-1] <= '9';)
		stop--;
	ret->numbers = stop;
	ret->class = text_trim((struct text){ before.at, stop });
	if (!bracket || stop == before.end || ret->class.end == stop || text_len(ret->class) == 0)
		return false;
	close = memchr(bracket, ']', (size_t)(line.end - bracket));
	if (!close)
		return false;
	ret->function.at = skip_blanks(close + 1, line.end);
	for (stop = ret->function.at; stop < line.end && !is_number_end(stop, line.end) && *stop != '+';)
		stop++;
	ret->function.end = stop;
	return text_len(ret->function) > 0;
}

/* A class's name may hold colons; its numbers do not. */
enum lock_stat_kind lock_stat_line(struct text line, struct lock_stat_line *ret)
{
	const char *at = skip_blanks(line.at, line.end), *colon;

	if (line.end - at > 2 && at[0] == '-' && at[1] == '-')
		return LOCK_STAT_DASHES;
	if (cut_point(line, ret))
		return LOCK_STAT_POINT;
	colon = last_of(line, ':');
	if (!colon || colon == at)
		return LOCK_STAT_OTHER;
	ret->class = (struct text){ at, colon };
	ret->numbers = skip_blanks(colon + 1, line.end);
	return ret->numbers < line.end && ret->numbers > colon + 1 && *ret->numbers >= '0' && *ret->numbers <= '9'
		       ? LOCK_STAT_CLASS
		       : LOCK_STAT_OTHER;
}
