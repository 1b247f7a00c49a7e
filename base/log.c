/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *log_program = "assay";
static enum log_level log_limit = LOG_NOTICE;

void log_setup(const char *program, enum log_level level)
{
	log_program = program;
	log_limit = level;
}

void log_say(enum log_level level, const char *format, ...)
{
	static const char *const marks[] = { "error: ", "warning: ", "", "debug: " };
	char line[1024];
	size_t len;
	va_list args;

	if (level > log_limit)
		return;
	(void)snprintf(line, sizeof(line) - 1, "%s: %s", log_program, marks[level]);
	len = strlen(line);
	va_start(args, format);
	(void)vsnprintf(line + len, sizeof(line) - 1 - len, format, args);
	va_end(args);
	len = strlen(line);
	line[len++] = '\n';
	if (write(STDERR_FILENO, line, len) < 0)
		return; /* nobody to tell */
}
