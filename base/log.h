/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Words to stderr, for the programs' own code: "assay: warning: ...". Lower rooms return errors instead.
 * Lines are written whole; any thread may call.
 */
#ifndef ASSAY_BASE_LOG_H
#define ASSAY_BASE_LOG_H

enum log_level { LOG_ERROR, LOG_WARNING, LOG_NOTICE, LOG_DEBUG };

/* `program` is not copied. Messages above `level` are dropped; the level is LOG_NOTICE until it is set. */
void log_setup(const char *program, enum log_level level);

void log_say(enum log_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));

#define log_error(...)   log_say(LOG_ERROR, __VA_ARGS__)
#define log_warning(...) log_say(LOG_WARNING, __VA_ARGS__)
#define log_notice(...)  log_say(LOG_NOTICE, __VA_ARGS__)
#define log_debug(...)   log_say(LOG_DEBUG, __VA_ARGS__)

#endif
