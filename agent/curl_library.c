/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/curl_library.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

#define FILE_NAME "libcurl.so.4"

static struct curl_library library;
static char problem[200];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static const struct {
	const char *name;
	size_t offset;
} functions[] = {
	{ "curl_easy_init", offsetof(struct curl_library, easy_init) },
	{ "curl_easy_setopt", offsetof(struct curl_library, easy_setopt) },
	{ "curl_easy_perform", offsetof(struct curl_library, easy_perform) },
	{ "curl_easy_getinfo", offsetof(struct curl_library, easy_getinfo) },
	{ "curl_easy_strerror", offsetof(struct curl_library, easy_strerror) },
	{ "curl_easy_cleanup", offsetof(struct curl_library, easy_cleanup) },
	{ "curl_slist_append", offsetof(struct curl_library, slist_append) },
	{ "curl_slist_free_all", offsetof(struct curl_library, slist_free_all) },
};

static void complain(const char *what)
{
	size_t length = strnlen(what, sizeof(problem) - 1);

	memcpy(problem, what, length);
	problem[length] = '\0';
}

/* It stays loaded until the end: its threads and its TLS do not like to be unloaded. */
static void load(void)
{
	void *file = dlopen(FILE_NAME, RTLD_NOW | RTLD_LOCAL);
	CURLcode (*global_init)(long) = NULL;
	void *at;

	if (!file) {
		complain(dlerror());
		return;
	}
	/* A pointer to an object becomes one to a function by its bytes: POSIX has it so, ISO C has no cast for it. */
	for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++) {
		at = dlsym(file, functions[i].name);
		if (!at) {
			complain(functions[i].name);
			return;
		}
		memcpy((char *)&library + functions[i].offset, &at, sizeof(at));
	}
	at = dlsym(file, "curl_global_init");
	memcpy(&global_init, &at, sizeof(at));
	if (!global_init || global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
		complain("curl_global_init failed");
}

const struct curl_library *curl_library(struct err *err)
{
	(void)pthread_once(&once, load);
	if (problem[0]) {
		(void)err_set(err, -ELIBACC, "%s, which speaks to servers, cannot be used (Debian: libcurl4): %s", FILE_NAME,
			      problem);
		return NULL;
	}
	return &library;
}
