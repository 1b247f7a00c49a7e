/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The user's door: one file per verb, and what they share.
 *
 * Output goes to stdout, messages to stderr. A verb returns the exit status: EXIT_DONE, EXIT_FAILED, EXIT_USAGE; `run`
 * passes the command's own.
 */
#ifndef ASSAY_CLI_CLI_H
#define ASSAY_CLI_CLI_H

#include <stdbool.h>

#include "base/err.h"

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_BAD_USAGE = 2 };

struct verb {
	const char *name;
	const char *summary;  /* one line, for `assay --help` */
	const char *usage;    /* "run [-n NAME] ... [--] COMMAND [ARG]..." */
	const char *help;     /* options and at least one example, for `assay VERB --help` */
	int (*main)(const struct verb *self, int argc, char **argv); /* argv[0] is the verb's name */
};

/* All of cli/list.def, ends at NULL. */
extern const struct verb *const verbs[];

/* "assay run: unknown option '-z'" and how to get help, to stderr. Returns EXIT_BAD_USAGE. */
int usage_error(const struct verb *verb, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* `err` to stderr. Returns EXIT_FAILED. */
int failed(const struct verb *verb, const struct err *err);

#endif
