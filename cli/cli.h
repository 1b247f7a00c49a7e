/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The user's door: one file per verb, and what they share.
 *
 * Output goes to stdout, messages to stderr. A verb returns the exit status: EXIT_DONE, EXIT_FAILED, EXIT_BAD_USAGE;
 * `run` passes the command's own.
 */
#ifndef ASSAY_CLI_CLI_H
#define ASSAY_CLI_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h> /* optarg, optind; <getopt.h> has a struct option of its own, so only messages.c sees it */

#include "base/buf.h"
#include "base/err.h"
#include "base/metric.h"

struct collector;
struct host;
struct outside;

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_BAD_USAGE = 2 };

/* One option of a verb: the table drives the parser, `--help` and the man page. */
struct flag {
	int letter;	   /* what next_option() returns; a printable one is the short form, too */
	const char *name;  /* the long form, or NULL */
	const char *value; /* "KEY=VALUE" when it takes one, else NULL */
	const char *help;
};

struct verb {
	const char *name;
	const char *summary;	  /* one line, for `assay --help` */
	const char *usage;	  /* "run [OPTION]... [--] COMMAND [ARG]..." */
	const struct flag *flags; /* ends at the row without letter; --help is there by itself */
	const char *help;	  /* what is to be said beyond the options, and at least one example */
	bool own_command;	  /* options end at the first argument: what follows belongs to somebody else */
	int (*main)(const struct verb *self, int argc, char **argv); /* argv[0] is the verb's name */
};

/* All of cli/list.def, ends at NULL. */
extern const struct verb *const verbs[];

/* "assay: error: run: unknown option '-z'" and how to get help, to stderr. Returns EXIT_BAD_USAGE. */
int usage_error(const struct verb *verb, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* `err` to stderr. Returns EXIT_FAILED. */
int failed(const struct verb *verb, const struct err *err);

/*
 * The letter of the next option, its value in `optarg`; -1 when there is none (arguments from argv[optind] on).
 * -h and --help print the help: HELP_SHOWN. What is unknown or lacks its value is said: BAD_OPTION.
 */
enum { HELP_SHOWN = -2, BAD_OPTION = -3 };
int next_option(const struct verb *verb, int argc, char **argv);

/* The verb's exit status after HELP_SHOWN or BAD_OPTION. */
static inline int option_status(int returned)
{
	return returned == HELP_SHOWN ? EXIT_DONE : EXIT_BAD_USAGE;
}

void verb_help(const struct verb *verb); /* to stdout */

/* ---- choosing collectors: "proc-vmstat,meminfo:2s,slabinfo:interval=5s" ---- */

/*
 * LIST: words with ',' between. NAME chooses a collector, "all" each that works on this host, "-NAME" takes one away, of
 * all where nothing stands before it. "none" chooses none; NULL is "all". Behind a name, with ':' before each, stand its
 * interval ("5s" or "interval=5s") and the options of `assay collectors NAME` ("name=web"). A '\\' before ',' or ':' takes
 * its meaning away. A name that is unknown, or was asked for and does not work, is an error, as is an option it does not have.
 */
struct chosen {
	const struct collector *collector;
	uint64_t interval_ns; /* 0: its default */
	const char *name;     /* of the collector */
	char **options;       /* "name", "value", ..., NULL; or NULL: none were given */
	bool by_all;
};

struct chosen_list {
	struct chosen *at;
	size_t count;
	struct off {
		const struct collector *collector;
		char *why;
	} * off; /* works not here; only when all were asked for */
	size_t off_count;
	struct outside *outside; /* the collectors' owner */
};

/* What is refused of the collectors from outside the program is said on stderr. */
int choose_collectors(const struct host *host, const char *list, struct chosen_list *ret, struct err *err);
void chosen_free(struct chosen_list *list); /* after the runs of its collectors are closed */

/* "LIST: ..." for the help of verbs that take one. */
#define CHOOSE_HELP                                                                                                    \
	"LIST names collectors: 'meminfo,slabinfo:5s', 'all,-slabinfo', 'cgroup:name=web:interval=2s'. Behind a name stand\n" \
	"its interval and its options (`assay collectors NAME` lists them); '\\\\' before ',' or ':' makes them part of a value.\n"

/* ---- printing ---- */

/* An int64 with its exponent: 123, exponent 2 -> "1.23"; an unsigned counter above 2^63 whole. */
int print_value(struct buf *to, int64_t value, const struct metric *metric);

/* "3 minutes ago" is for people, this is for both: 2026-11-30T22:05:57Z */
int print_time(struct buf *to, uint64_t realtime_ns);

/* "1.4 MiB" */
int print_bytes(struct buf *to, uint64_t bytes);

/* Control characters of a string from elsewhere are shown as '?', so that no terminal is steered by it. */
int print_safe(struct buf *to, const char *text);

/* To stdout, whole; 0 or -errno. */
int print_out(const struct buf *b);

/* A line that is written over and over on stderr, when that is a terminal; progress_end() takes it away. */
void progress(const char *format, ...) __attribute__((format(printf, 1, 2)));
void progress_end(void);

#endif
