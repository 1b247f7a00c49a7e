/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What works here, what does not, why, and what would help. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include "base/json.h"
#include "base/take.h"
#include "cli/cli.h"
#include "cli/leftover.h"
#include "cli/outside.h"
#include "cli/place.h"
#include "cli/spool_path.h"
#include "collectors/collector.h"
#include "host/facts.h"
#include "host/limits.h"

static const struct flag flags[] = {
	{ 'j', "json", NULL, "As JSON: [{\"what\":..., \"ok\":bool, \"words\":..., \"files\":[...]}, ...]." },
	{ 't', "to", "URL", "Try this server, too." },
	{ 'R', "root", "DIR", "Look at a recorded tree instead of this machine." },
	{ 0 },
};

/* What was found; printed at the end when it is JSON. */
struct finding {
	bool json;
	struct buf list;
};

static void say(struct finding *f, bool good, const char *what, const char *words)
{
	if (!f->json) {
		printf("%-5s %-14s %s\n", good ? "ok" : "off", what, words);
		return;
	}
	(void)buf_puts(&f->list, f->list.len ? ",\n{\"what\":" : "{\"what\":");
	(void)json_text(&f->list, text_of(what));
	(void)buf_printf(&f->list, ",\"ok\":%s,\"words\":", good ? "true" : "false");
	(void)json_text(&f->list, text_of(words));
	(void)buf_putc(&f->list, '}');
}

static void machine(struct finding *f, const struct host *host)
{
	cleanup_buf struct buf words = { 0 };
	struct pairs facts = { 0 };
	const char *name, *kernel, *cpu, *threads;
	struct err err;

	if (host_facts(host, &facts, &err) < 0) {
		say(f, false, "machine", err.text);
		return;
	}
	name = pairs_get(&facts, "host.name");
	kernel = pairs_get(&facts, "kernel.release");
	cpu = pairs_get(&facts, "cpu.name");
	threads = pairs_get(&facts, "cpu.threads");
	(void)buf_printf(&words, "%s, Linux %s, %s, %s CPUs", name ? name : "without a name",
			 kernel ? kernel : "of unknown release", cpu ? cpu : "unknown processor", threads ? threads : "?");
	say(f, true, "machine", words.failed ? "" : words.data);
	pairs_free(&facts);
}

static void folder(struct finding *f, const char *what, const char *path)
{
	cleanup_buf struct buf words = { 0 };
	struct statvfs fs;
	struct stat st;
	bool good = true;

	(void)buf_printf(&words, "%s", path);
	if (stat(path, &st) < 0) {
		(void)buf_puts(&words, " is made by the first run");
	} else if (access(path, W_OK) < 0) {
		(void)buf_puts(&words, " cannot be written to: choose another one with $ASSAY_STORE or $ASSAY_SPOOL");
		good = false;
	} else if (statvfs(path, &fs) == 0) {
		(void)buf_puts(&words, ", ");
		(void)print_bytes(&words, (uint64_t)fs.f_bavail * fs.f_frsize);
		(void)buf_puts(&words, " free");
	}
	say(f, good, what, words.data);
}

/* What a collector that works does without here: those of its notes that tell a reason. */
static void parts(struct finding *f, const struct collector *c, const struct host *host)
{
	struct collector_run run;
	struct pairs notes = { 0 };
	struct err err;

	if (!c->notes || collector_run_open(&run, c, host, NULL, &err) < 0)
		return;
	if (collector_run_notes(&run, &notes) < 0)
		say(f, false, c->name, "no memory for its notes");
	for (size_t i = 0; i < notes.count; i++) {
		cleanup_buf struct buf words = { 0 };
		struct text name = text_of(notes.at[i].name);

		if (!text_skip(&name, c->name) || !text_skip(&name, ".without"))
			continue;
		(void)text_skip(&name, ".");
		(void)buf_printf(&words, "without %.*s%s%s", TEXT_ARGS(name), name.at < name.end ? ": " : "",
				 notes.at[i].value);
		if (f->json)
			say(f, false, c->name, words.failed ? "" : words.data);
		else
			printf("%-5s %-14s %s\n", "part", c->name, words.failed ? "" : words.data);
	}
	pairs_free(&notes);
	collector_run_close(&run);
}

/* Files that are there and that nobody reads. */
static void left_out(struct finding *f, const struct host *host)
{
	struct leftovers list = { 0 };
	struct err err;

	if (leftover_find(host, &list, &err) < 0)
		say(f, false, "files", err.text);
	for (size_t i = 0; i < list.count; i++) {
		const struct leftover *one = &list.at[i];

		if (!f->json) {
			printf("%-5s %-14s %s", "left", one->collector, one->files.at[0]);
			if (one->files.count > 1)
				printf(" and %zu more", one->files.count - 1);
			printf(": %s\n", one->reason);
			continue;
		}
		(void)buf_puts(&f->list, ",\n{\"what\":");
		(void)json_text(&f->list, text_of(one->collector));
		(void)buf_puts(&f->list, ",\"ok\":false,\"words\":");
		(void)json_text(&f->list, text_of(one->reason));
		for (size_t n = 0; n < one->files.count; n++) {
			(void)buf_puts(&f->list, n ? "," : ",\"files\":[");
			(void)json_text(&f->list, text_of(one->files.at[n]));
		}
		(void)buf_puts(&f->list, "]}");
	}
	leftover_free(&list);
}

static int doctor_main(const struct verb *self, int argc, char **argv)
{
	const char *root = NULL, *url = NULL, *set = getenv("ASSAY_STORE");
	cleanup_free char *store = set && *set ? strdup(set) : store_default_path();
	cleanup_free char *spool = spool_path(NULL);
	struct outside outside = { 0 };
	struct finding f = { 0 };
	struct host host;
	struct rlimit before;
	struct err err;
	int c, status = EXIT_DONE;

	while ((c = next_option(self, argc, argv)) != -1) {
		if (c == 'j')
			f.json = true;
		else if (c == 't')
			url = optarg;
		else if (c == 'R')
			root = optarg;
		else
			return option_status(c);
	}
	if (optind < argc)
		return usage_error(self, "what is '%s'?", argv[optind]);
	(void)limits_raise_files(&before); /* it ends with this process */
	if (host_open_root(&host, root, &err) < 0)
		return failed(self, &err);
	machine(&f, &host);
	if (outside_load(&outside, &err) < 0)
		say(&f, false, "collectors", err.text);
	for (size_t i = 0; i < outside.count; i++) {
		const struct collector *one = outside.at[i];
		bool good = collector_probe(one, &host, &err) == 0;

		say(&f, good, one->name, good ? one->description : err.text);
		if (good)
			parts(&f, one, &host);
	}
	for (size_t i = 0; i < outside.refused_count; i++)
		say(&f, false, "collector", outside.refused[i].why);
	outside_close(&outside);
	left_out(&f, &host);
	host_close(&host);
	if (store && !is_url(store))
		folder(&f, "store", store);
	if (spool)
		folder(&f, "spool", spool);
	if (url || (store && is_url(store))) {
		cleanup_buf struct buf answer = { 0 };
		bool good = remote_get(url ? url : store, "/healthz", NULL, "*/*", &answer, &err) == 0;

		say(&f, good, "server", good ? (url ? url : store) : err.text);
		status = good ? EXIT_DONE : EXIT_FAILED;
	}
	if (f.json)
		printf("[%s]\n", f.list.data ? f.list.data : "");
	buf_free(&f.list);
	return status;
}

const struct verb verb_doctor = {
	.name = "doctor",
	.summary = "Tell what works on this machine, what does not, and why.",
	.usage = "doctor [OPTION]...",
	.flags = flags,
	.help = "A collector that is off costs a run nothing but its numbers. The exit status is 1 only when a server "
		"was\n"
		"given and does not answer. Lines that begin with \"left\" name files that a collector knows and did not\n"
		"read, with the reason.\n\n"
		"  assay doctor\n"
		"  assay doctor --to http://127.0.0.1:7460\n",
	.main = doctor_main,
};
