/* SPDX-License-Identifier: GPL-3.0-or-later */
/* assay-server: the program around the room. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/log.h"
#include "base/option.h"
#include "base/take.h"
#include "server/server.h"
#include "store/store.h"

enum { DONE = 0, FAILED = 1, BAD_USAGE = 2 };

static const char help[] =
	"Usage: assay-server [--store DIR] [--listen ADDRESS] [--port N] [--threads N] [--verbose]\n"
	"\n"
	"Takes the runs that `assay` ships, keeps them in a store, and answers questions about them over HTTP.\n"
	"When it is ready it prints one line, `listening on http://ADDRESS:PORT`, to stdout. It ends on SIGTERM and\n"
	"SIGINT, after the requests that are under way.\n"
	"\n"
	"  --store DIR       where the runs are kept; made when it is not there\n"
	"                    (default: $ASSAY_STORE, else $XDG_DATA_HOME/assay, else ~/.local/share/assay)\n"
	"  --listen ADDRESS  a loopback address (default: 127.0.0.1); it has neither TLS nor tokens, so for others\n"
	"                    put a proxy that has both before it\n"
	"  --port N          0 for any free one (default: 7460)\n"
	"  --threads N       for HTTP, and as many to read the store (default: the CPUs, at most 8)\n"
	"  --verbose         a line to stderr for each request\n"
	"  --help, --version\n"
	"\n"
	"Example:\n"
	"  assay-server --store /var/lib/assay --port 7460 &\n"
	"  assay run --to http://127.0.0.1:7460 -p commit=v6.12 -- hackbench -g 4\n";

static bool number_in(const char *what, const char *value, unsigned most, unsigned *ret)
{
	struct err err = { 0 };
	long long number;

	if (parse_number(what, value, &number, &err) < 0) {
		log_error("%s", err.text);
		return false;
	}
	if (number < 0 || number > most) {
		log_error("%s: %s is not between 0 and %u", what, value, most);
		return false;
	}
	*ret = (unsigned)number;
	return true;
}

static bool option_with_value(struct server_options *o, const char *name, const char *value)
{
	unsigned number;

	if (!value) {
		log_error("%s needs a value; see assay-server --help", name);
		return false;
	}
	if (strcmp(name, "--store") == 0)
		o->store = value;
	else if (strcmp(name, "--listen") == 0)
		o->address = strcmp(value, "localhost") == 0 ? "127.0.0.1" : value;
	else if (strcmp(name, "--threads") == 0)
		return number_in(name, value, 256, &o->threads);
	else if (!number_in(name, value, UINT16_MAX, &number))
		return false;
	else
		o->port = (uint16_t)number;
	return true;
}

/* -1 to go on, else the status to end with. "--name value" and "--name=value" are the same. */
static int parse(int argc, char **argv, struct server_options *ret)
{
	static const char *const with_value[] = { "--store", "--listen", "--port", "--threads" };

	for (int i = 1; i < argc; i++) {
		char *equals = strchr(argv[i], '=');
		bool known = false;

		if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
			return fputs(help, stdout) < 0 ? FAILED : DONE;
		if (strcmp(argv[i], "--version") == 0)
			return puts("assay-server " ASSAY_VERSION) < 0 ? FAILED : DONE;
		if (strcmp(argv[i], "--verbose") == 0) {
			ret->verbose = true;
			continue;
		}
		if (equals)
			*equals = '\0';
		for (size_t k = 0; k < sizeof(with_value) / sizeof(*with_value) && !known; k++)
			known = strcmp(argv[i], with_value[k]) == 0;
		if (!known) {
			log_error("unknown option '%s'; see assay-server --help", argv[i]);
			return BAD_USAGE;
		}
		if (!option_with_value(ret, argv[i], equals ? equals + 1 : i + 1 < argc ? argv[i + 1] : NULL))
			return BAD_USAGE;
		i += !equals;
	}
	return -1;
}

/* A connection is a descriptor, and a batch of puts holds one for each. */
static void raise_file_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur >= limit.rlim_max)
		return;
	limit.rlim_cur = limit.rlim_max;
	if (setrlimit(RLIMIT_NOFILE, &limit) < 0)
		log_warning("raise the limit of open files: %s", err_name(errno));
}

static int serve(const struct server_options *options, const sigset_t *endings)
{
	const char *address = options->address ? options->address : "127.0.0.1";
	struct server *server;
	struct err err = { 0 };
	int number;

	if (server_start(&server, options, &err) < 0) {
		log_error("%s", err.text);
		return FAILED;
	}
	if (printf(strchr(address, ':') ? "listening on http://[%s]:%u\n" : "listening on http://%s:%u\n", address,
		   server_port(server)) < 0 ||
	    fflush(stdout) != 0)
		log_warning("nobody reads stdout: %s", err_name(errno));
	if (sigwait(endings, &number) == 0)
		log_notice("%s: stopping", strsignal(number));
	server_stop(server);
	return DONE;
}

int main(int argc, char **argv)
{
	struct server_options options = { .port = 7460 };
	cleanup_free char *otherwise = NULL;
	sigset_t endings;
	int status;

	log_setup("assay-server", LOG_NOTICE);
	status = parse(argc, argv, &options);
	if (status >= 0)
		return status;
	if (!options.store)
		options.store = otherwise = store_default_path();
	if (!options.store) {
		log_error("there is no home for a store; say --store DIR");
		return FAILED;
	}
	/* Blocked before the first thread is made, so that only sigwait() sees them. */
	(void)sigemptyset(&endings);
	(void)sigaddset(&endings, SIGTERM);
	(void)sigaddset(&endings, SIGINT);
	(void)pthread_sigmask(SIG_BLOCK, &endings, NULL);
	(void)signal(SIGPIPE, SIG_IGN);
	raise_file_limit();
	return serve(&options, &endings);
}
