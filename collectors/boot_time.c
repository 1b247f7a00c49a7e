/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * When the machine got how far while it booted, from the kernel's log, which is read once, at open:
 *
 *   6,339,5140900,-;Sending DHCP requests .     dev/kmsg: level, number, microseconds since boot
 *   [    5.140900] Sending DHCP requests .      log/dmesg of a recorded tree
 *
 * A log that has lost its beginning, or that has no times, tells nothing: absent.
 */
#include <errno.h>
#include <unistd.h>

#include "base/take.h"
#include "collectors/collector.h"

#define LOG_MOST     ((size_t)16 << 20)
#define RECORD_MOST  8192 /* of dev/kmsg: a smaller buffer is refused */
#define RECORDS_MOST (1 << 16)

static const struct hint hints[] = {
	/* key            kind   unit          help                                                              exponent */
	{ "dhcp",        GAUGE, UNIT_SECONDS, "When the kernel first asked for an address, since boot.",          6 },
	{ "smp_boot",    GAUGE, UNIT_SECONDS, "How long it took to start the other processors.",                  6 },
	{ "kernel_boot", GAUGE, UNIT_SECONDS, "When the kernel was done with itself, since boot.",                6 },
	{ 0 },
};

enum { DHCP, SMP_BOOT, KERNEL_BOOT, METRICS };

static const char *const names[METRICS] = { "dhcp", "smp_boot", "kernel_boot" };
static const char *const instances[] = { "" };
static const char *const logs[] = { "dev/kmsg", "log/dmesg" };

struct boot_time {
	struct metric metrics[METRICS];
	int64_t value[METRICS]; /* microseconds; -1: not told */
	struct shape shape;
};

/* What the log says, and what it begins: the second of a pair is counted from the first. */
enum event { DHCP_REQUEST, SMP_BEGIN_X86, SMP_BEGIN, SMP_END, KERNEL_END, EVENTS };

static const struct {
	enum event event;
	const char *words;
} sayings[] = {
	{ DHCP_REQUEST, "Sending DHCP requests" },
	{ SMP_BEGIN_X86, "x86: Booting SMP configuration" },
	{ SMP_BEGIN, "smp: Bringing up secondary CPUs" },
	{ SMP_END, "smp: Brought up " },
	{ KERNEL_END, "Freeing unused kernel memory" },
	{ KERNEL_END, "Freeing unused kernel image (initmem) memory" }, /* since 5.0 */
};

static bool has(struct text text, const char *words)
{
	return memmem(text.at, text_len(text), words, strlen(words)) != NULL;
}

/* Microseconds at the head of a line; false where there are none. */
static bool stamp_of(struct text *line, int64_t *ret)
{
	uint64_t number;

	if (text_skip(line, "["))
		return text_decimal(line, 6, ret) && text_skip(line, "]");
	if (!text_u64(line, &number) || !text_skip(line, ",") || !text_u64(line, &number) || !text_skip(line, ",") ||
	    !text_u64(line, &number) || !text_skip(line, ","))
		return false;
	*ret = (int64_t)(number & INT64_MAX);
	return true;
}

static void take_log(struct boot_time *b, struct text rest)
{
	int64_t at[EVENTS], stamp, begin;
	struct text line;

	for (size_t i = 0; i < EVENTS; i++)
		at[i] = -1;
	while (text_line(&rest, &line) && at[KERNEL_END] < 0) {
		if (!stamp_of(&line, &stamp))
			continue;
		for (size_t i = 0; i < sizeof(sayings) / sizeof(*sayings); i++)
			if (at[sayings[i].event] < 0 && has(line, sayings[i].words))
				at[sayings[i].event] = stamp;
	}
	begin = at[SMP_BEGIN_X86] >= 0 ? at[SMP_BEGIN_X86] : at[SMP_BEGIN];
	b->value[DHCP] = at[DHCP_REQUEST];
	b->value[SMP_BOOT] = begin >= 0 && at[SMP_END] >= begin ? at[SMP_END] - begin : -1;
	b->value[KERNEL_BOOT] = at[KERNEL_END];
}

/* Up to the words that end the boot, or to the end. dev/kmsg gives a record a read, -EPIPE for one that is gone, and
 * has no more when it would block. */
static int read_log(int fd, struct buf *log)
{
	char record[RECORD_MOST];
	size_t looked_at = 0;

	for (int i = 0; i < RECORDS_MOST; i++) {
		ssize_t n = read(fd, record, sizeof(record));
		struct text fresh;
		int r;

		if (n < 0 && (errno == EINTR || errno == EPIPE || errno == EINVAL))
			continue;
		if (n < 0 && errno != EAGAIN)
			return -errno;
		if (n <= 0)
			return 0;
		r = buf_add(log, record, (size_t)n);
		if (r < 0)
			return r == -EMSGSIZE ? 0 : r;
		fresh = buf_text(log);
		fresh.at += looked_at;
		if (has(fresh, "Freeing unused kernel") && record[n - 1] == '\n')
			return 0;
		looked_at = log->len > 64 ? log->len - 64 : 0; /* the words may lie across two reads of a file */
	}
	return 0;
}

static int open_log(const struct host *host, struct err *err)
{
	int fd = -ENOENT;

	for (size_t i = 0; i < sizeof(logs) / sizeof(*logs) && fd == -ENOENT; i++) {
		fd = host_open(host, logs[i]);
		if (fd < 0)
			(void)err_set(err, fd, "%s: %s%s", logs[i], err_name(fd),
				      fd == -EPERM || fd == -EACCES ? ": only root may read it" : "");
	}
	return fd;
}

static int boot_time_probe(const struct collector *self, const struct host *host, struct err *err)
{
	int fd = open_log(host, err);

	if (fd < 0)
		return fd;
	(void)close(fd);
	return 0;
}

static int boot_time_open(const struct collector *self, void *state, const struct host *host, struct err *err)
{
	cleanup_buf struct buf log = { .ceiling = LOG_MOST };
	cleanup_fd int fd = open_log(host, err);
	struct boot_time *b = state;
	int r;

	if (fd < 0)
		return fd;
	r = read_log(fd, &log);
	if (r < 0)
		return err_set(err, r, "the kernel's log: %s", err_name(r));
	take_log(b, buf_text(&log));
	for (size_t i = 0; i < METRICS; i++) {
		b->metrics[i].name = names[i];
		hint_apply(hints, &b->metrics[i]);
	}
	b->shape = (struct shape){ .collector = self->name,
				   .metrics = b->metrics,
				   .metric_count = METRICS,
				   .instances = instances,
				   .instance_count = 1 };
	return 0;
}

static const struct shape *boot_time_shape(const void *state)
{
	return &((const struct boot_time *)state)->shape;
}

static int boot_time_sample(void *state, struct sample *out, struct err *err)
{
	struct boot_time *b = state;

	for (size_t i = 0; i < METRICS; i++)
		if (b->value[i] >= 0)
			sample_put(out, i, 0, (uint64_t)b->value[i]);
	return 0;
}

static void boot_time_close(void *state)
{
}

const struct collector collector_boot_time = {
	.name = "boot-time",
	.description = "How far the machine was when, while it booted",
	.source = "dev/kmsg log/dmesg",
	.hints = hints,
	.state_size = sizeof(struct boot_time),
	.interval_ms = 3600000, /* nothing of it changes */
	.probe = boot_time_probe,
	.open = boot_time_open,
	.shape = boot_time_shape,
	.sample = boot_time_sample,
	.close = boot_time_close,
};
