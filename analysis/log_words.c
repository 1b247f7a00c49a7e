/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/log_words.h"

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

static bool is_hex(char c)
{
	return log_is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static bool is_word(char c)
{
	return log_is_letter(c) || log_is_digit(c) || c == '_';
}

static const char *hex_end(struct text t)
{
	while (t.at < t.end && is_hex(*t.at))
		t.at++;
	return t.at;
}

static const char *word_end(struct text t)
{
	while (t.at < t.end && is_word(*t.at))
		t.at++;
	return t.at;
}

bool log_skip_unstable(struct text *rest)
{
	struct text t = *rest;

	if (text_skip(&t, "+0x") && hex_end(t) > t.at) {
		t.at = hex_end(t);
		if (text_skip(&t, "/0x"))
			t.at = hex_end(t);
		rest->at = t.at;
		return true;
	}
	t = *rest;
	if (text_skip(&t, "[<")) {
		t.at = hex_end(t);
		if (text_skip(&t, ">]")) {
			rest->at = t.at;
			return true;
		}
		return false;
	}
	if (text_skip(&t, "(Tainted:")) {
		const char *end = memchr(t.at, ')', text_len(t));

		if (end)
			rest->at = end + 1;
		return end != NULL;
	}
	return false;
}

/* "6.1.0-13-amd64": two points, then perhaps more words. */
static const char *number_end(struct text t)
{
	size_t points = 0;

	for (; t.at < t.end && (log_is_digit(*t.at) || *t.at == '.'); t.at++)
		points += *t.at == '.';
	if (points < 2 || t.at == t.end || (*t.at != '-' && *t.at != '+'))
		return t.at;
	while (t.at < t.end && (is_word(*t.at) || *t.at == '-' || *t.at == '+' || *t.at == '.'))
		t.at++;
	return t.at;
}

static bool skip_name_of(struct text *rest, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct text t = *rest;

		if (text_skip(&t, names[i]) && text_skip(&t, " ")) {
			t.at--;
			*rest = t;
			return true;
		}
	}
	return false;
}

/* "Tue Dec" or "Dec 1" */
static bool skip_day(struct text *rest)
{
	static const char *const days[] = { "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun" };
	static const char *const months[] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun",
					      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec" };
	struct text t = *rest, next;

	if (skip_name_of(&t, days, COUNT(days))) {
		next = t;
		text_skip_blanks(&next);
		if (!skip_name_of(&next, months, COUNT(months)))
			return false;
	} else if (skip_name_of(&t, months, COUNT(months))) {
		next = t;
		text_skip_blanks(&next);
		if (next.at == next.end || !log_is_digit(*next.at))
			return false;
	} else {
		return false;
	}
	*rest = t;
	return true;
}

bool log_skip_number(struct text *rest)
{
	struct text t = *rest;
	const char *end, *word;
	bool digit = false;

	if (text_skip(rest, "(____ptrval____)") || text_skip(rest, "(ptrval)"))
		return true;
	if (text_skip(&t, "0x")) {
		end = hex_end(t);
		if (end == t.at)
			return false;
		rest->at = end;
		return true;
	}
	end = hex_end(t);
	word = word_end(t);
	for (const char *at = t.at; at < end; at++)
		digit = digit || log_is_digit(*at);
	if (end == word && digit && end - t.at >= 8) {
		rest->at = end;
		return true;
	}
	if (t.at < t.end && log_is_digit(*t.at)) {
		rest->at = number_end(t);
		return true;
	}
	return skip_day(rest);
}

/* "-c0:6886" of "trinity-c0:6886": a program's children. */
static bool skip_child(struct text *rest)
{
	struct text t = *rest;
	uint64_t number;

	if (!text_skip(&t, "-c") || t.at == t.end || !log_is_digit(*t.at) || !text_u64(&t, &number) ||
	    !text_skip(&t, ":"))
		return false;
	*rest = t;
	return true;
}

bool log_skip_device(struct text *rest, struct text *kept)
{
	static const char *const numbered[] = { "eth", "wlan", "loop", "nvme", "nbd", "zram",
						"md",  "sr",   "dm-",  "cpu",  "CPU", "node" };
	static const char *const lettered[] = { "xvd", "sd", "vd", "hd" };
	const char *end = word_end(*rest);

	*kept = text_n(rest->at, 0);
	if (skip_child(rest))
		return true;
	for (size_t i = 0; i < COUNT(numbered); i++) {
		struct text t = *rest;

		if (text_skip(&t, numbered[i]) && t.at < t.end && log_is_digit(*t.at)) {
			*kept = text_n(rest->at, strlen(numbered[i]));
			rest->at = word_end(t);
			return true;
		}
	}
	for (size_t i = 0; i < COUNT(lettered); i++) {
		struct text t = *rest;

		if (!text_skip(&t, lettered[i]) || t.at == t.end || *t.at < 'a' || *t.at > 'z')
			continue;
		t.at++;
		while (t.at < end && log_is_digit(*t.at))
			t.at++;
		if (t.at != end)
			continue;
		*kept = text_n(rest->at, strlen(lettered[i]));
		rest->at = end;
		return true;
	}
	if (text_starts(*rest, "kworker/")) {
		struct text t = *rest;

		(void)text_skip(&t, "kworker/");
		*kept = text_n(rest->at, strlen("kworker/"));
		while (t.at < t.end && (is_word(*t.at) || *t.at == ':'))
			t.at++;
		rest->at = t.at;
		return true;
	}
	return false;
}
