/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collectors/perf_edge.h"

#include <errno.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "host/limits.h"

static int kernel_open(void *context, struct perf_event_attr *attr, int process, int cpu, int group)
{
	long fd = syscall(SYS_perf_event_open, attr, process, cpu, group, PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : (int)fd;
}

static int kernel_enable(void *context, int fd)
{
	return ioctl(fd, PERF_EVENT_IOC_ENABLE, 0) < 0 ? -errno : 0;
}

static long kernel_read(void *context, int fd, void *buffer, size_t size)
{
	ssize_t n;

	do
		n = read(fd, buffer, size);
	while (n < 0 && errno == EINTR);
	return n < 0 ? -errno : n;
}

static void kernel_close(void *context, int fd)
{
	(void)close(fd);
}

static uint64_t kernel_allow(void *context, uint64_t more)
{
	struct rlimit limit;

	(void)limits_raise_files(&limit);
	return getrlimit(RLIMIT_NOFILE, &limit) < 0 ? UINT64_MAX : limit.rlim_cur;
}

const struct perf_edge perf_edge_kernel = {
	.open = kernel_open,
	.enable = kernel_enable,
	.read = kernel_read,
	.close = kernel_close,
	.allow = kernel_allow,
};
