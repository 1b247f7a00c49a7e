/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collectors/process_read.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/take.h"

#define PATH_SIZE    96
#define THREADS_MOST 256 /* whose switches are asked for, of one process */

/* Up to `size` bytes of it; empty: it is gone, or not to be read. */
static struct text read_file(const struct host *host, const char *path, char *buffer, size_t size)
{
	cleanup_fd int fd = host_open(host, path);
	size_t length = 0;

	while (fd >= 0 && length < size) {
		ssize_t n = read(fd, buffer + length, size - length);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return (struct text){ buffer, buffer }; /* ESRCH: it ended meanwhile */
		if (n == 0)
			break;
		length += (size_t)n;
	}
	return (struct text){ buffer, buffer + length };
}

static struct text read_of(const struct host *host, uint64_t pid, const char *file, char *buffer, size_t size)
{
	char path[PATH_SIZE];

	(void)snprintf(path, sizeof(path), "proc/%" PRIu64 "/%s", pid, file);
	return read_file(host, path, buffer, size);
}

static int open_folder(const struct host *host, uint64_t pid, const char *folder)
{
	char path[PATH_SIZE];

	(void)snprintf(path, sizeof(path), "proc/%" PRIu64 "/%s", pid, folder);
	return host_open(host, path);
}

bool process_read_stat(const struct host *host, uint64_t pid, struct process_stat *ret)
{
	char buffer[1024];
	struct text text = read_of(host, pid, "stat", buffer, sizeof(buffer));
	bool good = process_stat_read(text, ret);

	ret->name = (struct text){ "", "" };
	ret->pid = pid; /* that of its folder, whatever the file says */
	return good;
}

/* "rchar: 6976" */
static void read_io(const struct host *host, struct process *p)
{
	static const char *const names[] = {
		"rchar:", "wchar:", "syscr:", "syscw:", "read_bytes:", "write_bytes:", "cancelled_write_bytes:"
	};
	char buffer[512];
	struct text rest = read_of(host, p->pid, "io", buffer, sizeof(buffer)), line;

	p->has_io = text_len(rest) > 0;
	while (text_line(&rest, &line))
		for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
			if (text_skip(&line, names[i])) {
				(void)text_u64(&line, &p->used[USED_RCHAR + i]);
				break;
			}
}

/* "voluntary_ctxt_switches:	4439": those of one thread, among the last lines of its status. */
static bool add_switches(struct text text, uint64_t ret[2])
{
	const char *at = memmem(text.at, text_len(text), "\nvoluntary_ctxt_switches:", 25);
	struct text rest = { at ? at + 1 : text.end, text.end }, line;
	uint64_t value;
	bool any = false;

	while (text_line(&rest, &line)) {
		bool involuntary = text_skip(&line, "nonvoluntary_ctxt_switches:");

		if ((involuntary || text_skip(&line, "voluntary_ctxt_switches:")) && text_u64(&line, &value)) {
			ret[involuntary] += value;
			any = true;
		}
	}
	return any;
}

/* The names in a folder, some at a time, without allocating; `each` is called with each that is a number. */
static size_t each_number(int folder, void (*each)(void *context, uint64_t number), void *context)
{
	_Alignas(struct dirent64) char buffer[8192];
	size_t count = 0;
	long n;

	while ((n = syscall(SYS_getdents64, folder, buffer, sizeof(buffer))) > 0)
		for (long at = 0; at < n;) {
			const struct dirent64 *entry = (const void *)(buffer + at);
			struct text name = text_of(entry->d_name);
			uint64_t number;

			at += entry->d_reclen;
			if (!text_u64(&name, &number) || text_len(name) > 0)
				continue;
			count++;
			if (each)
				each(context, number);
		}
	return count;
}

struct threads {
	const struct host *host;
	uint64_t pid;
	uint64_t switches[2];
	size_t asked;
	bool any;
};

static void ask_thread(void *context, uint64_t number)
{
	struct threads *t = context;
	char path[PATH_SIZE], buffer[4096];

	if (t->asked == THREADS_MOST)
		return;
	t->asked++;
	(void)snprintf(path, sizeof(path), "proc/%" PRIu64 "/task/%" PRIu64 "/status", t->pid, number);
	if (add_switches(read_file(t->host, path, buffer, sizeof(buffer)), t->switches))
		t->any = true;
}

/* A thread that ended takes its switches with it: what the others did meanwhile cannot be told from that, and is lost.
 */
static void read_switches(const struct host *host, struct process *p, uint64_t *not_read)
{
	cleanup_fd int folder = p->threads > 1 ? open_folder(host, p->pid, "task") : -1;
	struct threads t = { .host = host, .pid = p->pid };
	char buffer[4096];

	if (folder >= 0) {
		size_t count = each_number(folder, ask_thread, &t);

		*not_read += count - t.asked;
	} else {
		t.any = add_switches(read_of(host, p->pid, "status", buffer, sizeof(buffer)), t.switches);
	}
	if (!t.any)
		return;
	p->has_switches = true;
	for (int i = 0; i < 2; i++) {
		if (t.switches[i] > p->switches[i])
			p->used[USED_VOLUNTARY + i] += t.switches[i] - p->switches[i];
		p->switches[i] = t.switches[i];
	}
}

/* Since 6.2 the folder's size is how many there are. */
static void read_descriptors(const struct host *host, struct process *p)
{
	cleanup_fd int fd = open_folder(host, p->pid, "fd");
	struct stat st;

	p->has_fds = fd >= 0;
	if (fd >= 0)
		p->fds = host->live && fstat(fd, &st) == 0 && st.st_size > 0 ? (uint64_t)st.st_size
									     : each_number(fd, NULL, NULL);
}

void process_take_stat(struct process *p, const struct process_stat *stat)
{
	p->pid = stat->pid;
	p->ppid = stat->ppid;
	p->starttime = stat->starttime;
	p->state = stat->state;
	p->threads = stat->threads;
	p->vsize = stat->vsize;
	p->rss = stat->rss;
	p->used[USED_UTIME] = stat->utime + stat->cutime;
	p->used[USED_STIME] = stat->stime + stat->cstime;
	p->used[USED_MINFLT] = stat->minflt + stat->cminflt;
	p->used[USED_MAJFLT] = stat->majflt + stat->cmajflt;
}

bool process_read(const struct host *host, struct process *p, uint64_t *not_read)
{
	struct process_stat stat;

	if (!process_read_stat(host, p->pid, &stat))
		return false;
	if (p->starttime != stat.starttime) {
		p->replaced = true;
		return false;
	}
	process_take_stat(p, &stat);
	read_io(host, p);
	read_switches(host, p, not_read);
	read_descriptors(host, p);
	return true;
}
