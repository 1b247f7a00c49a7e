/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/log_id.h"

#include <errno.h>

#include "analysis/log_words.h"

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool is_word(char c)
{
	return log_is_letter(c) || log_is_digit(c);
}

/* Blanks wait until it is known what follows them. */
static int put(struct buf *b, char c, bool *blank)
{
	int r = 0;

	if (*blank && b->len > 0 && is_word(b->data[b->len - 1]) && is_word(c))
		r = buf_putc(b, '_');
	*blank = false;
	return r < 0 ? r : buf_putc(b, c);
}

static void cut_end(struct buf *b)
{
	static const char cut[] = ".:,;!?-#~_";

	if (b->len > LOG_ID_MAX)
		b->len = LOG_ID_MAX;
	while (b->len > 0 && memchr(cut, b->data[b->len - 1], sizeof(cut) - 1))
		b->len--;
	if (b->data)
		b->data[b->len] = '\0';
}

static int normalise(struct text t, struct buf *ret)
{
	bool blank = false, inside = false;
	int r = 0;

	while (t.at < t.end && r == 0 && ret->len <= LOG_ID_MAX) {
		struct text before = t;

		if (is_blank(*t.at)) {
			blank = true;
			inside = false;
			t.at++;
		} else if (log_skip_unstable(&t)) {
			inside = false;
		} else if (!inside && log_skip_number(&t)) {
			r = put(ret, '#', &blank);
			inside = t.at[-1] != '.' && is_word(t.at[-1]); /* the unit behind it stays: "23s" */
		} else if ((!inside || *t.at == '-') && log_skip_device(&t, &before)) {
			for (; before.at < before.end && r == 0; before.at++)
				r = put(ret, *before.at, &blank);
			if (r == 0)
				r = put(ret, '#', &blank);
			inside = false;
		} else {
			char c = *t.at++;

			inside = is_word(c) || c == '_';
			r = put(ret, strchr("'\"`\\$", c) || c < ' ' || c > '~' ? '~' : c, &blank);
		}
	}
	cut_end(ret);
	return r;
}

int log_id(struct text message, struct buf *ret)
{
	struct text t = text_trim(message);

	buf_clear(ret);
	if (text_starts(t, "[ ") && text_ends(t, " ]"))
		t = text_n(t.at + 1, text_len(t) - 2);
	while (t.at < t.end && !log_is_letter(*t.at) && *t.at != '_')
		if (!log_skip_unstable(&t))
			t.at++;
	return normalise(t, ret);
}

/* ---- crashes ---- */

enum reduce {
	ALL,       /* from the head to the end of the line */
	ALONE,     /* the head alone */
	FUNCTION,  /* up to the first offset */
	PLACE,     /* "WARNING: CPU: 3 PID: 9 at file.c:77 func": without who it was */
	POINTER,   /* "RIP: 0010:[<ff>] [<ff>] func": the function alone */
	ERROR,     /* up to the "[#1]" */
	TASK,      /* "INFO: task NAME blocked": without the name */
	WHOLE,     /* the line, also what stands before the head */
};

struct head {
	const char *words;
	enum reduce reduce;
};

/* The first that is in the line counts. */
static const struct head heads[] = {
	{ "BUG: unable to handle kernel", ALONE },
	{ "BUG: unable to handle page fault for address", ALONE },
	{ "BUG: scheduling while atomic", ALONE },
	{ "BUG: workqueue leaked lock or atomic", ALONE },
	{ "BUG: workqueue leaked atomic, lock or RCU", ALONE },
	{ "BUG: workqueue lockup - pool", ALONE },
	{ "BUG: sleeping function called from invalid context at", ALL },
	{ "BUG: KASAN:", FUNCTION },
	{ "BUG: KCSAN:", FUNCTION },
	{ "BUG: KMSAN:", FUNCTION },
	{ "BUG: KFENCE:", FUNCTION },
	{ "KASAN: null-ptr-deref in range", ALONE },
	{ "KASAN: maybe wild-memory-access in range", ALONE },
	{ "BUG: Bad page state in process", ALONE },
	{ "BUG: Bad page map in process", ALONE },
	{ "BUG: Bad rss-counter state", ALL },
	{ "BUG: using __this_cpu", FUNCTION },
	{ "BUG: using smp_processor_id() in preemptible", ALONE },
	{ "BUG: spinlock", FUNCTION },
	{ "BUG: ", ALL },
	{ "WARNING: CPU:", PLACE },
	{ "WARNING: at ", PLACE },
	{ "WARNING: possible circular locking", ALL },
	{ "WARNING: stack recursion", ALONE },
	{ "WARNING: kernel stack", FUNCTION },
	{ "WARNING: ", ALL },
	{ "INFO: task ", TASK },
	{ "INFO: rcu", FUNCTION },
	{ "INFO: suspicious RCU usage", ALONE },
	{ "INFO: possible ", ALL },
	{ "INFO: inconsistent lock state", ALONE },
	{ "INFO: trying to register non-static key", ALONE },
	{ "INFO: NMI handler", FUNCTION },
	{ "INFO: Slab ", ALONE },
	{ "INFO: Object ", ALONE },
	{ "INFO: Allocated in", ALONE },
	{ "INFO: Freed in", ALONE },
	{ "suspicious rcu_dereference", WHOLE },
	{ "self-detected stall on CPU", ALONE },
	{ "detected stalls on CPUs/tasks", ALONE },
	{ "detected expedited stalls on CPUs/tasks", ALONE },
	{ "kthread starved for", ALONE },
	{ "Oops: ", ERROR },
	{ "Oops - ", ERROR },
	{ "Internal error: ", ERROR },
	{ "general protection fault", ERROR },
	{ "invalid opcode:", ERROR },
	{ "divide error:", ERROR },
	{ "divide_error:", ERROR },
	{ "double fault:", ERROR },
	{ "stack segment:", ERROR },
	{ "bounds: 0", ERROR },
	{ "int3: 0", ERROR },
	{ "kernel BUG at ", FUNCTION },
	{ "kernel stack overflow", ALONE },
	{ "Kernel stack is corrupted in", FUNCTION },
	{ "Kernel panic - not syncing", FUNCTION },
	{ "Kernel bug detected", ERROR },
	{ "Unable to handle kernel", ALONE },
	{ "Unhandled fault:", FUNCTION },
	{ "Bad mode in ", FUNCTION },
	{ "UBSAN: ", ALL },
	{ "CFI failure at ", FUNCTION },
	{ "detected buffer overflow in", FUNCTION },
	{ "RIP: ", POINTER },
	{ "EIP: ", POINTER },
	{ "EIP is at ", FUNCTION },
	{ "PC is at ", FUNCTION },
	{ "invoked oom-killer: gfp_mask=0x", ALONE },
	{ "Out of memory: Kill", ALONE },
	{ "Memory cgroup out of memory: Kill", ALONE },
	{ "Out of memory and no killable processes", ALONE },
	{ "page allocation failure", ALL },
	{ "page allocation stalls for", ALONE },
	{ "Mem-Info:", ALONE },
	{ "hung_task: blocked tasks", ALONE },
	{ "soft lockup - CPU", ALL },
	{ "hard LOCKUP on cpu", ALONE },
	{ "hard lockup on CPU", ALONE },
	{ "NMI watchdog: Watchdog detected", ALL },
	{ "list_add corruption", ALONE },
	{ "list_del corruption", ALONE },
	{ "refcount_t: ", ALL },
	{ "ODEBUG: ", ALONE },
	{ "INFO: lockdep", ALL },
	{ "DEADLOCK", WHOLE },
	{ "unregister_netdevice: waiting for", ALONE },
	{ "genirq: Flags mismatch irq", ALL },
	{ "nobody cared (try booting", ALONE },
	{ "unreferenced object 0x", ALONE },
	{ "new suspected memory leaks", ALONE },
	{ "sysctl could not get directory", ALONE },
	{ "sysctl table check failed", ALL },
	{ "sysfs: cannot create duplicate filename", ALONE },
	{ "kobject_add_internal failed", ALONE },
	{ "tried to init an initialized object", WHOLE },
	{ "Machine Check Exception", ALONE },
	{ "[Hardware Error]: Machine check", ALONE },
	{ "Trying to vfree() nonexistent vm area", ALONE },
	{ "Trying to free already-free IRQ", ALONE },
	{ "Trying to free nonexistent resource", ALONE },
	{ "bad: scheduling from the idle thread", ALONE },
	{ 0 },
};

static const char *find(struct text t, const char *words)
{
	return memmem(t.at, text_len(t), words, strlen(words));
}

static const struct head *head_of(struct text t, const char **at)
{
	for (const struct head *h = heads; h->words; h++) {
		*at = find(t, h->words);
		/* no part of a word: "DEBUG: " is no "BUG: " */
		if (*at && (*at == t.at || !log_is_letter(h->words[0]) || !(log_is_letter((*at)[-1]) || (*at)[-1] == '_')))
			return h;
	}
	return NULL;
}

static void cut_at(struct text *t, const char *words, bool keep)
{
	const char *at = find(*t, words);

	if (at)
		t->end = keep ? at + strlen(words) : at;
}

static int put_place(struct text t, struct buf *ret)
{
	const char *at = find(t, " at ");
	cleanup_buf struct buf words = { .ceiling = 4096 };

	if (at)
		t.at = at;
	if (text_len(t) > 2048)
		t.end = t.at + 2048;
	if (buf_puts(&words, "WARNING:") < 0 || buf_add_text(&words, t) < 0)
		return -ENOMEM;
	return log_id(buf_text(&words), ret);
}

static int put_pointer(const struct head *h, struct text t, struct buf *ret)
{
	struct text word, function = { 0 };
	cleanup_buf struct buf words = { .ceiling = 4096 };
	const char *plus = find(t, "+0x");

	if (plus)
		t.end = plus;
	while (text_word(&t, &word))
		function = word;
	if (!plus || !function.at)
		return 0; /* a bare address, or one of a user's program */
	while (text_cut(&function, ":", &word))
		;
	if (text_len(function) > LOG_ID_MAX)
		function.end = function.at + LOG_ID_MAX;
	if (buf_printf(&words, "%.4s%.*s", h->words, TEXT_ARGS(function)) < 0)
		return -ENOMEM;
	return log_id(buf_text(&words), ret);
}

static int put_task(struct text t, struct buf *ret)
{
	const char *blocked = find(t, " blocked ");
	cleanup_buf struct buf words = { .ceiling = 4096 };

	if (blocked)
		t.at = blocked;
	if (text_len(t) > 2048)
		t.end = t.at + 2048;
	if (buf_puts(&words, blocked ? "INFO: task" : "") < 0 || buf_add_text(&words, t) < 0)
		return -ENOMEM;
	return log_id(buf_text(&words), ret);
}

int log_id_of_crash(struct text message, struct buf *ret)
{
	struct text t = message;
	const char *at;
	const struct head *h;
	int r = 0;

	buf_clear(ret);
	h = head_of(message, &at);
	if (!h || text_starts(text_trim(message), "---[ end ")) /* says again what was said at its beginning */
		return 0;
	t.at = at;
	switch (h->reduce) {
	case ALONE:
		r = log_id(text_of(h->words), ret);
		break;
	case FUNCTION:
		cut_at(&t, "+0x", false);
		r = log_id(t, ret);
		break;
	case ERROR: {
		const char *number = find(t, "[#");

		if (number)
			cut_at(&t, "]", true);
		r = log_id(t, ret);
		break;
	}
	case PLACE:
		r = put_place(t, ret);
		break;
	case POINTER:
		r = put_pointer(h, t, ret);
		break;
	case TASK:
		r = put_task(t, ret);
		break;
	case WHOLE:
		r = log_id(message, ret);
		break;
	case ALL:
		r = log_id(t, ret);
		break;
	}
	return r < 0 ? r : ret->len > 0;
}

bool log_line_is_dump(struct text t)
{
	static const char *const starts[] = {
		"Call Trace", "Call trace", "Code:", "Code: ", "Modules linked in", "CPU:", "Hardware name", "Stack:",
		"RSP:", "RAX:", "RDX:", "RBP:", "R10:", "R13:", "FS:", "CS:", "CR2:", "DR0:", "DR3:", "EAX:", "ESI:",
		"DS:", "CR0:", "ORIG_RAX", "PKRU:", "<TASK>", "</TASK>", "<IRQ>", "</IRQ>", "---[", "------", "======",
		"Workqueue:", "Tainted:", "task:", "Backtrace", "irq event stamp", "hardirqs last", "softirqs last",
		"pc :", "lr :", "sp :", "pstate:", "PGD ", "Last Breaking", "Memory state around", "Allocated by task",
		"Freed by task", "The buggy address", "Read of size", "Write of size", "page:", "flags:", "raw:",
	};
	const char *offset;
	struct text word;

	t = text_trim(t);
	if (text_starts(t, "[<") || text_starts(t, "? "))
		return true;
	for (size_t i = 0; i < sizeof(starts) / sizeof(*starts); i++)
		if (text_starts(t, starts[i]))
			return true;
	/* "func+0x1/0x2 [module]" and nothing before it */
	offset = find(t, "+0x");
	return offset && text_word(&t, &word) && offset < word.end && find(word, "/0x");
}
