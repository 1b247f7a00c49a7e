/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lab/json.h"

#include <inttypes.h>

int json_run(struct buf *b, const struct store_run *run, bool facts)
{
	(void)buf_printf(b, "{\"id\":\"%s\",\"axes\":", run->id.text);
	(void)json_pairs(b, &run->axes);
	if (facts) {
		(void)buf_puts(b, ",\"facts\":");
		(void)json_pairs(b, &run->facts);
	}
	(void)buf_puts(b, ",\"host\":");
	(void)json_text(b, text_of(run->host ? run->host : ""));
	(void)buf_printf(b, ",\"time_ns\":%" PRIu64, run->realtime_ns);
	if (run->duration_ns)
		(void)buf_printf(b, ",\"duration_ns\":%" PRIu64, run->duration_ns);
	else
		(void)buf_puts(b, ",\"duration_ns\":null");
	(void)buf_printf(b, ",\"segments\":%" PRIu32 ",\"bytes\":%" PRIu64, run->segments, run->bytes);
	if (!run->complete)
		return buf_puts(b, ",\"complete\":false,\"exit_code\":null,\"signal\":null}");
	return buf_printf(b, ",\"complete\":true,\"exit_code\":%d,\"signal\":%d}", run->exit_code, run->signal);
}

int json_runs(struct buf *b, const struct store_runs *runs, bool facts)
{
	(void)buf_puts(b, "{\"runs\":[");
	for (size_t i = 0; i < runs->count; i++) {
		if (i)
			(void)buf_putc(b, ',');
		(void)json_run(b, &runs->at[i], facts);
	}
	return buf_puts(b, "]}\n");
}

int json_stats(struct buf *b, const struct ulid *run, const struct stats *stats)
{
	(void)buf_printf(b, "{\"run\":\"%s\",\"stats\":{", run->text);
	for (size_t i = 0; i < stats->count; i++) {
		if (i)
			(void)buf_putc(b, ',');
		(void)json_text(b, text_of(stats->at[i].key));
		(void)buf_putc(b, ':');
		(void)json_number(b, stats->at[i].value);
	}
	return buf_puts(b, "}}\n");
}
