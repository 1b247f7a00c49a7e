/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/shipper.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "agent/curl_library.h"
#include "base/take.h"
#include "host/clock.h"

#define CONNECT_MS     10000L
#define TRANSFER_MS    120000L
#define STALLED_S      20L   /* a transfer that moves nothing for so long is given up */
#define RETRY_MAX_S    3600  /* nobody may ask for more */

struct shipper {
	char *url;
	const struct curl_library *library; /* NULL until something is to be sent */
	CURL *curl;
	struct curl_slist *headers;
	const _Atomic uint64_t *deadline_ns;
	char body[SHIPPER_WORDS * 4]; /* what the other side said; more is read and let go */
	size_t body_length;
	char problem[CURL_ERROR_SIZE];
};

int shipper_address(const char *url, const struct ulid *run, uint32_t sequence, struct buf *ret, struct err *err)
{
	struct text base = text_of(url);

	if (!text_starts(base, "http://") && !text_starts(base, "https://"))
		return err_set(err, -EINVAL, "%s: not the URL of a server: want http://HOST:PORT or https://HOST", url);
	for (const char *c = url; *c; c++)
		if ((unsigned char)*c <= ' ' || *c == 0x7f || *c == '?' || *c == '#')
			return err_set(err, -EINVAL, "%s: a server's URL has no blank, '?' or '#'", url);
	while (text_ends(base, "/"))
		base.end--;
	if (text_is(base, "http:") || text_is(base, "https:"))
		return err_set(err, -EINVAL, "%s: a URL without a host", url);
	if (buf_printf(ret, "%.*s/v1/runs/%s/segments/%u", TEXT_ARGS(base), run->text, (unsigned)sequence) < 0)
		return err_set(err, -ENOMEM, "%s: no memory", url);
	return 0;
}

int shipper_open(struct shipper **ret, const char *url, struct err *err)
{
	cleanup_buf struct buf address = { 0 };
	const struct ulid any = { "00000000000000000000000000" };
	struct shipper *s;
	int r = shipper_address(url, &any, 1, &address, err);

	if (r < 0)
		return r;
	s = calloc(1, sizeof(*s));
	if (s)
		s->url = text_copy(text_of(url));
	if (!s || !s->url) {
		free(s);
		return err_set(err, -ENOMEM, "%s: no memory", url);
	}
	*ret = s;
	return 0;
}

void shipper_close(struct shipper *s)
{
	if (!s)
		return;
	if (s->library) {
		s->library->easy_cleanup(s->curl);
		s->library->slist_free_all(s->headers);
	}
	free(s->url);
	free(s);
}

void shipper_obey(struct shipper *s, const _Atomic uint64_t *deadline_ns)
{
	s->deadline_ns = deadline_ns;
}

static size_t on_body(char *data, size_t one, size_t length, void *context)
{
	struct shipper *s = context;
	size_t room = sizeof(s->body) - s->body_length;
	size_t n = length < room ? length : room;

	memcpy(s->body + s->body_length, data, n);
	s->body_length += n;
	return length;
}

static int on_progress(void *context, curl_off_t down_all, curl_off_t down, curl_off_t up_all, curl_off_t up)
{
	struct shipper *s = context;

	return s->deadline_ns && clock_monotonic() >= atomic_load(s->deadline_ns); /* not 0: give it up */
}

static int add_header(struct shipper *s, const char *line)
{
	struct curl_slist *more = s->library->slist_append(s->headers, line);

	if (!more)
		return -ENOMEM;
	s->headers = more;
	return 0;
}

/* The library is only woken when something is to be sent: a run without a server does not pay for it. */
static int prepare(struct shipper *s, struct err *err)
{
	CURL *c;

	if (s->curl)
		return 0;
	s->library = curl_library(err);
	if (!s->library)
		return err->code = -EAGAIN; /* it may be installed before the next try */
	c = s->curl = s->library->easy_init();
	/* No "Expect: 100-continue", which would cost a server that does not know it a second. */
	if (!c || (!s->headers && (add_header(s, "Content-Type: application/octet-stream") < 0 ||
				   add_header(s, "Expect:") < 0)))
		return err_set(err, -EAGAIN, "%s: no memory to send", s->url);
	(void)s->library->easy_setopt(c, CURLOPT_PROTOCOLS_STR, "http,https");
	(void)s->library->easy_setopt(c, CURLOPT_FOLLOWLOCATION, 0L);
	(void)s->library->easy_setopt(c, CURLOPT_NOSIGNAL, 1L);
	(void)s->library->easy_setopt(c, CURLOPT_CUSTOMREQUEST, "PUT");
	(void)s->library->easy_setopt(c, CURLOPT_HTTPHEADER, s->headers);
	(void)s->library->easy_setopt(c, CURLOPT_USERAGENT, "assay/" ASSAY_VERSION);
	(void)s->library->easy_setopt(c, CURLOPT_TCP_KEEPALIVE, 1L);
	(void)s->library->easy_setopt(c, CURLOPT_CONNECTTIMEOUT_MS, CONNECT_MS);
	(void)s->library->easy_setopt(c, CURLOPT_TIMEOUT_MS, TRANSFER_MS);
	(void)s->library->easy_setopt(c, CURLOPT_LOW_SPEED_LIMIT, 1L);
	(void)s->library->easy_setopt(c, CURLOPT_LOW_SPEED_TIME, STALLED_S);
	(void)s->library->easy_setopt(c, CURLOPT_ERRORBUFFER, s->problem);
	(void)s->library->easy_setopt(c, CURLOPT_WRITEFUNCTION, on_body);
	(void)s->library->easy_setopt(c, CURLOPT_WRITEDATA, s);
	(void)s->library->easy_setopt(c, CURLOPT_NOPROGRESS, 0L);
	(void)s->library->easy_setopt(c, CURLOPT_XFERINFOFUNCTION, on_progress);
	(void)s->library->easy_setopt(c, CURLOPT_XFERINFODATA, s);
	return 0;
}

void shipper_words(struct text body, char ret[SHIPPER_WORDS + 1])
{
	struct text line = { body.at, body.at };
	size_t n = 0;

	body = text_trim(body);
	if (!text_line(&body, &line))
		line = body;
	for (; line.at < line.end && n < SHIPPER_WORDS; line.at++)
		ret[n++] = (unsigned char)*line.at < ' ' || *line.at == 0x7f ? ' ' : *line.at;
	ret[n] = '\0';
}

int shipper_verdict(long status)
{
	if (status >= 200 && status < 300)
		return 0;
	if (status == 409)
		return -EEXIST;
	if (status >= 400 && status < 500 && status != 408 && status != 425 && status != 429)
		return -EBADMSG;
	return -EAGAIN; /* also for what makes no sense, such as a redirection: it may be mended */
}

static uint64_t retry_after(const struct shipper *s)
{
	curl_off_t seconds = 0; /* libcurl has turned a date into seconds */

	if (s->library->easy_getinfo(s->curl, CURLINFO_RETRY_AFTER, &seconds) != CURLE_OK || seconds <= 0)
		return 0;
	return (uint64_t)(seconds < RETRY_MAX_S ? seconds : RETRY_MAX_S) * 1000000000u;
}

int shipper_put(struct shipper *s, const struct ulid *run, uint32_t sequence, struct text sealed, uint64_t *retry_ns,
		struct err *err)
{
	cleanup_buf struct buf address = { 0 };
	char words[SHIPPER_WORDS + 1];
	long status = 0;
	CURLcode code;
	int r;

	*retry_ns = 0;
	s->body_length = 0;
	s->problem[0] = '\0';
	r = prepare(s, err);
	if (r == 0)
		r = shipper_address(s->url, run, sequence, &address, err);
	if (r < 0)
		return r;
	(void)s->library->easy_setopt(s->curl, CURLOPT_URL, address.data);
	(void)s->library->easy_setopt(s->curl, CURLOPT_POSTFIELDS, sealed.at);
	(void)s->library->easy_setopt(s->curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)text_len(sealed));
	code = s->library->easy_perform(s->curl);
	(void)s->library->easy_getinfo(s->curl, CURLINFO_RESPONSE_CODE, &status);
	/* A refusal may come before all was sent, and the connection end with it: it is an answer all the same. */
	if (code != CURLE_OK && status < 400)
		return err_set(err, -EAGAIN, "%s: %s", address.data,
			       s->problem[0] ? s->problem : s->library->easy_strerror(code));
	r = shipper_verdict(status);
	if (r == 0)
		return 0;
	*retry_ns = retry_after(s);
	shipper_words(text_n(s->body, s->body_length), words);
	return err_set(err, r, "%s: %ld%s%s", address.data, status, words[0] ? " " : "", words);
}
