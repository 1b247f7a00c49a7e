/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This machine's own counters, beside `perf stat` which counts at the same time (Debian: linux-perf). What cannot be
 * counted here is skipped: no perf events, not allowed to, no perf.
 */
#include "tests/support/rig.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collectors/perf_stat.h"
#include "tests/support/shared.h"

#define PAGES	 16384
#define SWITCHES 20000
#define ROUNDS	 3
#define EVENTS	 8

/* ---- something to count ---- */

static void touch_pages(void)
{
	long size = sysconf(_SC_PAGESIZE);
	char *at = mmap(NULL, (size_t)(PAGES * size), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED)
		_exit(1);
	(void)madvise(at, (size_t)(PAGES * size), MADV_NOHUGEPAGE);
	for (long i = 0; i < PAGES; i++)
		at[i * size] = 1;
	(void)munmap(at, (size_t)(PAGES * size));
}

/* Two tasks on one CPU that pass a byte to and fro. */
static void switch_tasks(void)
{
	int there[2], back[2];
	cpu_set_t one;
	char byte = 0;
	pid_t pid;

	CPU_ZERO(&one);
	CPU_SET((size_t)sched_getcpu(), &one);
	(void)sched_setaffinity(0, sizeof(one), &one);
	if (pipe2(there, O_CLOEXEC) < 0 || pipe2(back, O_CLOEXEC) < 0)
		_exit(1);
	pid = fork();
	for (int i = 0; i < SWITCHES / 2; i++) {
		int out = pid ? there[1] : back[1], in = pid ? back[0] : there[0];

		if (pid && write(out, &byte, 1) != 1)
			_exit(1);
		if (read(in, &byte, 1) != 1 || (!pid && write(out, &byte, 1) != 1))
			_exit(1);
	}
	if (pid == 0)
		_exit(0);
	(void)waitpid(pid, NULL, 0);
}

static void load(void)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		touch_pages();
		switch_tasks();
		_exit(0);
	}
	assert_true(pid > 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

/* ---- perf stat, which waits to be told ---- */

struct perf {
	pid_t pid;
	int control, answer, work; /* it ends when `work` is closed */
	char out[300];
};

static bool has_perf(void)
{
	int status = -1;
	pid_t pid = fork();

	if (pid == 0) {
		int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);

		(void)dup2(nowhere, STDOUT_FILENO);
		(void)dup2(nowhere, STDERR_FILENO);
		(void)execlp("perf", "perf", "stat", "-e", "page-faults", "true", (char *)NULL);
		_exit(127);
	}
	(void)waitpid(pid, &status, 0);
	return status == 0;
}

static void perf_start(struct perf *p, const char *folder, const char *events)
{
	int control[2], answer[2], work[2];
	char how[64];

	assert_int_equal(pipe(control), 0);
	assert_int_equal(pipe(answer), 0);
	assert_int_equal(pipe(work), 0);
	(void)snprintf(p->out, sizeof(p->out), "%s/perf.csv", folder);
	(void)snprintf(how, sizeof(how), "--control=fd:%d,%d", control[0], answer[1]);
	p->pid = fork();
	if (p->pid == 0) {
		(void)close(control[1]);
		(void)close(answer[0]);
		(void)close(work[1]);
		(void)dup2(work[0], STDIN_FILENO);
		(void)execlp("perf", "perf", "stat", "-a", "-x", ",", "-D", "-1", how, "-o", p->out, "-e", events, "--",
			     "cat", (char *)NULL);
		_exit(127);
	}
	(void)close(control[0]);
	(void)close(answer[1]);
	(void)close(work[0]);
	p->work = work[1];
	p->control = control[1];
	p->answer = answer[0];
}

static void perf_tell(struct perf *p, const char *what)
{
	char words[8];

	assert_int_equal(write(p->control, what, strlen(what)), strlen(what));
	assert_true(read(p->answer, words, sizeof(words)) >= 4); /* "ack\n" */
}

static void perf_end(struct perf *p)
{
	(void)close(p->work);
	(void)waitpid(p->pid, NULL, 0);
	(void)close(p->control);
	(void)close(p->answer);
}

/* The count that perf wrote down, in ns where it writes ms; -1: it has none. */
static double perf_count(const struct perf *p, const char *event)
{
	struct buf text = read_whole(p->out);
	struct text rest = buf_text(&text), line;
	double found = -1;

	while (text_line(&rest, &line)) {
		struct text value = line, unit, name;
		const char *comma = memchr(line.at, ',', text_len(line));
		char digits[64];

		if (!comma)
			continue;
		value.end = comma;
		unit.at = comma + 1;
		comma = memchr(unit.at, ',', (size_t)(line.end - unit.at));
		unit.end = comma ? comma : unit.at;
		name = (struct text){ unit.end + 1, line.end };
		if (!comma || !text_starts(name, event) || name.at[strlen(event)] != ',')
			continue;
		(void)snprintf(digits, sizeof(digits), "%.*s", TEXT_ARGS(value));
		found = strtod(digits, NULL) * (text_is(unit, "msec") ? 1e6 : 1);
	}
	buf_free(&text);
	return found;
}

/* ---- both at once ---- */

static bool live(struct rig *rig)
{
	host_close(&rig->host);
	assert_int_equal(host_open_root(&rig->host, NULL, &rig->err), 0);
	if (collector_probe(&collector_perf_stat, &rig->host, &rig->err) == 0)
		return true;
	print_message("# %s\n", rig->err.text);
	return false;
}

/* Of whichever PMU it is. */
static double count(struct rig *rig, const char *event)
{
	for (size_t i = 0; i < rig->run.shape.instance_count; i++)
		if (rig_has_of(rig, event, rig->run.shape.instances[i]))
			return (double)rig_value_of(rig, event, rig->run.shape.instances[i]);
	return -1;
}

/* Add the counts of now, or take them away. */
static void add(struct rig *rig, const char *const *events, size_t n, double sign, double sums[EVENTS])
{
	for (size_t i = 0; i < n; i++)
		sums[i] += sign * count(rig, events[i]);
}

/*
 * perf's window lies between two of ours, one a little shorter and one a little longer, however long this machine takes
 * from one to the next: so do its counts, but for the digits that it does not print.
 */
static void beside_perf(struct rig *rig, const char *const *events, size_t n)
{
	static char list[400];
	static const char *options[] = { "events", list, NULL };

	list[0] = '\0';
	for (size_t i = 0; i < n; i++)
		(void)snprintf(list + strlen(list), sizeof(list) - strlen(list), "%s%s", i ? "," : "", events[i]);
	if (rig_open_with(rig, &collector_perf_stat, options) < 0)
		fail_msg("%s", rig->err.text);
	rig_again(rig); /* the zero point */
	for (int round = 0; round < ROUNDS; round++) {
		double shorter[EVENTS] = { 0 }, longer[EVENTS] = { 0 };
		struct perf p;

		perf_start(&p, rig->folder, list);
		rig_again(rig);
		add(rig, events, n, -1, longer);
		perf_tell(&p, "enable\n");
		rig_again(rig);
		add(rig, events, n, -1, shorter);
		load();
		rig_again(rig);
		add(rig, events, n, 1, shorter);
		perf_tell(&p, "disable\n");
		rig_again(rig);
		add(rig, events, n, 1, longer);
		perf_end(&p);
		for (size_t i = 0; i < n; i++) {
			double theirs = perf_count(&p, events[i]), digits = 5 + theirs / 10000;

			print_message("# %s: %.0f to %.0f, perf %.0f\n", events[i], shorter[i], longer[i], theirs);
			assert_true(theirs >= shorter[i] - digits && theirs <= longer[i] + digits);
		}
	}
}

static void software_events_are_those_that_perf_counts(void **state)
{
	static const char *const events[] = { "cpu-clock",    "task-clock",   "page-faults", "context-switches",
					      "minor-faults", "major-faults", "cpu-migrations" };
	struct rig *rig = *state;

	if (!live(rig) || !has_perf())
		skip();
	beside_perf(rig, events, 7);
	assert_true(count(rig, "page-faults") >= ROUNDS * PAGES);
	assert_true(count(rig, "context-switches") >= ROUNDS * SWITCHES);
}

static void the_tsc_is_that_which_perf_counts(void **state)
{
	static const char *const events[] = { "msr/tsc/" };
	struct rig *rig = *state;

	if (!live(rig) || !has_perf() || !host_has(&rig->host, "sys/bus/event_source/devices/msr/events/tsc"))
		skip();
	beside_perf(rig, events, 1);
}

/* Tracefs is mounted for this process and its children, if it is not there. */
static bool has_tracefs(struct rig *rig)
{
	if (host_has(&rig->host, "sys/kernel/tracing/events/sched/sched_switch/id") ||
	    host_has(&rig->host, "sys/kernel/debug/tracing/events/sched/sched_switch/id"))
		return true;
	if (unshare(CLONE_NEWNS) < 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
	    mount("nodev", "/sys/kernel/tracing", "tracefs", 0, NULL) < 0)
		return false;
	return live(rig) && host_has(&rig->host, "sys/kernel/tracing/events/sched/sched_switch/id");
}

static void tracepoints_are_those_that_perf_counts(void **state)
{
	static const char *const events[] = { "sched:sched_switch", "sched:sched_wakeup" };
	struct rig *rig = *state;

	if (!live(rig) || !has_perf() || !has_tracefs(rig))
		skip();
	beside_perf(rig, events, 2);
	assert_true(count(rig, "sched:sched_switch") >= ROUNDS * SWITCHES);
}

static void hardware_events_are_those_that_perf_counts(void **state)
{
	static const char *const events[] = { "cpu-cycles", "instructions", "branch-instructions" };
	struct rig *rig = *state;
	const char *const options[] = { "events", "cpu-cycles", NULL };

	if (!live(rig) || !has_perf())
		skip();
	if (rig_open_with(rig, &collector_perf_stat, options) < 0) {
		print_message("# %s\n", rig->err.text);
		skip();
	}
	beside_perf(rig, events, 3);
}

/* What the kernel tells of a command by wait4() is what was counted of it and of what it started. */
static void a_command_is_counted_with_what_it_starts(void **state)
{
	static const char *const options[] = { "scope", "command", "events", "{task-clock,page-faults,context-switches}", NULL };
	struct rig *rig = *state;
	int go[2], status;
	struct rusage usage;
	double cpu_ns, faults;

	if (!live(rig))
		skip();
	assert_int_equal(pipe(go), 0);
	rig->host.command = fork();
	if (rig->host.command == 0) {
		char byte;

		(void)close(go[1]);
		(void)!read(go[0], &byte, 1);
		(void)execlp("sh", "sh", "-c",
			     "i=0; while [ $i -lt 100 ]; do i=$((i+1)); /bin/true; done; "
			     "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done & wait", (char *)NULL);
		_exit(127);
	}
	(void)close(go[0]);
	if (rig_open_with(rig, &collector_perf_stat, options) < 0)
		fail_msg("%s", rig->err.text);
	rig_again(rig);
	(void)close(go[1]);
	assert_int_equal(wait4(rig->host.command, &status, 0, &usage), rig->host.command);
	assert_int_equal(status, 0);
	rig_again(rig);
	cpu_ns = 1e9 * (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
		 1e3 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
	faults = (double)(usage.ru_minflt + usage.ru_majflt);
	print_message("# task-clock %.0f, wait4 %.0f; page-faults %.0f, wait4 %.0f\n", count(rig, "task-clock"), cpu_ns,
		      count(rig, "page-faults"), faults);
	/* wait4() tells of the time before the execution, too, and of time that was stolen. */
	assert_true(count(rig, "task-clock") > cpu_ns * 0.6 && count(rig, "task-clock") < cpu_ns * 1.2);
	assert_true(count(rig, "page-faults") > faults * 0.9 && count(rig, "page-faults") <= faults);
	assert_true(count(rig, "context-switches") >= 100); /* it waited for each */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RIG_TEST(software_events_are_those_that_perf_counts),
		RIG_TEST(the_tsc_is_that_which_perf_counts),
		RIG_TEST(hardware_events_are_those_that_perf_counts),
		RIG_TEST(a_command_is_counted_with_what_it_starts),
		RIG_TEST(tracepoints_are_those_that_perf_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
