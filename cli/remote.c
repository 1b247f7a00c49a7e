/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <string.h>

#include "agent/curl_library.h"
#include "base/take.h"
#include "cli/place.h"

static size_t take_body(char *data, size_t size, size_t count, void *to)
{
	return buf_add(to, data, size * count) == 0 ? size * count : 0;
}

int url_encode(struct buf *to, const char *text)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
	int r = 0;

	for (; *text && r == 0; text++)
		r = strchr(plain, *text) ? buf_putc(to, *text) : buf_printf(to, "%%%02X", (unsigned char)*text);
	return r;
}

/* {"error": "..."} of the server, or the status alone */
static int answer_error(const char *url, long status, const struct buf *body, struct err *err)
{
	json_error_t at;
	json_t *json = json_loadb(body->data ? body->data : "", body->len, 0, &at);
	const char *words = json_string_value(json_object_get(json, "error"));
	int code = status == 404 ? -ENOENT : status == 409 ? -EEXIST : status == 400 ? -EINVAL : -EIO;

	if (words)
		(void)err_set(err, code, "%s", words);
	else
		(void)err_set(err, code, "%s: the server answered %ld", url, status);
	json_decref(json);
	return code;
}

int remote_get(const char *url, const char *path, const struct pairs *parameters, const char *accept, struct buf *ret,
	       struct err *err)
{
	cleanup_buf struct buf whole = { 0 }, header = { 0 };
	char words[CURL_ERROR_SIZE] = "";
	struct curl_slist *headers = NULL;
	const struct curl_library *library = curl_library(err);
	CURL *curl;
	long status = 0;
	CURLcode code;
	int r = 0;

	if (!library)
		return err->code;
	curl = library->easy_init();
	(void)buf_printf(&whole, "%s%s", url, path);
	for (size_t i = 0; parameters && i < parameters->count; i++) {
		(void)buf_printf(&whole, "%c%s=", i ? '&' : '?', parameters->at[i].name);
		(void)url_encode(&whole, parameters->at[i].value);
	}
	(void)buf_printf(&header, "Accept: %s", accept);
	if (!curl || whole.failed || header.failed || !(headers = library->slist_append(NULL, header.data))) {
		r = err_set(err, -ENOMEM, "%s: no memory for a request", url);
		goto out;
	}
	(void)library->easy_setopt(curl, CURLOPT_URL, whole.data);
	(void)library->easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
	(void)library->easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
	(void)library->easy_setopt(curl, CURLOPT_USERAGENT, "assay/" ASSAY_VERSION);
	(void)library->easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, 10L);
	(void)library->easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, 1L);
	(void)library->easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, 120L); /* a comparison may take its time */
	(void)library->easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
	(void)library->easy_setopt(curl, CURLOPT_ERRORBUFFER, words);
	(void)library->easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_body);
	(void)library->easy_setopt(curl, CURLOPT_WRITEDATA, ret);
	code = library->easy_perform(curl);
	(void)library->easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
	if (ret->failed)
		r = err_set(err, ret->failed, "%s: an answer of more than %zu bytes", whole.data, BUF_CEILING);
	else if (code != CURLE_OK)
		r = err_set(err, -EIO, "%s: %s", url, *words ? words : library->easy_strerror(code));
	else if (status != 200)
		r = answer_error(whole.data, status, ret, err);
out:
	library->slist_free_all(headers);
	library->easy_cleanup(curl);
	return r;
}

int remote_json(const char *url, const char *path, const struct pairs *parameters, json_t **ret, struct err *err)
{
	cleanup_buf struct buf body = { 0 };
	json_error_t at;
	int r = remote_get(url, path, parameters, "application/json", &body, err);

	if (r < 0)
		return r;
	*ret = json_loadb(body.data ? body.data : "", body.len, JSON_REJECT_DUPLICATES, &at);
	if (!*ret)
		return err_set(err, -EPROTO, "%s%s: not JSON: %s", url, path, at.text);
	return 0;
}
