/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/kernel_log.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/take.h"

#define RECORD_MOST  8192   /* of /dev/kmsg: a smaller buffer is refused */
#define RECORDS_MOST 100000 /* in one go; a kernel that prints without end does not keep us */
#define LEVEL_ERROR  3

static void tell_fact(struct kernel_log *k, const char *value)
{
	struct pairs no_axes = { 0 }, facts = { 0 };

	if (pairs_set(&facts, KERNEL_LOG_FACT, value) == 0)
		recorder_facts(k->recorder, &no_axes, &facts);
	pairs_free(&facts);
}

static void keep(struct kernel_log *k, char *record, size_t length, bool grave)
{
	while (length > 0 && record[length - 1] == '\n')
		length--;
	if (length == 0)
		return;
	if (k->kept[grave] + length > k->limit) {
		k->dropped++;
		return;
	}
	for (size_t i = 0; i < length; i++)
		if (record[i] == '\0')
			record[i] = '?';
	record[length] = '\0';
	k->kept[grave] += length;
	recorder_log(k->recorder, LOG_SOURCE_KERNEL, record);
}

/* "3,180,9000000,-;text": numbers that are left out were overwritten. */
static bool follow(struct kernel_log *k, struct text record)
{
	uint64_t priority, number;

	if (!text_u64(&record, &priority) || !text_skip(&record, ",") || !text_u64(&record, &number))
		return false;
	if (k->next && number > k->next)
		k->lost += number - k->next;
	k->next = number + 1;
	return (priority & 7) <= LEVEL_ERROR;
}

static void drain(struct kernel_log *k)
{
	char record[RECORD_MOST + 1];

	for (int i = 0; i < RECORDS_MOST; i++) {
		ssize_t n = read(k->fd, record, RECORD_MOST);

		if (n < 0 && (errno == EINTR || errno == EPIPE)) /* EPIPE: some are gone, the next one is there */
			continue;
		if (n <= 0)
			return;
		keep(k, record, (size_t)n, follow(k, text_n(record, (size_t)n)));
	}
}

static void *work(void *context)
{
	struct kernel_log *k = context;
	struct pollfd at[2] = { { .fd = k->stop, .events = POLLIN }, { .fd = k->fd, .events = POLLIN } };

	for (;;) {
		int r = poll(at, 2, -1);

		if (r < 0 && errno != EINTR)
			return NULL;
		if (r > 0 && at[0].revents)
			return NULL;
		if (r > 0 && at[1].revents)
			drain(k);
	}
}

/* A recorded tree: the log is a file, and it is over. */
static void tell_file(struct kernel_log *k, const char *path, bool records)
{
	cleanup_buf struct buf all = { .ceiling = (size_t)16 << 20 };
	struct text rest, line;
	struct err err;

	if (host_read(k->host, path, &all, &err) < 0) {
		tell_fact(k, "unknown: the recorded log could not be read");
		return;
	}
	rest = buf_text(&all);
	while (text_line(&rest, &line)) {
		char record[RECORD_MOST + 1];
		size_t length;

		while (records && rest.at < rest.end && *rest.at == ' ') { /* belongs to the record before */
			struct text more;

			(void)text_line(&rest, &more);
			line.end = more.end;
		}
		length = text_len(line) < RECORD_MOST ? text_len(line) : RECORD_MOST;
		memcpy(record, line.at, length);
		keep(k, record, length, records && follow(k, line));
	}
	tell_fact(k, KERNEL_LOG_READ);
}

static int open_end(struct kernel_log *k)
{
	int flags, fd = host_open(k->host, "dev/kmsg");
	struct stat st;

	if (fd < 0)
		return fd;
	/* In a container another device, or a file, may stand there. */
	if (fstat(fd, &st) < 0 || !S_ISCHR(st.st_mode) || st.st_rdev != makedev(1, 11)) {
		(void)close(fd);
		return -ENODEV;
	}
	flags = fcntl(fd, F_GETFL);
	if (flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) < 0 || lseek(fd, 0, SEEK_END) < 0) {
		int r = -errno;

		(void)close(fd);
		return r;
	}
	return fd;
}

static int start(struct kernel_log *k)
{
	int r;

	k->fd = open_end(k);
	if (k->fd < 0)
		return k->fd;
	k->stop = eventfd(0, EFD_CLOEXEC);
	r = k->stop < 0 ? -errno : -pthread_create(&k->thread, NULL, work, k);
	if (r == 0) {
		k->running = true;
		return 0;
	}
	take_close_fd(&k->stop);
	take_close_fd(&k->fd);
	return r;
}

void kernel_log_start(struct kernel_log *k)
{
	char why[64];
	int r;

	k->started = true;
	k->fd = k->stop = -1;
	if (!k->host->live) {
		if (host_has(k->host, "dev/kmsg"))
			tell_file(k, "dev/kmsg", true);
		else if (host_has(k->host, "log/dmesg"))
			tell_file(k, "log/dmesg", false);
		else
			tell_fact(k, "unknown: the recording has no log");
		return;
	}
	r = start(k);
	if (r == 0) {
		tell_fact(k, KERNEL_LOG_READ);
		return;
	}
	(void)snprintf(why, sizeof(why), "unknown: %s", err_name(r));
	tell_fact(k, why);
}

void kernel_log_stop(struct kernel_log *k)
{
	char text[120];

	if (k->running) {
		(void)eventfd_write(k->stop, 1);
		(void)pthread_join(k->thread, NULL);
		k->running = false;
		drain(k);
		take_close_fd(&k->stop);
		take_close_fd(&k->fd);
	}
	if (!k->started || (k->lost == 0 && k->dropped == 0))
		return;
	k->started = false;
	(void)snprintf(text, sizeof(text),
		       "kernel log: %llu records were overwritten before they were read, %llu found no place",
		       (unsigned long long)k->lost, (unsigned long long)k->dropped);
	recorder_log(k->recorder, LOG_SOURCE_AGENT, text);
}
