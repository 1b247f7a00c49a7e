/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collectors/perf_encode.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/take.h"
#include "collectors/perf_library.h"
#include "collectors/perf_names.h"

#define CODES_MAX 512

struct encoder {
	struct perf_pmus *pmus;
	struct text name;      /* without modifiers */
	struct perf_code only; /* what these exclude */
	struct perf_found *found;
	size_t count;
	struct err *err;
};

static int no_memory(struct encoder *e)
{
	return err_set(e->err, -ENOMEM, "no memory");
}

static int put(struct encoder *e, size_t pmu, struct perf_code code, unsigned factor)
{
	struct perf_found *found = realloc(e->found, (e->count + 1) * sizeof(*found));

	if (!found)
		return no_memory(e);
	code.exclude_user = code.exclude_user || e->only.exclude_user;
	code.exclude_kernel = code.exclude_kernel || e->only.exclude_kernel;
	code.exclude_hypervisor = code.exclude_hypervisor || e->only.exclude_hypervisor;
	found[e->count] = (struct perf_found){ code, pmu, factor };
	e->found = found;
	e->count++;
	return 0;
}

static int need_cores(struct encoder *e)
{
	int r = perf_pmus_cores(e->pmus, e->err);

	for (size_t i = 0; i < e->pmus->count && r == 0; i++)
		if (e->pmus->at[i].core)
			return 0;
	return r < 0 ? r : err_set(e->err, -ENOENT, "the cores show no PMU (a guest has one only if it is given one)");
}

/* A file of a PMU's folder `events` or `format`. */
static int read_file(struct encoder *e, const char *pmu, const char *folder, struct text file, const char *suffix,
		     struct buf *ret)
{
	cleanup_buf struct buf path = { 0 };
	struct err ignored;
	int r;

	buf_clear(ret);
	if (text_len(file) == 0 || text_len(file) > 128 || memchr(file.at, '/', text_len(file)) ||
	    memchr(file.at, '\0', text_len(file)))
		return -ENOENT;
	if (buf_printf(&path, PERF_DEVICES "/%s/%s/%.*s%s", pmu, folder, TEXT_ARGS(file), suffix) < 0)
		return no_memory(e);
	r = host_read(e->pmus->host, path.data, ret, &ignored);
	return r == -ENOMEM ? no_memory(e) : r;
}

/* ---- terms of sysfs ---- */

/* events/<name>.scale: only a whole number can be applied to counts; others are for who reads them. */
static unsigned factor_of(struct encoder *e, const char *pmu, struct text event)
{
	cleanup_buf struct buf text = { 0 };
	struct text rest;
	uint64_t factor;

	if (read_file(e, pmu, "events", event, ".scale", &text) < 0)
		return 1;
	rest = text_trim(buf_text(&text));
	return text_u64(&rest, &factor) && text_len(rest) == 0 && factor > 0 && factor <= 1024 ? (unsigned)factor : 1;
}

static int put_term(struct encoder *e, const char *pmu, const struct perf_term *term, struct perf_code *code)
{
	static const char *const words[PERF_WORDS] = { "config", "config1", "config2" };
	int shown = text_len(term->name) > 60 ? 60 : (int)text_len(term->name);
	cleanup_buf struct buf text = { 0 };
	struct perf_format format;
	int r;

	if (term->asked)
		return err_set(e->err, -EINVAL, "a value must be given for %.*s", shown, term->name.at);
	for (int word = 0; word < PERF_WORDS; word++) {
		if (!text_is(term->name, words[word]))
			continue;
		code->config[word] = term->value;
		return 0;
	}
	r = read_file(e, pmu, "format", term->name, "", &text);
	if (r == -ENOMEM)
		return r;
	if (r < 0)
		return err_set(e->err, -ENOENT, "neither events nor format of %s know %.*s", pmu, shown, term->name.at);
	r = perf_format_parse(buf_text(&text), &format, e->err);
	if (r == 0)
		r = perf_format_put(&format, term->value, code, e->err);
	if (r == 0)
		return 0;
	(void)err_prefix(e->err, "%s/format/%.*s: ", pmu, shown, term->name.at);
	e->err->code = r == -ERANGE ? -EINVAL : -ENOENT; /* the user's value; what the kernel shows */
	return e->err->code;
}

/* The terms of the first event that is named among `given`, in `ret`, views of `text`; and which one it was, or -1. */
static int event_terms(struct encoder *e, const char *pmu, const struct perf_terms *given, struct perf_terms *ret,
		       struct buf *text)
{
	for (size_t i = 0; i < given->count; i++) {
		struct err why;
		int r;

		if (given->at[i].given)
			continue;
		r = read_file(e, pmu, "events", given->at[i].name, "", text);
		if (r == -ENOMEM)
			return r;
		if (r < 0)
			continue;
		if (perf_terms_parse(buf_text(text), ret, &why) < 0)
			return err_set(e->err, -ENOENT, "%s/events/%.*s: %s", pmu, TEXT_ARGS(given->at[i].name),
				       why.text);
		return (int)i;
	}
	return -1;
}

/* The user's terms take the place of those of the event that one of them may name. */
static int put_terms(struct encoder *e, size_t nth, struct text text)
{
	const struct perf_pmu *pmu = &e->pmus->at[nth];
	cleanup_buf struct buf event = { 0 };
	struct perf_terms given = { 0 }, all = { 0 };
	struct perf_code code = { .type = pmu->type };
	unsigned factor = 1;
	int named, r = perf_terms_parse(text, &given, e->err);

	if (r < 0)
		return r;
	named = event_terms(e, pmu->name, &given, &all, &event);
	if (named < -1)
		return named;
	if (named >= 0)
		factor = factor_of(e, pmu->name, given.at[named].name);
	for (int i = 0; i < (int)given.count && r == 0; i++)
		if (i != named)
			r = perf_terms_add(&all, &given.at[i], e->err);
	if (r < 0)
		return r;
	for (size_t i = 0; i < all.count && r == 0; i++)
		r = put_term(e, pmu->name, &all.at[i], &code);
	return r < 0 ? r : put(e, nth, code, factor);
}

/* "cpu/event=0x3c,umask=1/uk" */
static int encode_terms(struct encoder *e, const char *slash)
{
	struct text pmu = { e->name.at, slash }, terms = { slash + 1, e->name.end };
	const char *last = memchr(terms.at, '/', text_len(terms));
	struct text modifiers = { last ? last + 1 : terms.end, terms.end };
	struct names found = { 0 };
	int r;

	if (!last)
		return err_set(e->err, -EINVAL, "the second '/' is missing");
	terms.end = last;
	if (text_len(modifiers) > 0) {
		char whole[16];
		struct text named;

		(void)text_skip(&modifiers, ":");
		(void)snprintf(whole, sizeof(whole), "x:%.*s", text_len(modifiers) > 8 ? 8 : (int)text_len(modifiers),
			       modifiers.at);
		named = text_of(whole);
		if (!perf_name_modifiers(&named, &e->only))
			return err_set(e->err, -EINVAL, "behind the second '/' only u, k and h are known");
	}
	r = need_cores(e);
	if (r == -ENOMEM)
		return r;
	r = perf_pmus_match(e->pmus, pmu, &found, e->err);
	if (r == 0 && found.count == 0)
		r = err_set(e->err, -ENOENT, "%s has no %.*s", PERF_DEVICES,
			    text_len(pmu) > 60 ? 60 : (int)text_len(pmu), pmu.at);
	for (size_t i = 0; i < found.count && r == 0; i++) {
		int nth = perf_pmus_find(e->pmus, text_of(found.at[i]), e->err);

		r = nth < 0 ? nth : put_terms(e, (size_t)nth, terms);
	}
	names_free(&found);
	return r;
}

/* ---- names ---- */

/* One that perf_event_open(2) numbers. */
static int encode_numbered(struct encoder *e, struct perf_code code)
{
	int r;

	if (code.type == PERF_TYPE_SOFTWARE) {
		r = perf_pmus_find(e->pmus, text_of("software"), e->err);
		return r < 0 ? r : put(e, (size_t)r, code, 1);
	}
	r = need_cores(e);
	for (size_t i = 0; i < e->pmus->count && r == 0; i++) {
		struct perf_code one = code;

		if (!e->pmus->at[i].core)
			continue;
		if (perf_pmu_is_hybrid(&e->pmus->at[i]))
			one.config[0] |= (uint64_t)e->pmus->at[i].type << 32;
		r = put(e, i, one, 1);
	}
	return r;
}

/* "r01c2"; -ENOENT: it is not of that form. */
static int encode_raw(struct encoder *e)
{
	struct text rest = e->name;
	struct perf_code code = { .type = PERF_TYPE_RAW };
	int r;

	if (!text_skip(&rest, "r") || text_len(rest) == 0 || text_starts(rest, "0x") || *rest.at == ' ' ||
	    *rest.at == '\t' || !text_hex(&rest, &code.config[0]) || text_len(rest) > 0)
		return -ENOENT;
	r = need_cores(e);
	for (size_t i = 0; i < e->pmus->count && r == 0; i++) {
		if (!e->pmus->at[i].core)
			continue;
		if (perf_pmu_is_hybrid(&e->pmus->at[i]))
			code.type = e->pmus->at[i].type;
		r = put(e, i, code, 1);
	}
	return r == -ENOENT ? -ENODEV : r;
}

/* events/<name> of the cores' PMU; -ENOENT: none has it. */
static int encode_shown(struct encoder *e)
{
	int r = need_cores(e);

	for (size_t i = 0; i < e->pmus->count && r == 0; i++) {
		cleanup_buf struct buf event = { 0 };

		if (!e->pmus->at[i].core)
			continue;
		r = read_file(e, e->pmus->at[i].name, "events", e->name, "", &event);
		if (r == 0)
			r = put_terms(e, i, e->name);
		else if (r != -ENOMEM)
			r = 0;
	}
	return r < 0 || e->count > 0 ? r : -ENOENT;
}

/* "sched:sched_switch"; -ENOENT: it is not shown. */
static int encode_tracepoint(struct encoder *e, struct text name)
{
	static const char *const mounts[] = { "sys/kernel/tracing", "sys/kernel/debug/tracing" };
	const char *colon = memchr(name.at, ':', text_len(name));
	struct perf_code code = { .type = PERF_TYPE_TRACEPOINT };
	struct text rest;
	int r;

	if (!colon || colon == name.at || colon + 1 == name.end || memchr(name.at, '/', text_len(name)) ||
	    text_len(name) > 200)
		return -ENOENT;
	for (size_t i = 0; i < sizeof(mounts) / sizeof(*mounts); i++) {
		cleanup_buf struct buf path = { 0 }, id = { 0 };
		struct err ignored;

		if (buf_printf(&path, "%s/events/%.*s/%.*s/id", mounts[i], (int)(colon - name.at), name.at,
			       (int)(name.end - colon - 1), colon + 1) < 0)
			return no_memory(e);
		r = host_read(e->pmus->host, path.data, &id, &ignored);
		rest = text_trim(buf_text(&id));
		if (r < 0 || !text_u64(&rest, &code.config[0]) || text_len(rest) > 0)
			continue;
		r = perf_pmus_find(e->pmus, text_of("tracepoint"), e->err);
		return r < 0 ? r : put(e, (size_t)r, code, 1);
	}
	return -ENOENT;
}

/* Where an event of libpfm's is opened: on the cores whose type it has, raw ones on all, else on the PMU of its type.
 */
static int put_library(struct encoder *e, const struct perf_code *code)
{
	bool any = false;
	int r = 0, nth;

	for (int pass = 0; pass < 2 && !any && r == 0; pass++)
		for (size_t i = 0; i < e->pmus->count && r == 0; i++) {
			if (!e->pmus->at[i].core ||
			    (pass == 0 ? e->pmus->at[i].type != code->type : code->type != PERF_TYPE_RAW))
				continue;
			any = true;
			r = put(e, i, *code, 1);
		}
	if (any || r < 0)
		return r;
	nth = perf_pmus_of_type(e->pmus, code->type, e->err);
	return nth < 0 ? nth : put(e, (size_t)nth, *code, 1);
}

static int encode_by_library(struct encoder *e, struct text whole)
{
	cleanup_free struct perf_code *codes = calloc(CODES_MAX, sizeof(*codes));
	cleanup_free char *name = text_copy(whole);
	int count, r;

	if (!codes || !name)
		return no_memory(e);
	count = perf_library_find(name, codes, CODES_MAX, e->err);
	if (count < 0)
		return count;
	r = perf_pmus_cores(e->pmus, e->err);
	for (int i = 0; i < count && r == 0; i++)
		r = put_library(e, &codes[i]);
	return r;
}

static bool is_plain(struct text name)
{
	for (const char *c = name.at; c < name.end; c++)
		if ((unsigned char)*c <= ' ' || (unsigned char)*c >= 0x7f)
			return false;
	return text_len(name) > 0 && text_len(name) <= 400;
}

static int encode(struct encoder *e)
{
	struct text whole = e->name;
	const char *slash = memchr(whole.at, '/', text_len(whole));
	struct perf_code code = { 0 };
	int r;

	if (!is_plain(whole))
		return err_set(e->err, -EINVAL, "not the name of an event");
	if (slash)
		return encode_terms(e, slash);
	r = encode_tracepoint(e, whole); /* before its name could be taken for one with modifiers */
	if (r != -ENOENT)
		return r;
	(void)perf_name_modifiers(&e->name, &e->only);
	if (perf_name_find(e->name, &code))
		return encode_numbered(e, code);
	r = encode_raw(e);
	if (r != -ENOENT)
		return r;
	r = encode_shown(e);
	if (r != -ENOENT)
		return r;
	e->name = whole; /* the library knows more modifiers */
	e->only = (struct perf_code){ 0 };
	r = encode_by_library(e, whole);
	if (r == -ENOENT && memchr(whole.at, ':', text_len(whole)) &&
	    !host_has(e->pmus->host, "sys/kernel/tracing/events") &&
	    !host_has(e->pmus->host, "sys/kernel/debug/tracing/events"))
		return err_set(e->err, r,
			       "not known to libpfm4; if it is a tracepoint: tracefs is not mounted or not "
			       "readable (mount -t tracefs nodev /sys/kernel/tracing)");
	return r;
}

int perf_encode(struct perf_pmus *pmus, struct text name, struct perf_found **ret, size_t *count, struct err *err)
{
	struct encoder e = { .pmus = pmus, .name = name, .err = err };
	int r = encode(&e);

	*ret = e.found;
	*count = e.count;
	return r;
}
