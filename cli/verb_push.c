/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What has not arrived yet: from the spool, or stored runs to another place. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "agent/agent.h"
#include "base/option.h"
#include "base/take.h"
#include "cli/cli.h"
#include "cli/deliver.h"
#include "cli/place.h"
#include "cli/spool_path.h"

enum { SPOOL = 256, PATIENCE };

static const struct flag flags[] = {
	{ 't', "to", "URL", "To this server (default: where each run was to go)." },
	{ 's', "store", "DIR", "The store of the RUNs, and of runs that were not for a server." },
	{ SPOOL, "spool", "DIR", "The spool (default $ASSAY_SPOOL, else ~/.local/state/assay/spool)." },
	{ PATIENCE, "patience", "TIME", "Give up when nothing could be delivered for so long (default 10s)." },
	{ 0 },
};

static void show_progress(void *context, const struct push_report *so_far)
{
	progress("%zu segments delivered, %zu left", so_far->segments, so_far->left);
}

static int push_spool(const struct verb *self, const char *spool, const char *url, const char *where,
		      long long patience_ns)
{
	cleanup_free char *path = spool_path(spool);
	struct push_report report = { 0 };
	struct local_store local = { .path = where };
	struct push_plan plan = { 0 };
	struct err err;
	int r;

	if (!path) {
		(void)err_set(&err, -ENOENT, "no spool: neither --spool, $ASSAY_SPOOL nor a home folder is there");
		return failed(self, &err);
	}
	plan = (struct push_plan){ .spool = path,
				   .url = url,
				   .deliver = url ? NULL : deliver_local,
				   .turn_to = deliver_local_turn,
				   .deliver_context = &local,
				   .patience_ns = (uint64_t)patience_ns,
				   .progress = show_progress };
	r = agent_push(&plan, &report, &err);
	deliver_local_close(&local);
	progress_end();
	if (r < 0 && report.segments == 0 && report.left == 0)
		return failed(self, &err);
	printf("%zu segments delivered, %zu bytes\n", report.segments, report.bytes);
	if (report.recovered)
		fprintf(stderr, "assay: %zu segments that were still open are sealed, %zu torn bytes cut\n",
			report.recovered, report.lost_bytes);
	if (report.busy)
		fprintf(stderr, "assay: %zu runs are still going on and were left alone\n", report.busy);
	if (report.left) {
		fprintf(stderr, "assay: %zu segments are left in %s%s%s\n", report.left, path, report.last.code ? ": " : "",
			report.last.code ? report.last.text : "");
		return EXIT_FAILED;
	}
	return r < 0 ? failed(self, &err) : EXIT_DONE;
}

/* One segment, tried again for as long as the server only says "later". */
static int put_patiently(struct shipper *shipper, const struct ulid *run, uint32_t sequence, struct text sealed,
			 long long patience_ns, struct err *err)
{
	uint64_t wait_ns = 100000000;

	for (;;) {
		uint64_t retry_ns = 0;
		struct timespec pause;
		int r = shipper_put(shipper, run, sequence, sealed, &retry_ns, err);

		if (r != -EAGAIN || patience_ns <= 0)
			return r;
		if (retry_ns < wait_ns)
			retry_ns = wait_ns;
		pause = (struct timespec){ (time_t)(retry_ns / 1000000000u), (long)(retry_ns % 1000000000u) };
		(void)nanosleep(&pause, NULL);
		patience_ns -= (long long)retry_ns;
		wait_ns *= 2;
	}
}

static int push_run(struct place *place, struct shipper *shipper, const char *name, long long patience_ns,
		    size_t *count, struct err *err)
{
	uint32_t *sequences = NULL;
	struct ulid id;
	size_t n = 0;
	int r = store_resolve(place->store, name, &id, err);

	if (r == 0)
		r = store_sequences(place->store, &id, &sequences, &n, err);
	for (size_t i = 0; i < n && r == 0; i++) {
		cleanup_buf struct buf bytes = { 0 };

		progress("%s: segment %zu of %zu", id.text, i + 1, n);
		r = store_get_segment(place->store, &id, sequences[i], &bytes, err);
		if (r == 0)
			r = put_patiently(shipper, &id, sequences[i], buf_text(&bytes), patience_ns, err);
		if (r == 0)
			++*count;
	}
	free(sequences);
	return r;
}

static int push_runs(const struct verb *self, const char *url, const char *where, char **names, long long patience_ns)
{
	struct shipper *shipper = NULL;
	struct place place;
	size_t count = 0;
	struct err err;
	int r;

	if (place_open(&place, where, false, &err) < 0)
		return failed(self, &err);
	if (place.url) {
		place_close(&place);
		return usage_error(self, "the RUNs must be in a store on this machine");
	}
	r = shipper_open(&shipper, url, &err);
	for (; *names && r == 0; names++)
		r = push_run(&place, shipper, *names, patience_ns, &count, &err);
	if (shipper)
		shipper_close(shipper);
	place_close(&place);
	progress_end();
	printf("%zu segments delivered\n", count);
	return r < 0 ? failed(self, &err) : EXIT_DONE;
}

static int push_main(const struct verb *self, int argc, char **argv)
{
	const char *url = NULL, *spool = NULL, *where = NULL;
	long long patience_ns = 10000000000;
	struct err err;
	int c;

	while ((c = next_option(self, argc, argv)) != -1) {
		if (c == 't')
			url = optarg;
		else if (c == 's')
			where = optarg;
		else if (c == SPOOL)
			spool = optarg;
		else if (c == PATIENCE) {
			if (parse_duration("--patience", optarg, &patience_ns, &err) < 0)
				return usage_error(self, "%s", err.text);
		} else
			return option_status(c);
	}
	if (url && !is_url(url))
		return usage_error(self, "--to takes a URL such as http://127.0.0.1:7460, not '%s'", url);
	if (optind == argc)
		return push_spool(self, spool, url, where, patience_ns);
	if (!url)
		return usage_error(self, "--to is needed to push stored runs");
	return push_runs(self, url, where, argv + optind, patience_ns);
}

const struct verb verb_push = {
	.name = "push",
	.summary = "Deliver what waits in the spool, or send stored runs to a server.",
	.usage = "push [OPTION]... [RUN]...",
	.flags = flags,
	.help = "Without a RUN: all that the spool holds, to where it was to go. A run whose agent died is closed as "
		"incomplete.\n"
		"Sending something twice changes nothing.\n\n"
		"  assay push\n"
		"  assay push --to http://127.0.0.1:7460 @0 @1\n",
	.main = push_main,
};
