/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int err_set(struct err *err, int code, const char *format, ...)
{
	int kept = errno;
	va_list args;

	va_start(args, format);
	(void)vsnprintf(err->text, sizeof(err->text), format, args);
	va_end(args);
	err->code = code;
	errno = kept;
	return code;
}

int err_prefix(struct err *err, const char *format, ...)
{
	char words[sizeof(err->text)];
	char all[2 * sizeof(err->text)];
	va_list args;

	va_start(args, format);
	(void)vsnprintf(words, sizeof(words), format, args);
	va_end(args);
	(void)snprintf(all, sizeof(all), "%s%s", words, err->text);
	all[sizeof(err->text) - 1] = '\0';
	memcpy(err->text, all, sizeof(err->text));
	return err->code;
}

const char *err_name(int code)
{
	const char *name = strerrordesc_np(code < 0 ? -code : code);

	return name ? name : "unknown error";
}
