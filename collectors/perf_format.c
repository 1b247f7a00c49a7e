/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collectors/perf_format.h"

#include <errno.h>

#define WORD_BITS 64

/* "7" or "0-7" from the front of `rest`. */
static bool range(struct text *rest, uint64_t *first, uint64_t *last)
{
	if (!text_u64(rest, first))
		return false;
	*last = *first;
	if (text_skip(rest, "-") && !text_u64(rest, last))
		return false;
	return *first <= *last && *last < WORD_BITS;
}

int perf_format_parse(struct text text, struct perf_format *ret, struct err *err)
{
	struct text whole = text_trim(text), rest = whole;
	struct perf_format f = { 0 };
	uint64_t word = 0, first, last;
	bool good = text_skip(&rest, "config") && (text_starts(rest, ":") || text_u64(&rest, &word)) &&
		    text_skip(&rest, ":");

	if (good && word >= PERF_WORDS)
		return err_set(err, -EOPNOTSUPP, "\"%.*s\": there is no such word to set", TEXT_ARGS(whole));
	f.word = (unsigned)word;
	do {
		good = good && f.count < PERF_RANGES && range(&rest, &first, &last);
		if (!good)
			break;
		f.at[f.count].first = (uint8_t)first;
		f.at[f.count++].last = (uint8_t)last;
	} while (text_skip(&rest, ","));
	if (!good || text_len(rest) > 0)
		return err_set(err, -EINVAL, "\"%.*s\" is not of the form config:0-7",
			       text_len(whole) > 80 ? 80 : (int)text_len(whole), whole.at);
	*ret = f;
	return 0;
}

static uint64_t low_bits(unsigned count)
{
	return count >= WORD_BITS ? UINT64_MAX : (UINT64_C(1) << count) - 1;
}

int perf_format_put(const struct perf_format *format, uint64_t value, struct perf_code *code, struct err *err)
{
	uint64_t *word = &code->config[format->word];
	uint64_t left = value, set = *word;

	for (unsigned i = 0; i < format->count; i++) {
		unsigned first = format->at[i].first, width = format->at[i].last - first + 1;

		set &= ~(low_bits(width) << first);
		set |= (left & low_bits(width)) << first;
		left = width >= WORD_BITS ? 0 : left >> width;
	}
	if (left)
		return err_set(err, -ERANGE, "%#llx has more bits than there is room for", (unsigned long long)value);
	*word = set;
	return 0;
}

int perf_terms_add(struct perf_terms *terms, const struct perf_term *term, struct err *err)
{
	for (size_t i = 0; i < terms->count; i++) {
		if (!text_same(terms->at[i].name, term->name))
			continue;
		terms->at[i] = *term;
		return 0;
	}
	if (terms->count == PERF_TERMS)
		return err_set(err, -EINVAL, "more than %d terms", PERF_TERMS);
	terms->at[terms->count++] = *term;
	return 0;
}

static bool value_of(struct text text, struct perf_term *term)
{
	term->given = true;
	if (text_is(text, "?")) {
		term->asked = true;
		return true;
	}
	if (text_len(text) == 0 || *text.at == ' ' || *text.at == '\t')
		return false;
	if (text_starts(text, "0x") || text_starts(text, "0X"))
		return text_hex(&text, &term->value) && text_len(text) == 0;
	return text_u64(&text, &term->value) && text_len(text) == 0;
}

int perf_terms_parse(struct text text, struct perf_terms *ret, struct err *err)
{
	struct text rest = text_trim(text);

	while (text_len(rest) > 0) {
		const char *comma = memchr(rest.at, ',', text_len(rest));
		struct text whole = { rest.at, comma ? comma : rest.end };
		const char *sign = memchr(whole.at, '=', text_len(whole));
		struct perf_term term = { .name = { whole.at, sign ? sign : whole.end }, .value = 1 };

		rest.at = comma ? comma + 1 : rest.end;
		if (text_len(term.name) == 0 || (sign && !value_of((struct text){ sign + 1, whole.end }, &term)))
			return err_set(err, -EINVAL, "\"%.*s\" is no term such as umask=0x1",
				       text_len(whole) > 80 ? 80 : (int)text_len(whole), whole.at);
		if (perf_terms_add(ret, &term, err) < 0)
			return err->code;
	}
	return 0;
}
