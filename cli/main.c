/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "cli/cli.h"
#include "cli/man.h"

static int help(FILE *to)
{
	fprintf(to, "assay wraps a benchmark, samples what the kernel and the processor count while it runs,\n"
		    "and says what changed between two groups of runs.\n\n"
		    "usage: assay VERB [OPTION]... [ARG]...\n\n");
	for (const struct verb *const *v = verbs; *v; v++)
		fprintf(to, "  %-11s %s\n", (*v)->name, (*v)->summary);
	fprintf(to,
		"\n`assay VERB --help` tells more, with examples. A run is named by its id or the beginning of it,\n"
		"by @0 (the last one), @1 (the one before), or by a query such as commit=v6.12,testcase=hackbench.\n\n"
		"  assay run -n hackbench -p commit=v6.12 -r 5 -- hackbench -g 50\n"
		"  assay compare v6.11 v6.12\n");
	return to == stdout ? EXIT_DONE : EXIT_BAD_USAGE;
}

/* What was printed may not have arrived: a full disk or a closed pipe behind stdout is a failure, said once. */
static int flushed(int status)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return status;
	if (errno != EPIPE)
		log_error("writing the output: %s", err_name(errno));
	return status == EXIT_DONE ? EXIT_FAILED : status;
}

/* `assay --root TREE sample` is `assay sample --root TREE`: which machine is meant may stand first. */
static void verb_first(int argc, char **argv)
{
	int words = 0;
	char *verb;

	if (argc > 3 && (strcmp(argv[1], "--root") == 0 || strcmp(argv[1], "-R") == 0))
		words = 2;
	else if (argc > 2 && strncmp(argv[1], "--root=", strlen("--root=")) == 0)
		words = 1;
	verb = argv[1 + words];
	for (int i = words; i > 0; i--)
		argv[1 + i] = argv[i];
	if (words)
		argv[1] = verb;
}

int main(int argc, char **argv)
{
	const char *name;

	verb_first(argc, argv);
	name = argc > 1 ? argv[1] : "";
	(void)setlocale(LC_CTYPE, "");
	log_setup("assay", getenv("ASSAY_DEBUG") ? LOG_DEBUG : LOG_NOTICE);
	if (strcmp(name, "help") == 0 && argc > 2) {
		static char flag[] = "--help";

		argv[1] = argv[2];
		argv[2] = flag;
		argc = 3;
		name = argv[1];
	}
	if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0)
		return flushed(help(stdout));
	if (strcmp(name, "--version") == 0) {
		printf("assay %s\n", ASSAY_VERSION);
		return flushed(EXIT_DONE);
	}
	if (strcmp(name, "--man") == 0 && argc == 2) {
		man_all();
		return flushed(EXIT_DONE);
	}
	for (const struct verb *const *v = verbs; *v; v++) {
		if (strcmp((*v)->name, name) == 0)
			return flushed((*v)->main(*v, argc - 1, argv + 1));
		if (strcmp(name, "--man") == 0 && strcmp((*v)->name, argv[2]) == 0) {
			man_verb(*v);
			return flushed(EXIT_DONE);
		}
	}
	if (*name)
		log_error("no verb '%s'", name);
	return help(stderr);
}
