/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collectors/pmu.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static int read_word(const struct host *host, const char *pmu, const char *file, struct buf *content, struct text *ret,
		     struct err *err)
{
	char path[256];
	int r;

	if (snprintf(path, sizeof(path), PMU_FOLDER "%s/%s", pmu, file) >= (int)sizeof(path))
		return err_set(err, -ENOENT, "%s: a name that long", pmu);
	buf_clear(content);
	r = host_read(host, path, content, err);
	*ret = text_trim(buf_text(content));
	return r;
}

int pmu_event_find(const struct host *host, const char *pmu, const char *event, struct pmu_event *ret, struct err *err)
{
	cleanup_buf struct buf content = { .ceiling = 1 << 16 };
	struct err ignored;
	struct text text;
	char file[128];
	uint64_t type;
	int r;

	*ret = (struct pmu_event){ 0 };
	if (!host->live)
		return err_set(err, -EOPNOTSUPP, "%s/%s/: a recorded tree has no counters", pmu, event);
	r = read_word(host, pmu, "type", &content, &text, err);
	if (r == 0 && (!text_u64(&text, &type) || type > UINT32_MAX))
		r = err_set(err, -EBADMSG, PMU_FOLDER "%s/type: no number", pmu);
	if (r < 0)
		return r;
	ret->type = (uint32_t)type;
	(void)snprintf(file, sizeof(file), "events/%s", event);
	r = read_word(host, pmu, file, &content, &text, err);
	if (r == 0 && (!text_skip(&text, "event=") || !text_hex(&text, &ret->config) || text.at != text.end))
		r = err_set(err, -EBADMSG, PMU_FOLDER "%s/%s: not event=0x..", pmu, file);
	if (r == 0 && read_word(host, pmu, "cpumask", &content, &text, &ignored) == 0)
		r = cpulist_parse(text, &ret->cpus, err);
	return r;
}

int pmu_event_open(const struct pmu_event *event, unsigned cpu)
{
	struct perf_event_attr attr = { .size = sizeof(attr), .type = event->type, .config = event->config };
	long fd = syscall(SYS_perf_event_open, &attr, -1, (int)cpu, -1, PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : (int)fd;
}

int pmu_event_read(int fd, uint64_t *ret)
{
	for (;;) {
		ssize_t n = read(fd, ret, sizeof(*ret));

		if (n == (ssize_t)sizeof(*ret))
			return 0;
		if (n >= 0)
			return -EIO;
		if (errno != EINTR)
			return -errno;
	}
}

const char *pmu_refused(int code)
{
	if (code == -EACCES || code == -EPERM)
		return "Permission denied: it takes CAP_PERFMON, or proc/sys/kernel/perf_event_paranoid of 0 or less";
	if (code == -EMFILE)
		return "Too many open files: raise ulimit -n";
	return err_name(code);
}
