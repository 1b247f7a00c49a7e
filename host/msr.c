/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/msr.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/take.h"
#include "host/msr_recorded.h"

#define ONLINE	 "sys/devices/system/cpu/online"
#define LOCKDOWN "sys/kernel/security/lockdown"
#define RAWIO	 17 /* CAP_SYS_RAWIO, as of linux/capability.h */

static int open_device(const struct host *host, unsigned cpu)
{
	char path[64];

	(void)snprintf(path, sizeof(path), "dev/cpu/%u/msr", cpu);
	return host_open(host, path);
}

/* ---- why there is none ---- */

/* A file's text; empty when it cannot be read. */
static struct text read_text(const struct host *host, const char *path, struct buf *content)
{
	struct err ignored;

	buf_clear(content);
	return host_read(host, path, content, &ignored) < 0 ? text_n("", 0) : buf_text(content);
}

/* The first line of `key`, whose rest is left in `ret`. */
static bool line_of(struct text content, const char *key, struct text *ret)
{
	while (text_line(&content, ret))
		if (text_skip(ret, key))
			return true;
	return false;
}

static bool has_registers(const struct host *host, struct buf *content)
{
	struct text flags, word;

	if (!line_of(read_text(host, "proc/cpuinfo", content), "flags", &flags))
		return false;
	while (text_word(&flags, &word))
		if (text_is(word, "msr"))
			return true;
	return false;
}

static bool may_raw_io(const struct host *host, struct buf *content)
{
	struct text line;
	uint64_t capabilities;

	/* Without that line nobody knows, and the other reasons are to be told. */
	return !line_of(read_text(host, "proc/self/status", content), "CapEff:\t", &line) ||
	       !text_hex(&line, &capabilities) || capabilities >> RAWIO & 1;
}

/* "none [integrity] confidentiality": what is in force stands in brackets. */
static struct text lockdown(const struct host *host, struct buf *content)
{
	struct text rest = read_text(host, LOCKDOWN, content), word;

	while (text_word(&rest, &word)) {
		word = text_trim(word);
		if (text_len(word) > 2 && *word.at == '[' && !text_is(word, "[none]"))
			return (struct text){ word.at + 1, word.end - 1 };
	}
	return text_n("", 0);
}

static int refused(const struct host *host, unsigned cpu, int code, struct err *err)
{
	cleanup_buf struct buf content = { .ceiling = 1 << 20 };
	char path[64];
	struct text mode;

	(void)snprintf(path, sizeof(path), "dev/cpu/%u/msr", cpu);
	if (code == -ENOENT && !has_registers(host, &content))
		return err_set(err, code, "this processor shows no model-specific registers (no flag msr in proc/cpuinfo)");
	if (code == -ENOENT)
		return err_set(err, code, "%s: %s: the kernel's msr driver is not there; modprobe msr, or CONFIG_X86_MSR", path,
			       err_name(code));
	if ((code == -EPERM || code == -EACCES) && !may_raw_io(host, &content))
		return err_set(err, code, "%s: %s: it takes CAP_SYS_RAWIO; run as root, or setcap cap_sys_rawio+ep", path,
			       err_name(code));
	mode = lockdown(host, &content);
	if ((code == -EPERM || code == -EACCES) && text_len(mode) > 0)
		return err_set(err, code, "%s: %s: the kernel is locked down (%.*s)", path, err_name(code),
			       TEXT_ARGS(mode));
	if (code == -EACCES)
		return err_set(err, code, "%s: %s: the file is root's alone", path, err_name(code));
	return err_set(err, code, "%s: %s", path, err_name(code));
}

/* ---- open ---- */

static int no_memory(struct err *err)
{
	return err_set(err, -ENOMEM, "msr: no memory");
}

/* The folders dev/cpu/<N>, for a root without sysfs. */
static int list_devices(struct msr *m, struct err *err)
{
	cleanup_buf struct buf list = { 0 };
	struct names folders = { 0 };
	struct err ignored;
	int r = host_list(m->host, "dev/cpu", &folders, &ignored) == -ENOMEM ? -ENOMEM : 0;

	for (size_t i = 0; i < folders.count && r == 0; i++)
		if (strspn(folders.at[i], "0123456789") == folders.length[i])
			r = buf_printf(&list, "%s%s", list.len ? "," : "", folders.at[i]);
	names_free(&folders);
	cpulist_free(&m->cpus);
	if (r < 0 || cpulist_parse(buf_text(&list), &m->cpus, &ignored) == -ENOMEM)
		return no_memory(err);
	return 0;
}

static int list_cpus(struct msr *m, struct err *err)
{
	cleanup_buf struct buf content = { .ceiling = 1 << 20 };
	struct err ignored;

	if (cpulist_parse(text_trim(read_text(m->host, ONLINE, &content)), &m->cpus, &ignored) == -ENOMEM)
		return no_memory(err);
	return m->cpus.count ? 0 : list_devices(m, err);
}

/* Half of what the process may have: the others need some, too. */
static size_t most_descriptors(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur > 1 << 20)
		return 1 << 19;
	return (size_t)limit.rlim_cur / 2;
}

/* A CPU that cannot be opened has no values; when none can, the first one's reason is that of all. */
static int open_devices(struct msr *m, struct err *err)
{
	size_t keep = most_descriptors(), opened = 0;
	int first = 0;

	m->devices = malloc((m->cpus.count + 1) * sizeof(*m->devices));
	if (!m->devices)
		return no_memory(err);
	for (size_t i = 0; i < m->cpus.count; i++)
		m->devices[i] = -1;
	for (size_t i = 0; i < m->cpus.count; i++) {
		int fd = open_device(m->host, m->cpus.at[i]);

		if (fd < 0 && first == 0)
			first = fd;
		if (fd < 0)
			continue;
		if (opened++ < keep)
			m->devices[i] = fd;
		else
			(void)close(fd);
	}
	if (opened)
		return 0;
	return refused(m->host, m->cpus.count ? m->cpus.at[0] : 0, first ? first : -ENOENT, err);
}

/* -ENOENT: there is no recording either. */
static int open_recording(struct msr *m, struct err *err)
{
	int r = msr_recorded_read(m->host, &m->recorded, &m->recorded_count, err);

	if (r < 0 || m->cpus.count)
		return r;
	free(m->devices); /* of none */
	m->devices = NULL;
	cpulist_free(&m->cpus);
	return msr_recorded_cpus(m->recorded, m->recorded_count, &m->cpus, err);
}

int msr_open(struct msr *m, const struct host *host, struct err *err)
{
	struct err why, recorded;
	int r;

	*m = (struct msr){ .host = host, .spare_device = -1 };
	r = list_cpus(m, &why);
	if (r == 0)
		r = open_devices(m, &why);
	if (r == -ENOENT && !host->live) {
		r = open_recording(m, &recorded);
		if (r == -ENOENT)
			r = why.code; /* the device's reason says more */
		else if (r < 0)
			why = recorded;
	}
	if (r < 0)
		*err = why;
	return r;
}

int msr_probe(const struct host *host, struct err *err)
{
	struct msr m;
	int r = msr_open(&m, host, err);

	msr_close(&m);
	return r;
}

/* ---- read ---- */

static int device_of(struct msr *m, size_t nth)
{
	if (m->devices[nth] >= 0)
		return m->devices[nth];
	if (m->spare_device < 0 || m->spare != nth) {
		take_close_fd(&m->spare_device);
		m->spare_device = open_device(m->host, m->cpus.at[nth]);
		m->spare = nth;
	}
	return m->spare_device;
}

int msr_read(struct msr *m, size_t nth, uint32_t address, uint64_t *ret)
{
	int fd;

	if (m->recorded)
		return msr_recorded_find(m->recorded, m->recorded_count, m->cpus.at[nth], address, ret);
	fd = device_of(m, nth);
	while (fd >= 0) {
		ssize_t n = pread(fd, ret, sizeof(*ret), (off_t)address);

		if (n == (ssize_t)sizeof(*ret))
			return 0;
		if (n >= 0)
			return -EIO;
		if (errno != EINTR)
			return -errno;
	}
	return fd;
}

void msr_close(struct msr *m)
{
	if (!m->host)
		return;
	for (size_t i = 0; m->devices && i < m->cpus.count; i++)
		take_close_fd(&m->devices[i]);
	take_close_fd(&m->spare_device);
	free(m->devices);
	free(m->recorded);
	cpulist_free(&m->cpus);
	*m = (struct msr){ 0 };
}
