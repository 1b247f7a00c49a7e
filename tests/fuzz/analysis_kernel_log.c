/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as lines of the kernel's log and of stderr -> stats. Each key has to be one that can be written and read. */
#include <stdint.h>
#include <stdlib.h>

#include "analysis/kernel_line.h"
#include "analysis/log_stats.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct text all = text_n((const char *)data, size), rest = all, line;
	struct log_stats logs = { 0 };
	struct stats stats = { 0 }, again = { 0 };
	struct buf text = { 0 };
	struct err err;

	while (text_line(&rest, &line)) {
		struct kernel_line read = kernel_line_read(line);

		if (read.text.at < line.at || read.text.end > line.end || kernel_line_unescape(read.text, &text) < 0 ||
		    log_stats_kernel(&logs, line) < 0)
			abort();
	}
	(void)kernel_line_read(all);
	buf_clear(&text);
	if (log_stats_error_lines(&logs, all) < 0 || log_stats_finish(&logs, true, &stats) < 0)
		abort();
	stats_sort(&stats);
	if (stats_write(&stats, &text) < 0 || stats_read(buf_text(&text), &again, &err) < 0 ||
	    again.count != stats.count)
		abort();
	stats_free(&stats);
	stats_free(&again);
	log_stats_free(&logs);
	buf_free(&text);
	return 0;
}
