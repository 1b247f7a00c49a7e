/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/outcome.h"

#include <errno.h>

#include "analysis/results.h"

#define KEPT_MAX ((size_t)32 << 20) /* far above what an agent keeps */

static void cut_back_to_a_line(struct buf *b)
{
	while (b->len > 0 && b->data[b->len - 1] != '\n')
		b->len--;
}

static int keep(struct kept *k, uint64_t offset, struct text data)
{
	if (offset < k->next) { /* told twice */
		uint64_t known = k->next - offset;

		data.at += known < text_len(data) ? known : text_len(data);
		offset = k->next;
	}
	if (data.at == data.end)
		return 0;
	if (offset > k->next) {
		cut_back_to_a_line(&k->text);
		k->skip = true;
	}
	k->next = offset + text_len(data);
	if (k->skip) {
		const char *newline = memchr(data.at, '\n', text_len(data));

		data.at = newline ? newline + 1 : data.end;
		k->skip = !newline;
	}
	if (k->text.len + text_len(data) > KEPT_MAX) {
		k->too_much = true;
		return 0;
	}
	return buf_add_text(&k->text, data);
}

int outcome_output(struct outcome *o, const struct run_output *output)
{
	struct kept *k = output->stream == OUTPUT_STDERR ? &o->error_out : &o->out;

	return keep(k, output->offset, text_n(output->data, output->length));
}

int outcome_log(struct outcome *o, const struct run_log *log)
{
	if (strcmp(log->source, LOG_SOURCE_KERNEL) == 0)
		return log_stats_kernel(&o->logs, text_of(log->text));
	if (strcmp(log->source, LOG_SOURCE_AGENT) == 0 && strcmp(log->text, LOG_TIME_LIMIT) == 0)
		o->timed_out = true;
	return 0;
}

int outcome_result(struct outcome *o, const struct run_result *result)
{
	return stats_set(&o->told, result->key, result->value);
}

static bool ended_well(const struct outcome *o)
{
	return o->ended && o->end.exited && o->end.exit_code == 0 && o->end.signal == 0;
}

static int put_told(const struct outcome *o, struct stats *ret)
{
	int r = 0;

	for (size_t i = 0; i < o->told.count && r == 0; i++) {
		const struct stat_value *s = &o->told.at[i];

		r = stats_set(ret, s->key, s->value);
		if (r == 0 && text_ends(text_of(s->key), "time.elapsed_time"))
			r = stats_setf(ret, s->value, "%s.max", s->key);
	}
	return r;
}

static int put_end(const struct outcome *o, const char *testcase, struct stats *ret)
{
	int code = o->end.signal ? 128 + o->end.signal : o->end.exit_code;
	int r;

	if (!o->ended || !o->end.exited)
		return stats_set(ret, "last_state.is_incomplete_run", 1);
	if (code == 0)
		return 0;
	r = stats_set(ret, "last_state.exit_fail", 1);
	return r < 0 ? r : stats_setf(ret, 1, "last_state.test.%s.exit_code.%d", testcase, code);
}

static int put_results(const struct outcome *o, const char *testcase, const char *json, struct stats *ret,
		       struct err *err)
{
	struct results_rules *rules = NULL;
	struct err why = { 0 };
	size_t found = 0;
	int r = results_compile(text_of(json), &rules, &why);

	if (r == -ENOMEM)
		return err_set(err, r, "%s", why.text);
	if (r < 0) { /* the other numbers of the run are worth having */
		r = stats_set(ret, "last_state.results_rules_unreadable", 1);
	} else if (ended_well(o) && !o->out.too_much && !o->error_out.too_much) {
		r = results_apply(rules, testcase, buf_text(&o->out.text), buf_text(&o->error_out.text), ret, &found,
				  &why);
		if (r == -ENOMEM)
			(void)err_set(err, r, "%s", why.text);
		else if (r < 0)
			r = stats_set(ret, "last_state.results_unreadable", 1);
	}
	results_free(rules);
	if (r == 0 && found == 0)
		r = stats_set(ret, "last_state.is_incomplete_run", 1);
	return r;
}

static int put_logs(struct outcome *o, const struct pairs *facts, struct stats *ret)
{
	const char *state = pairs_get(facts, KERNEL_LOG_FACT);
	int r = log_stats_error_lines(&o->logs, buf_text(&o->error_out.text));

	return r < 0 ? r : log_stats_finish(&o->logs, state && strcmp(state, KERNEL_LOG_READ) == 0, ret);
}

int outcome_finish(struct outcome *o, const struct pairs *axes, const struct pairs *facts, struct stats *ret,
		   struct err *err)
{
	const char *testcase = pairs_get(axes, "testcase");
	const char *json = pairs_get(facts, RESULTS_FACT);
	int r = put_told(o, ret);

	if (!testcase || !*testcase)
		testcase = "command";
	if (r == 0)
		r = put_end(o, testcase, ret);
	if (r == 0 && o->timed_out)
		r = stats_set(ret, "last_state.soft_timeout", 1);
	if (r == 0)
		r = put_logs(o, facts, ret);
	if (r == 0 && json)
		r = put_results(o, testcase, json, ret, err);
	return r;
}

void outcome_free(struct outcome *o)
{
	buf_free(&o->out.text);
	buf_free(&o->error_out.text);
	stats_free(&o->told);
	log_stats_free(&o->logs);
}
