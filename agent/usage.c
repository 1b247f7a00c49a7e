/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/usage.h"

#include <sys/resource.h>

#include "base/buf.h"

#define SECOND     UINT64_C(1000000000)
#define CENTISECOND (SECOND / 100)
#define HOUR       (3600 * SECOND)

const struct hint usage_hints[] = {
	/* key                          kind   unit          help */
	{ "user_time",                   GAUGE, UNIT_SECONDS, "CPU time of the command's own code." },
	{ "system_time",                 GAUGE, UNIT_SECONDS, "CPU time of the kernel on the command's behalf." },
	{ "percent_of_cpu_this_job_got", GAUGE, UNIT_PERCENT, "Both of these by elapsed time." },
	{ "elapsed_time",                GAUGE, UNIT_SECONDS, "From start to end." },
	{ "maximum_resident_set_size",   GAUGE, UNIT_KIB,     "The most memory that one process of the command had." },
	{ "average_*",                   GAUGE, UNIT_KIB,     "0: Linux does not count it." },
	{ "major_page_faults",           GAUGE, UNIT_COUNT,   "Faults that waited for a disk." },
	{ "minor_page_faults",           GAUGE, UNIT_COUNT,   "Faults that did not." },
	{ "voluntary_context_switches",  GAUGE, UNIT_COUNT,   "The command waited for something." },
	{ "involuntary_context_switches", GAUGE, UNIT_COUNT,  "The command's time was up, or another came first." },
	{ "file_system_inputs",          GAUGE, UNIT_SECTORS, "Read from disks." },
	{ "file_system_outputs",         GAUGE, UNIT_SECTORS, "Written to disks." },
	{ "swaps",                       GAUGE, UNIT_COUNT,   "0: Linux does not count it." },
	{ "socket_messages_*",           GAUGE, UNIT_COUNT,   "0: Linux does not count it." },
	{ "signals_delivered",           GAUGE, UNIT_COUNT,   "0: Linux does not count it." },
	{ "page_size",                   GAUGE, UNIT_BYTES,   "Of the machine." },
	{ "exit_status",                 GAUGE, UNIT_NONE,    "As a shell tells it: 128 and the signal's number for one that a signal ended." },
	{ 0 },
};

const struct hint usage_own_hints[] = {
	/* key                kind   unit          help */
	{ "agent.cpu_seconds", GAUGE, UNIT_SECONDS, "CPU time of the agent during the run." },
	{ "agent.max_rss_kib", GAUGE, UNIT_KIB,     "The most memory that the agent's process ever had." },
	{ 0 },
};

struct teller {
	const char *testcase;
	void (*put)(void *context, const struct run_result *result);
	void *context;
};

static void tell(const struct teller *t, const char *label, double value, const char *unit)
{
	cleanup_buf struct buf key = { 0 };
	struct run_result result = { .value = value, .unit = unit };

	if (buf_printf(&key, "%s.time.%s", t->testcase, label) < 0)
		return; /* without memory the recorder has none for it, either */
	result.key = key.data;
	t->put(t->context, &result);
}

static double centiseconds(struct timeval t)
{
	return (double)((uint64_t)t.tv_sec * 100 + (uint64_t)t.tv_usec / 10000) / 100;
}

static double elapsed(uint64_t ns)
{
	return ns < HOUR ? (double)(ns / CENTISECOND) / 100 : (double)(ns / SECOND);
}

static uint64_t milliseconds(struct timeval t)
{
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_usec / 1000;
}

static double percent(const struct command_end *end)
{
	uint64_t whole = end->elapsed_ns / 1000000;

	if (whole == 0)
		return 0;
	return (double)((milliseconds(end->usage.ru_utime) + milliseconds(end->usage.ru_stime)) * 100 / whole);
}

void usage_tell(const char *testcase, const struct command_end *end, long page_size,
		void (*put)(void *context, const struct run_result *result), void *context)
{
	const struct teller t = { testcase, put, context };
	const struct rusage *u = &end->usage;

	tell(&t, "user_time", centiseconds(u->ru_utime), "s");
	tell(&t, "system_time", centiseconds(u->ru_stime), "s");
	tell(&t, "percent_of_cpu_this_job_got", percent(end), "%");
	tell(&t, "elapsed_time", elapsed(end->elapsed_ns), "s");
	tell(&t, "average_shared_text_size", 0, "KiB"); /* this and the other zeros: Linux does not count them */
	tell(&t, "average_unshared_data_size", 0, "KiB");
	tell(&t, "average_stack_size", 0, "KiB");
	tell(&t, "average_total_size", 0, "KiB");
	tell(&t, "maximum_resident_set_size", (double)u->ru_maxrss, "KiB");
	tell(&t, "average_resident_set_size", 0, "KiB");
	tell(&t, "major_page_faults", (double)u->ru_majflt, "");
	tell(&t, "minor_page_faults", (double)u->ru_minflt, "");
	tell(&t, "voluntary_context_switches", (double)u->ru_nvcsw, "");
	tell(&t, "involuntary_context_switches", (double)u->ru_nivcsw, "");
	tell(&t, "swaps", 0, "");
	tell(&t, "file_system_inputs", (double)u->ru_inblock, "blocks of 512 bytes");
	tell(&t, "file_system_outputs", (double)u->ru_oublock, "blocks of 512 bytes");
	tell(&t, "socket_messages_sent", 0, "");
	tell(&t, "socket_messages_received", 0, "");
	tell(&t, "signals_delivered", 0, "");
	tell(&t, "page_size", (double)page_size, "bytes");
	tell(&t, "exit_status", end->signal ? 128 + end->signal : end->exit_code, "");
}

static double seconds(const struct rusage *u)
{
	return (double)(u->ru_utime.tv_sec + u->ru_stime.tv_sec) +
	       (double)(u->ru_utime.tv_usec + u->ru_stime.tv_usec) / 1e6;
}

double usage_own_seconds(void)
{
	struct rusage u;

	return getrusage(RUSAGE_SELF, &u) < 0 ? 0 : seconds(&u);
}

void usage_tell_own(double before_s, void (*put)(void *context, const struct run_result *result), void *context)
{
	struct run_result cpu = { .key = "agent.cpu_seconds", .unit = "s" };
	struct run_result memory = { .key = "agent.max_rss_kib", .unit = "KiB" };
	struct rusage u;

	if (getrusage(RUSAGE_SELF, &u) < 0)
		return;
	cpu.value = seconds(&u) - before_s;
	memory.value = (double)u.ru_maxrss;
	put(context, &cpu);
	put(context, &memory);
}
