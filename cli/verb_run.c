/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Wrap a command: the main job. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/agent.h"
#include "analysis/results.h"
#include "base/axes.h"
#include "base/log.h"
#include "base/option.h"
#include "base/take.h"
#include "benchmarks/benchmark.h"
#include "cli/cli.h"
#include "cli/deliver.h"
#include "cli/spool_path.h"
#include "host/clock.h"
#include "host/facts.h"

enum { QUIET = 256, SPOOL, TIMEOUT, KEEP };

static const struct flag flags[] = {
	{ 'n', "name", "NAME", "The testcase (default: what the command is recognised as)." },
	{ 'p', "param", "KEY=VALUE", "An axis of the run, such as commit=v6.12; may be given more than once, each key once." },
	{ 'r', "repeat", "N", "Run it N times; each is a run of its own (default 1)." },
	{ 'i', "interval", "TIME", "Time between snapshots (default 1s)." },
	{ 'c', "collectors", "LIST", "These, as below (default: all that work here)." },
	{ 't', "to", "URL", "Send the run to this server instead of the local store." },
	{ 's', "store", "DIR", "The local store." },
	{ TIMEOUT, "timeout", "TIME", "End the command after so long: SIGTERM, and SIGKILL 10 s later." },
	{ KEEP, "keep-output", "SIZE", "Keep so much of stdout and of stderr, first and last half (default 8M)." },
	{ QUIET, "quiet", NULL, "Keep what the command prints, but do not show it." },
	{ 'R', "root", "DIR", "Sample a recorded tree instead of this machine; the command runs here all the same." },
	{ SPOOL, "spool", "DIR", "The spool (default $ASSAY_SPOOL, else ~/.local/state/assay/spool)." },
	{ 0 },
};

struct request {
	const char *name, *list, *url;
	struct pairs given; /* -p */
	long long repeat, interval_ns, timeout_ns, keep;
	bool quiet;
	char **command;
	char *spool;
};

static void notice(void *context, const char *text)
{
	log_warning("%s", text);
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/*
 * The axes of all runs of this call: testcase, what -p said, what the benchmark's file reads from the command line, the
 * machine's group, and the kernel as the commit where nobody named one.
 */
static int name_runs(struct request *q, const struct host *host, struct pairs *axes, struct pairs *facts,
		     struct err *err)
{
	struct benchmark benchmark = { 0 };
	const char *release, *machine;
	cleanup_buf struct buf line = { 0 };
	char group[256];
	int r = host_facts(host, facts, err);

	if (r < 0)
		return r;
	r = q->name ? benchmark_find(q->name, &benchmark, err) : benchmark_recognise(q->command, &benchmark, err);
	if (r < 0 && r != -ENOENT)
		return r; /* a file that cannot be read is the user's to mend */
	if (r == 0 && benchmark.results_json)
		r = pairs_set(facts, RESULTS_FACT, benchmark.results_json);
	if (r < 0 && r != -ENOENT)
		goto out;
	r = pairs_set(axes, "testcase", q->name ? q->name : benchmark.name ? benchmark.name : base_name(q->command[0]));
	if (r == 0)
		r = pairs_copy(axes, &q->given);
	if (r == 0 && benchmark.name)
		r = benchmark_axes(&benchmark, q->command, axes, err);
	machine = pairs_get(facts, "host.name");
	if (r == 0 && machine && !pairs_get(axes, "tbox_group")) {
		tbox_group(machine, group, sizeof(group));
		r = pairs_set(axes, "tbox_group", group);
	}
	release = pairs_get(facts, "kernel.release");
	if (r == 0 && release && !pairs_get(axes, "commit"))
		r = pairs_set(axes, "commit", release);
	for (char **word = q->command; *word && !line.failed; word++)
		(void)buf_printf(&line, "%s%s", line.len ? " " : "", *word);
	if (r == 0 && !line.failed)
		r = pairs_set(facts, "command", line.data);
out:
	benchmark_free(&benchmark);
	return r == -ENOMEM ? err_set(err, r, "no memory for the run's axes") : r;
}

/* What was asked for and works, as the agent wants it; what is off is told by the run's facts. */
static int plan_collectors(const struct chosen_list *chosen, struct agent_plan *plan, struct err *err)
{
	struct collector_choice *choices = calloc(chosen->count + 1, sizeof(*choices));
	int r = 0;

	if (!choices)
		return err_set(err, -ENOMEM, "no memory for %zu collectors", chosen->count);
	for (size_t i = 0; i < chosen->count; i++) {
		const struct collector *c = chosen->at[i].collector;
		uint64_t interval_ns = chosen->at[i].interval_ns;

		/* --interval is for what is sampled each second; what is rarer by its nature stays so. */
		if (interval_ns == 0 && (c->interval_ms == 0 || c->interval_ms == 1000))
			interval_ns = plan->tick_ns;
		choices[i] = (struct collector_choice){ .collector = c,
							.interval_ns = interval_ns,
							.options = (const char *const *)chosen->at[i].options };
	}
	plan->choices = choices;
	plan->choice_count = chosen->count;
	for (size_t i = 0; i < chosen->off_count && r == 0; i++) {
		cleanup_buf struct buf name = { 0 };

		(void)buf_printf(&name, "off.%s", chosen->off[i].collector->name);
		r = name.failed ? name.failed : pairs_set(&plan->facts, name.data, chosen->off[i].why);
	}
	return r < 0 ? err_set(err, r, "no memory for the run's facts") : 0;
}

static void tell(const struct agent_plan *plan, const struct agent_outcome *o)
{
	bool sent = plan->url && o->undelivered == 0;

	if (o->end.bytes_dropped)
		log_warning("%llu bytes of snapshots found no place in the spool and are lost",
			    (unsigned long long)o->end.bytes_dropped);
	if (o->end.output_dropped)
		log_notice("%llu bytes of output were shown and not kept (--keep-output)",
			   (unsigned long long)o->end.output_dropped);
	if (o->undelivered)
		log_warning("%u of %u segments wait in %s (%s); `assay push` delivers them", o->undelivered,
			    o->segments, plan->spool, o->delivery.code ? o->delivery.text : "not delivered in time");
	if (o->timed_out)
		log_warning("the command was ended by --timeout");
	log_notice("run %s: %.2f s%s%s", plan->run.text, (double)o->elapsed_ns / 1e9, sent ? ", sent to " : "",
		   sent ? plan->url : "");
}

/* A shell's reading of how a command ended. */
static int status_of(const struct run_end *end)
{
	return end->signal ? 128 + end->signal : end->exit_code;
}

static int run_once(const struct verb *self, struct agent_plan *plan, int *status)
{
	struct agent_outcome outcome = { 0 };
	struct err err;
	int r = ulid_make(clock_realtime() / 1000000u, &plan->run, &err);

	if (r == 0)
		r = agent_run(plan, &outcome, &err);
	if (r < 0) {
		(void)failed(self, &err);
		*status = !outcome.not_run ? EXIT_FAILED : r == -ENOENT ? 127 : 126;
		return r;
	}
	tell(plan, &outcome);
	*status = status_of(&outcome.end);
	/* Who interrupts a command wants no further one. */
	return outcome.end.signal == SIGINT || outcome.end.signal == SIGTERM ? -EINTR : 0;
}

static int run_all(const struct verb *self, struct request *q, const struct host *host, const char *store)
{
	struct chosen_list chosen = { 0 };
	struct local_store local = { .path = store };
	struct agent_plan plan = { .host = host,
				   .spool = q->spool,
				   .tick_ns = (uint64_t)q->interval_ns,
				   .timeout_ns = (uint64_t)q->timeout_ns,
				   .output_kept = (size_t)q->keep,
				   .command = q->command,
				   .quiet = q->quiet,
				   .url = q->url,
				   .notice = notice };
	cleanup_free char *folder = NULL;
	int first = EXIT_DONE;
	struct err err;

	if (!q->url) {
		plan.deliver = deliver_local;
		plan.deliver_to = folder = deliver_local_folder(store);
		plan.deliver_context = &local;
	}
	if (name_runs(q, host, &plan.axes, &plan.facts, &err) < 0 ||
	    choose_collectors(host, q->list, &chosen, &err) < 0 || plan_collectors(&chosen, &plan, &err) < 0) {
		first = failed(self, &err);
		goto out;
	}
	for (long long i = 0; i < q->repeat; i++) {
		int status, r;

		if (q->repeat > 1)
			log_notice("%lld of %lld", i + 1, q->repeat);
		r = run_once(self, &plan, &status);
		if (first == EXIT_DONE)
			first = status;
		if (r < 0)
			break;
	}
out:
	free((void *)plan.choices);
	pairs_free(&plan.axes);
	pairs_free(&plan.facts);
	chosen_free(&chosen);
	deliver_local_close(&local);
	return first;
}

static int run_main(const struct verb *self, int argc, char **argv)
{
	struct request q = { .repeat = 1, .interval_ns = 1000000000, .keep = 8 << 20 };
	const char *spool = NULL, *root = NULL, *store = getenv("ASSAY_STORE");
	struct host host;
	struct err err;
	int c, status;

	if (store && is_url(store)) {
		q.url = store; /* the place where runs are looked for is where they go, too */
		store = NULL;
	}
	while ((c = next_option(self, argc, argv)) != -1) {
		int r = 0;

		switch (c) {
		case 'n':
			q.name = optarg;
			break;
		case 'p':
			r = axes_parse(&q.given, "-p", optarg, &err);
			break;
		case 'r':
			r = parse_number("--repeat", optarg, &q.repeat, &err);
			if (r == 0 && (q.repeat < 1 || q.repeat > 100000))
				r = err_set(&err, -EINVAL, "--repeat takes a number from 1 to 100000, not '%s'",
					    optarg);
			break;
		case 'i':
			r = parse_duration("--interval", optarg, &q.interval_ns, &err);
			if (r == 0 && q.interval_ns < 1000000)
				r = err_set(&err, -EINVAL, "--interval: '%s' is shorter than 1ms", optarg);
			break;
		case 'c':
			q.list = optarg;
			break;
		case 't':
			q.url = optarg;
			if (!is_url(optarg))
				r = err_set(&err, -EINVAL, "--to takes a URL such as http://127.0.0.1:7460, not '%s'",
					    optarg);
			break;
		case 's':
			store = optarg;
			q.url = NULL;
			break;
		case TIMEOUT:
			r = parse_duration("--timeout", optarg, &q.timeout_ns, &err);
			break;
		case KEEP:
			r = parse_number("--keep-output", optarg, &q.keep, &err);
			if (r == 0 && (q.keep < 0 || q.keep > (1LL << 30)))
				r = err_set(&err, -EINVAL, "--keep-output takes a size from 0 to 1G, not '%s'", optarg);
			break;
		case QUIET:
			q.quiet = true;
			break;
		case 'R':
			root = optarg;
			break;
		case SPOOL:
			spool = optarg;
			break;
		default:
			pairs_free(&q.given);
			return option_status(c);
		}
		if (r < 0) {
			pairs_free(&q.given);
			return usage_error(self, "%s", err.text);
		}
	}
	if (optind >= argc) {
		pairs_free(&q.given);
		return usage_error(self, "a command is needed");
	}
	q.command = argv + optind;
	q.spool = spool_path(spool);
	if (!q.spool) {
		(void)err_set(&err, -ENOENT, "no spool: neither --spool, $ASSAY_SPOOL nor a home folder is there");
		status = failed(self, &err);
	} else if (host_open_root(&host, root, &err) < 0) {
		status = failed(self, &err);
	} else {
		status = run_all(self, &q, &host, store);
		host_close(&host);
	}
	free(q.spool);
	pairs_free(&q.given);
	return status;
}

const struct verb verb_run = {
	.name = "run",
	.summary = "Run a command, sample the machine while it runs, and keep both.",
	.usage = "run [OPTION]... [--] COMMAND [ARG]...",
	.flags = flags,
	.own_command = true,
	.help = CHOOSE_HELP
		"\n"
		"The exit status is the command's own: 128+N when signal N ended it, 127 when it is not there, 126 "
		"when it cannot\n"
		"be executed. With --repeat it is the first one that is not 0.\n\n"
		"  assay run -n hackbench -p commit=v6.12 -r 5 -- hackbench -g 50\n"
		"  assay run --to http://127.0.0.1:7460 -p commit=v6.12 -- make -j8\n"
		"  assay run -c proc-vmstat,slabinfo:5s -i 500ms -- ./my-benchmark\n",
	.main = run_main,
};
