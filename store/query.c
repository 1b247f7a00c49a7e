/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/query.h"

#include <errno.h>
#include <time.h>

#include "base/option.h"

#define WHERE_MAX 64 /* parts of one query */

enum query_part query_part(const char *name)
{
	static const char *const names[] = { [QUERY_ID] = "id",       [QUERY_COMPLETE] = "complete",
					     [QUERY_HOST] = "host",   [QUERY_SINCE] = "since",
					     [QUERY_UNTIL] = "until" };

	for (size_t i = QUERY_ID; i <= QUERY_UNTIL; i++)
		if (strcmp(names[i], name) == 0)
			return (enum query_part)i;
	return QUERY_AXIS;
}

/* Exactly `digits` digits. */
static bool digits_of(struct text *t, size_t digits, int *ret)
{
	struct text part = { t->at, t->at + digits };
	uint64_t number;

	if (text_len(*t) < digits || *t->at < '0' || *t->at > '9' || !text_u64(&part, &number) || part.at != part.end)
		return false;
	*ret = (int)number;
	t->at += digits;
	return true;
}

/* "2026-11-30", "2026-11-30T17:05", "2026-11-30T17:05:09", all UTC; `span`: how many seconds it names. */
static bool date_of(struct text t, int64_t *ret, int64_t *span)
{
	struct tm tm = { 0 }, again;
	int year;

	if (!digits_of(&t, 4, &year) || !text_skip(&t, "-") || !digits_of(&t, 2, &tm.tm_mon) || !text_skip(&t, "-") ||
	    !digits_of(&t, 2, &tm.tm_mday))
		return false;
	tm.tm_year = year - 1900;
	tm.tm_mon--;
	*span = 24 * 60 * 60;
	if (text_skip(&t, "T")) {
		if (!digits_of(&t, 2, &tm.tm_hour) || !text_skip(&t, ":") || !digits_of(&t, 2, &tm.tm_min))
			return false;
		*span = 60;
		if (text_skip(&t, ":")) {
			if (!digits_of(&t, 2, &tm.tm_sec))
				return false;
			*span = 1;
		}
	}
	again = tm;
	*ret = timegm(&again);
	/* timegm() would take the 31st of February for the 3rd of March */
	return t.at == t.end && year >= 1970 && again.tm_mday == tm.tm_mday && again.tm_mon == tm.tm_mon &&
	       again.tm_hour == tm.tm_hour && again.tm_min == tm.tm_min && again.tm_sec == tm.tm_sec;
}

int query_time(const char *name, const char *value, bool until, struct ulid *ret, struct err *err)
{
	static const char alphabet[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
	struct text t = text_of(value);
	int64_t seconds = 0, span = 1;
	uint64_t number, ms;

	if (text_u64(&t, &number) && t.at == t.end && number < (UINT64_C(1) << 48) / 1000)
		seconds = (int64_t)number;
	else if (!date_of(text_of(value), &seconds, &span))
		return err_set(err, -EINVAL,
			       "%s=%s: not a time; write 2026-11-30, 2026-11-30T17:05 (UTC) or seconds since 1970",
			       name, value);
	ms = (uint64_t)seconds * 1000 + (until ? (uint64_t)span * 1000 - 1 : 0);
	for (int i = 0; i < 10; i++)
		ret->text[i] = alphabet[ms >> 5 * (9 - i) & 31];
	memset(ret->text + 10, until ? 'Z' : '0', ULID_LENGTH - 10);
	ret->text[ULID_LENGTH] = '\0';
	return 0;
}

static bool name_is(struct text name)
{
	for (struct text t = name; t.at < t.end; t.at++)
		if (!memchr("_.-", *t.at, 3) && !(*t.at >= '0' && *t.at <= '9') && !(*t.at >= 'a' && *t.at <= 'z') &&
		    !(*t.at >= 'A' && *t.at <= 'Z'))
			return false;
	return text_len(name) > 0;
}

/* A value up to the next comma, or quoted: "a,b", with "" for a quote within. */
static int take_value(struct text *rest, struct buf *ret, const char *name, struct err *err)
{
	bool quoted = text_skip(rest, "\""), closed = !quoted;

	buf_clear(ret);
	while (rest->at < rest->end && (quoted || *rest->at != ',')) {
		if (quoted && *rest->at == '"') {
			rest->at++;
			closed = rest->at == rest->end || *rest->at != '"';
			if (closed)
				break;
		}
		(void)buf_putc(ret, *rest->at++);
	}
	if (!closed)
		return err_set(err, -EINVAL, "%s=: the quote is not closed", name);
	if (rest->at < rest->end && *rest->at != ',')
		return err_set(err, -EINVAL, "%s=\"%s\": a comma must follow the closing quote, not '%c'", name,
			       ret->data ? ret->data : "", *rest->at);
	(void)buf_reserve(ret, 0); /* an empty value is a text, too */
	if (ret->failed)
		return err_set(err, -ENOMEM, "%s: no memory", name);
	ret->data[ret->len] = '\0';
	return 0;
}

static int check_value(const char *name, const char *value, struct err *err)
{
	struct ulid time;
	bool yes;

	switch (query_part(name)) {
	case QUERY_ID:
		if (!ulid_is_prefix(text_of(value)))
			return err_set(err, -EINVAL, "id=%s: not the beginning of a run's id", value);
		return 0;
	case QUERY_COMPLETE:
		return parse_bool("complete", value, &yes, err);
	case QUERY_SINCE:
	case QUERY_UNTIL:
		return query_time(name, value, false, &time, err);
	case QUERY_AXIS:
	case QUERY_HOST:
		break;
	}
	return 0;
}

static int set_part(struct store_query *query, const char *name, const char *value, struct err *err)
{
	struct text t = text_of(value);
	uint64_t limit;
	int r;

	if (strcmp(name, "limit") == 0) {
		if (query->limit || !text_u64(&t, &limit) || t.at != t.end || limit == 0 || limit > SIZE_MAX / 2)
			return err_set(err, -EINVAL, "limit=%s: give one number above 0", value);
		query->limit = (size_t)limit;
		return 0;
	}
	if (pairs_get(&query->where, name))
		return err_set(err, -EINVAL, "'%s' stands twice; a glob can name several values", name);
	if (query->where.count == WHERE_MAX)
		return err_set(err, -EINVAL, "more than %d parts in a query", WHERE_MAX);
	r = check_value(name, value, err);
	if (r == 0 && pairs_set(&query->where, name, value) < 0)
		r = err_set(err, -ENOMEM, "%s: no memory", name);
	return r;
}

static int take_part(struct store_query *query, struct text *rest, struct buf *name, struct buf *value, struct err *err)
{
	struct text part = *rest, word;
	int r;

	while (rest->at < rest->end && *rest->at != '=' && *rest->at != ',')
		rest->at++;
	word = text_trim((struct text){ part.at, rest->at });
	if (rest->at == rest->end || *rest->at != '=')
		return err_set(err, -EINVAL, "'%.*s' is not NAME=VALUE", TEXT_ARGS(word));
	if (!name_is(word))
		return err_set(err, -EINVAL, "'%.*s': a name has only letters, digits, '_', '.' and '-'",
			       TEXT_ARGS(word));
	rest->at++;
	buf_clear(name);
	if (buf_add_text(name, word) < 0)
		return err_set(err, -ENOMEM, "no memory");
	r = take_value(rest, value, name->data, err);
	return r < 0 ? r : set_part(query, name->data, value->data, err);
}

int store_query_parse(struct store_query *query, const char *text, struct err *err)
{
	cleanup_buf struct buf name = { 0 }, value = { 0 };
	struct text rest = text_trim(text_of(text));
	bool more = rest.at < rest.end;
	int r = 0;

	*query = (struct store_query){ 0 };
	while (r == 0 && more) {
		r = take_part(query, &rest, &name, &value, err);
		more = text_skip(&rest, ","); /* then a part must follow */
	}
	if (r < 0)
		store_query_free(query);
	return r;
}

void store_query_free(struct store_query *query)
{
	pairs_free(&query->where);
	query->limit = 0;
}
