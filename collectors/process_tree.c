/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collectors/process_tree.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>

#include "base/take.h"
#include "collectors/process_read.h"
#include "host/clock.h"

#define OLDEST	    16
#define BUSY	    20	 /* a look may take so many times its CPU time where others have the CPUs */
#define STRANGERS   4096 /* processes whose parent is not known yet, in one look */
#define ASKED_AGAIN 16
#define PIDS_MOST   (1u << 22) /* the kernel's ceiling; larger ones of a recording are searched for */

/* ---- bits by pid ---- */

static void set_bit(const struct process_tree *t, uint64_t *bits, uint64_t pid)
{
	if (pid / 64 < t->words)
		bits[pid / 64] |= UINT64_C(1) << pid % 64;
}

static void clear_bit(const struct process_tree *t, uint64_t *bits, uint64_t pid)
{
	if (pid / 64 < t->words)
		bits[pid / 64] &= ~(UINT64_C(1) << pid % 64);
}

static bool has_bit(const struct process_tree *t, const uint64_t *bits, uint64_t pid)
{
	return pid / 64 < t->words && bits[pid / 64] >> pid % 64 & 1;
}

static bool is_inside(const struct process_tree *t, uint64_t pid)
{
	if (pid / 64 < t->words)
		return has_bit(t, t->inside, pid);
	for (size_t i = 0; i < t->count; i++)
		if (t->at[i].pid == pid)
			return true;
	return false;
}

/* ---- who belongs to it ---- */

/* The rest of it is read by the next look. */
static void take_in(struct process_tree *t, const struct process_stat *stat)
{
	set_bit(t, t->inside, stat->pid);
	clear_bit(t, t->outside, stat->pid);
	t->seen++;
	if (t->count == t->most)
		return;
	t->at[t->count] = (struct process){ .seen = true };
	process_take_stat(&t->at[t->count++], stat);
}

static bool belongs(const struct process_tree *t, uint64_t ppid)
{
	return t->all || (ppid && (ppid == t->self || is_inside(t, ppid)));
}

static uint64_t largest_pid(const struct host *host)
{
	cleanup_buf struct buf text = { .ceiling = 64 };
	struct err ignored;
	struct text rest;
	uint64_t most;

	if (host_read(host, "proc/sys/kernel/pid_max", &text, &ignored) < 0)
		return PIDS_MOST;
	rest = buf_text(&text);
	return text_u64(&rest, &most) && most < PIDS_MOST ? most : PIDS_MOST;
}

static void meet(struct process_tree *t, uint64_t pid)
{
	bool again = has_bit(t, t->outside, pid) && pid % ASKED_AGAIN == t->round % ASKED_AGAIN;
	struct process_stat stat;

	set_bit(t, t->listed, pid);
	if (pid == t->self || is_inside(t, pid) || (has_bit(t, t->outside, pid) && !again))
		return;
	if (!process_read_stat(t->host, pid, &stat))
		return;
	t->latest = stat.starttime > t->latest ? stat.starttime : t->latest;
	if (stat.starttime >= t->since + again && belongs(t, stat.ppid))
		take_in(t, &stat);
	else if (again || t->stranger_room == STRANGERS)
		return; /* beyond that many: asked the next time */
	else
		t->strangers[t->stranger_room++] = (struct stranger){ pid, stat.starttime < t->since ? 0 : stat.ppid };
}

/* Those whose parent was met after them. The list is in the order of numbers, so there are few. */
static void settle_strangers(struct process_tree *t)
{
	struct process_stat stat;
	bool found = true;

	for (int pass = 0; found && pass < OLDEST; pass++) {
		found = false;
		for (size_t i = 0; i < t->stranger_room; i++) {
			struct stranger *s = &t->strangers[i];

			if (s->pid == 0 || !belongs(t, s->ppid))
				continue;
			if (process_read_stat(t->host, s->pid, &stat)) {
				take_in(t, &stat);
				found = true;
			}
			s->pid = 0;
		}
	}
	for (size_t i = 0; i < t->stranger_room; i++)
		if (t->strangers[i].pid)
			set_bit(t, t->outside, t->strangers[i].pid);
	t->stranger_room = 0;
}

static void mark_large(struct process_tree *t, uint64_t pid)
{
	for (size_t i = 0; pid / 64 >= t->words && i < t->count; i++)
		t->at[i].seen = t->at[i].seen || t->at[i].pid == pid;
}

static int list_all(struct process_tree *t, struct err *err)
{
	memset(t->listed, 0, t->words * sizeof(*t->listed));
	for (size_t i = 0; i < t->count; i++)
		t->at[i].seen = false;
	rewinddir(t->list);
	errno = 0;
	for (const struct dirent *e; (e = readdir(t->list)); errno = 0) {
		struct text name = text_of(e->d_name);
		uint64_t pid;

		if (!text_u64(&name, &pid) || text_len(name) > 0)
			continue;
		mark_large(t, pid);
		meet(t, pid);
	}
	if (errno)
		return err_set(err, -errno, "proc: %s", err_name(errno));
	settle_strangers(t);
	return 0;
}

/* What is gone has been added to its parent's; ours is asked for time and faults, and the rest is kept here. */
static void bury(struct process_tree *t, const struct process *p)
{
	bool ours = p->ppid == t->self;

	for (int i = 0; i < USED_COUNT; i++)
		if (i >= USED_VOLUNTARY || (ours && i >= USED_RCHAR))
			t->gone[i] += p->used[i];
}

static void drop_gone(struct process_tree *t)
{
	size_t left = 0, unmeasured = 0;

	for (size_t i = 0; i < t->count; i++) {
		struct process *p = &t->at[i];

		if (p->replaced || (!p->seen && !has_bit(t, t->listed, p->pid))) {
			bury(t, p);
			if (p->replaced)
				clear_bit(t, t->inside, p->pid); /* whose it is now is asked at the next look */
			if (t->next > left)
				t->next--;
			continue;
		}
		if (left != i)
			t->at[left] = *p;
		left++;
	}
	t->count = left;
	for (size_t i = 0; i < t->words; i++) {
		t->inside[i] &= t->listed[i];
		t->outside[i] &= t->listed[i];
		unmeasured += (size_t)__builtin_popcountll(t->inside[i]);
	}
	for (size_t i = 0; i < t->count; i++)
		unmeasured -= t->at[i].pid / 64 < t->words;
	t->not_measured = unmeasured;
}

/* ---- what they used ---- */

/* What we waited for since the tree was opened. */
static void read_ours(struct process_tree *t, uint64_t ret[4])
{
	struct process_stat stat;

	memset(ret, 0, 4 * sizeof(*ret));
	if (!t->self || !process_read_stat(t->host, t->self, &stat))
		return;
	ret[USED_UTIME] = stat.cutime;
	ret[USED_STIME] = stat.cstime;
	ret[USED_MINFLT] = stat.cminflt;
	ret[USED_MAJFLT] = stat.cmajflt;
}

/* The oldest, then on from where the last look ended. */
static void read_all(struct process_tree *t, uint64_t budget_ns)
{
	size_t oldest = t->count < OLDEST ? t->count : OLDEST, rest = t->count - oldest, done = 0;
	uint64_t end = clock_thread() + budget_ns, late = clock_monotonic() + BUSY * budget_ns;

	for (size_t i = 0; i < oldest; i++)
		(void)process_read(t->host, &t->at[i], &t->not_read);
	if (t->next < oldest || t->next >= t->count)
		t->next = oldest;
	while (done < rest) {
		(void)process_read(t->host, &t->at[t->next], &t->not_read);
		t->next = t->next + 1 < t->count ? t->next + 1 : oldest;
		done++;
		if (clock_thread() >= end || clock_monotonic() >= late)
			break;
	}
	t->not_read += rest - done;
}

static void sum_up(struct process_tree *t, const uint64_t ours[4])
{
	uint64_t total[USED_COUNT];

	memcpy(total, t->gone, sizeof(total));
	memset(t->has, 0, sizeof(t->has));
	for (int i = 0; i < 4; i++) {
		total[i] += ours[i] - t->waited_before[i];
		t->has[i] = true;
	}
	for (size_t n = 0; n < t->count; n++) {
		const struct process *p = &t->at[n];

		for (int i = 0; i < USED_COUNT; i++) {
			total[i] += p->used[i];
			t->has[i] = t->has[i] || (i >= USED_VOLUNTARY ? p->has_switches : p->has_io);
		}
	}
	for (int i = 0; i < USED_COUNT; i++) {
		uint64_t now = total[i] + t->kept[i];

		if (now < t->used[i] && t->is_short[i])
			t->kept[i] += t->used[i] - now;
		t->is_short[i] = now < t->used[i] && !t->is_short[i];
		t->used[i] = now > t->used[i] ? now : t->used[i];
		t->has[i] = t->has[i] || t->used[i];
	}
}

int process_tree_look(struct process_tree *t, uint64_t budget_ns, struct err *err)
{
	uint64_t ours[4];
	int r;

	t->round++;
	t->not_read = 0;
	read_ours(t, ours);
	read_all(t, budget_ns);
	r = list_all(t, err);
	if (r < 0)
		return r;
	drop_gone(t);
	sum_up(t, ours);
	return 0;
}

/* ---- open, close ---- */

/* Our number in that proc, which may be another namespace's. */
static uint64_t own_number(const struct host *host)
{
	cleanup_buf struct buf text = { .ceiling = 4096 };
	struct process_stat stat;
	struct err ignored;

	return host_read(host, "proc/self/stat", &text, &ignored) == 0 && process_stat_read(buf_text(&text), &stat)
		       ? stat.pid
		       : 0;
}

static int take_roots(struct process_tree *t, struct text roots, struct err *err)
{
	struct process_stat stat;
	uint64_t pid;

	while (text_len(text_trim(roots)) > 0) {
		text_skip_blanks(&roots);
		if (!text_u64(&roots, &pid) || (roots.at < roots.end && *roots.at != ' '))
			return err_set(err, -EINVAL, "process: pids: %.*s is no number of a process", TEXT_ARGS(roots));
		if (process_read_stat(t->host, pid, &stat))
			take_in(t, &stat);
	}
	return t->count ? 0 : err_set(err, -ESRCH, "process: pids: there is no such process");
}

/* Children that we have already, such as what an earlier command left behind, are not the command's. */
static void begin_with_command(struct process_tree *t)
{
	uint64_t self = t->self;
	struct process_stat stat;
	struct err ignored;

	if (process_read_stat(t->host, (uint64_t)t->host->command, &stat))
		take_in(t, &stat);
	t->self = 0;
	(void)list_all(t, &ignored);
	t->since = t->latest;
	t->self = self;
}

int process_tree_open(struct process_tree *t, const struct host *host, const char *roots, size_t most, struct err *err)
{
	cleanup_fd int fd = host_open(host, "proc");
	bool of_command = !roots && host->live;
	struct err ignored;

	*t = (struct process_tree){ .host = host, .most = most, .all = !roots && !host->live };
	if (fd < 0)
		return err_set(err, fd, "proc: %s", err_name(fd));
	t->list = fdopendir(fd);
	if (!t->list)
		return err_set(err, -errno, "proc: %s", err_name(errno));
	(void)take_fd(&fd); /* the list's now */
	t->words = largest_pid(host) / 64 + 1;
	t->inside = calloc(t->words, sizeof(*t->inside));
	t->outside = calloc(t->words, sizeof(*t->outside));
	t->listed = calloc(t->words, sizeof(*t->listed));
	t->at = calloc(most + 1, sizeof(*t->at));
	t->strangers = calloc(STRANGERS, sizeof(*t->strangers));
	if (!t->inside || !t->outside || !t->listed || !t->at || !t->strangers)
		return err_set(err, -ENOMEM, "process: no memory");
	if (roots)
		return take_roots(t, text_of(roots), err);
	if (of_command) {
		t->self = own_number(host);
		begin_with_command(t);
		read_ours(t, t->waited_before);
	} else {
		(void)list_all(t, &ignored);
	}
	return 0;
}

void process_tree_close(struct process_tree *t)
{
	if (!t->host)
		return;
	if (t->list)
		(void)closedir(t->list);
	free(t->inside);
	free(t->outside);
	free(t->listed);
	free(t->at);
	free(t->strangers);
	*t = (struct process_tree){ 0 };
}
