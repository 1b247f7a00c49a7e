/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collectors/process_stat.h"

/* Behind the state; NULL is passed over. proc(5) counts ppid as field 4. */
#define FIELDS 21

bool process_stat_read(struct text text, struct process_stat *ret)
{
	uint64_t *const fields[FIELDS] = {
		&ret->ppid,    NULL,	      NULL,	     NULL,	    NULL,	  NULL,		 &ret->minflt,
		&ret->cminflt, &ret->majflt, &ret->cmajflt, &ret->utime,   &ret->stime, &ret->cutime, &ret->cstime,
		NULL,	       NULL,	      &ret->threads, NULL,	    &ret->starttime, &ret->vsize, &ret->rss,
	};
	const char *open = memchr(text.at, '(', text_len(text)), *close = memrchr(text.at, ')', text_len(text));
	struct text rest, word;

	if (!text_u64(&text, &ret->pid) || !open || !close || close < open)
		return false;
	ret->name = (struct text){ open + 1, close };
	rest = (struct text){ close + 1, text.end };
	if (!text_word(&rest, &word) || text_len(word) != 1)
		return false;
	ret->state = *word.at;
	for (size_t i = 0; i < FIELDS; i++) {
		int64_t number;

		text_skip_blanks(&rest);
		if (rest.at < rest.end && *rest.at == '-') { /* the group of a terminal that is none; priorities */
			if (!text_i64(&rest, &number))
				return false;
			if (fields[i])
				*fields[i] = 0;
		} else if (!text_u64(&rest, fields[i] ? fields[i] : &(uint64_t){ 0 })) {
			return false;
		}
	}
	return true;
}
