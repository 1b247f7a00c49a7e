/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * libcurl, loaded when somebody first speaks to a server: with all that it depends on it costs a program 5 ms of CPU to
 * start, which a run on one machine need not pay. The one place that knows of libcurl's file.
 */
#ifndef ASSAY_AGENT_CURL_LIBRARY_H
#define ASSAY_AGENT_CURL_LIBRARY_H

#include <curl/curl.h>

#include "base/err.h"

struct curl_library {
	CURL *(*easy_init)(void);
	CURLcode (*easy_setopt)(CURL *, CURLoption, ...);
	CURLcode (*easy_perform)(CURL *);
	CURLcode (*easy_getinfo)(CURL *, CURLINFO, ...);
	const char *(*easy_strerror)(CURLcode);
	void (*easy_cleanup)(CURL *);
	struct curl_slist *(*slist_append)(struct curl_slist *, const char *);
	void (*slist_free_all)(struct curl_slist *);
};

/* The library, ready to be used; any thread may ask, at any time. NULL with `err` (-ELIBACC): it is not installed, or
 * lacks a function. */
const struct curl_library *curl_library(struct err *err);

#endif
