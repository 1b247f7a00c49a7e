/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The words of a message that differ from run to run. */
#ifndef ASSAY_ANALYSIS_LOG_WORDS_H
#define ASSAY_ANALYSIS_LOG_WORDS_H

#include <stdbool.h>

#include "base/text.h"

static inline bool log_is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static inline bool log_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Each skips what it names at the front and says whether it was there. The last two are for the beginning of a word. */
bool log_skip_unstable(struct text *rest); /* "+0x1/0x2", "[<ff00>]", "(Tainted: G W)": they leave nothing */
bool log_skip_number(struct text *rest);   /* 12, 1.5, 6.1.0-13-amd64, 0xff, ffff8801, (____ptrval____), a day's name */
bool log_skip_device(struct text *rest, struct text *kept); /* eth0, sda1, kworker/u2:2; what stays of it: eth, sd */

#endif
