/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page at "/": the last runs, and a form that compares. Everything a client ever sent is escaped. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "base/html.h"
#include "server/api.h"
#include "store/store.h"

#define RUNS_SHOWN  200
#define AXES_SHOWN  16 /* of a run */
#define VALUE_SHOWN 80 /* bytes */

static const char head[] =
	"<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>assay</title>\n"
	"<meta name=\"viewport\" content=\"width=device-width\">\n"
	"<style>body{font:15px/1.4 sans-serif;margin:2em}table{border-collapse:collapse}"
	"td,th{text-align:left;padding:.15em 1em .15em 0;border-bottom:1px solid #ddd;vertical-align:top}"
	"code,input{font:13px monospace}</style></head><body>\n<h1>assay</h1>\n"
	"<form action=\"v1/compare\"><input type=\"hidden\" name=\"format\" value=\"html\">Compare <input name=\"base\" size=\"40\" required "
	"placeholder=\"commit=v6.12,testcase=hackbench\">\n"
	"with <input name=\"head\" size=\"40\" required placeholder=\"commit=v6.13,testcase=hackbench\"> "
	"<button>compare</button></form>\n"
	"<h2>Runs</h2>\n";

static void add_ending(struct buf *b, const struct store_run *run)
{
	if (!run->complete)
		(void)buf_puts(b, "incomplete");
	else if (run->signal)
		(void)buf_printf(b, "signal %d", run->signal);
	else
		(void)buf_printf(b, "exit %d", run->exit_code);
}

/* The beginning of what is long; a letter of several bytes stays whole. */
static void add_short(struct buf *b, const char *text)
{
	char part[VALUE_SHOWN + 1];
	size_t n = strnlen(text, VALUE_SHOWN + 1);

	if (n <= VALUE_SHOWN) {
		(void)html_text(b, text);
		return;
	}
	for (n = VALUE_SHOWN; n > 0 && ((unsigned char)text[n] & 0xc0) == 0x80; n--)
		;
	memcpy(part, text, n);
	part[n] = '\0';
	(void)html_text(b, part);
	(void)buf_puts(b, "&hellip;");
}

static void add_axes(struct buf *b, const struct store_run *run)
{
	for (size_t i = 0; i < run->axes.count && i < AXES_SHOWN; i++) {
		(void)buf_puts(b, i ? " <code>" : "<code>");
		add_short(b, run->axes.at[i].name);
		(void)buf_putc(b, '=');
		add_short(b, run->axes.at[i].value);
		(void)buf_puts(b, "</code>");
	}
	if (run->axes.count > AXES_SHOWN)
		(void)buf_printf(b, " and %zu more", run->axes.count - AXES_SHOWN);
}

static void add_run(struct buf *b, const struct store_run *run)
{
	time_t seconds = (time_t)(run->realtime_ns / 1000000000);
	char when[32] = "";
	struct tm utc;

	if (gmtime_r(&seconds, &utc))
		(void)strftime(when, sizeof(when), "%Y-%m-%d %H:%M:%S", &utc);
	(void)buf_printf(b, "<tr><td>%s<td><a href=\"v1/runs/%s\"><code>%s</code></a><td>", when, run->id.text,
			 run->id.text);
	add_short(b, run->host ? run->host : "");
	(void)buf_puts(b, "<td>");
	add_axes(b, run);
	(void)buf_puts(b, "<td>");
	add_ending(b, run);
	(void)buf_printf(b, "<td><a href=\"v1/runs/%s/stats\">stats</a>\n", run->id.text);
}

void get_index(struct request *q, struct store *store)
{
	struct store_query query = { .limit = RUNS_SHOWN };
	struct store_runs runs = { 0 };
	struct buf body = { 0 };
	struct err err = { 0 };

	if (store_find(store, &query, &runs, &err) < 0) {
		answer_failure(q, &err);
		return;
	}
	(void)buf_puts(&body, head);
	if (runs.count)
		(void)buf_printf(
			&body,
			"<p>The last %zu. <a href=\"v1/runs\">All as JSON</a></p>\n<table><tr><th>time (UTC)<th>"
			"run<th>host<th>axes<th>ended<th></tr>\n",
			runs.count);
	else
		(void)buf_puts(&body,
			       "<p>None yet: <code>assay run --to URL -- COMMAND</code> sends one.</p><table>\n");
	for (size_t i = runs.count; i-- > 0;)
		add_run(&body, &runs.at[i]);
	(void)buf_puts(&body, "</table></body></html>\n");
	store_runs_free(&runs);
	answer_with(q, MHD_HTTP_OK, TYPE_HTML, &body);
}
