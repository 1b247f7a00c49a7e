/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One loop, in the thread that forked the command: its output, the keys, signals, the time limit, its end.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/command.h"
#include "agent/relay.h"
#include "base/take.h"
#include "host/clock.h"

#define MILLISECOND UINT64_C(1000000)
#define SECOND      (1000 * MILLISECOND)
#define KILL_AFTER  (10 * SECOND)         /* SIGTERM was not enough */
#define FLUSH_AFTER SECOND                /* what was kept is told at least so often */
#define EOF_PATIENCE (500 * MILLISECOND)  /* for processes that outlive the command and hold its output open */
#define AFTERWARDS   ((size_t)1 << 20)     /* more than a pipe holds: somebody still writes */
#define NEVER       UINT64_MAX

struct attendant {
	struct command *command;
	const struct command_watch *watch;
	struct command_end *end;
	char keys[4096];         /* typed, on their way to the command */
	size_t keys_at, keys_len;
	uint64_t terminate_at, kill_at, flush_at;
	uint64_t quiet_since;    /* the command has ended, and no byte came since */
	size_t afterwards;       /* bytes that came after its end */
	bool ended, silent;
	bool give_up;            /* a signal after the command's end: do not wait for slow readers */
};

static void signal_command(struct attendant *a, int signal)
{
	if (!a->ended && kill(-a->command->pid, signal) < 0 && errno == ESRCH)
		(void)kill(a->command->pid, signal); /* it left its group */
}

static void go_on(struct attendant *a)
{
	terminal_resize(&a->command->terminal);
	terminal_claim(&a->command->terminal);
	signal_command(a, SIGCONT);
}

static void tell_stopped(const struct attendant *a, bool stopped)
{
	if (a->watch->stopped)
		a->watch->stopped(a->watch->context, stopped);
}

/* Our job stops as a whole. The kernel's own SIGTSTP does it, so that we go on at once where nobody could continue us. */
static void stop_ourselves(struct attendant *a)
{
	sigset_t stop, before;

	tell_stopped(a, true);
	terminal_release(&a->command->terminal);
	(void)sigemptyset(&stop);
	(void)sigaddset(&stop, SIGTSTP);
	(void)kill(0, SIGTSTP); /* ours waits until it is let through */
	(void)pthread_sigmask(SIG_UNBLOCK, &stop, &before);
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	tell_stopped(a, false);
	go_on(a);
}

/* With a terminal it is the command that stops, if it likes, and we follow it; a signal to us is passed on. */
static void stop_with_command(struct attendant *a)
{
	signal_command(a, SIGTSTP);
	if (a->command->kin == 0)
		stop_ourselves(a);
}

/* By ^Z, by its own wish (an editor's ":stop"), by whoever else. */
static void follow_a_stop(struct attendant *a)
{
	siginfo_t info = { 0 };

	if (a->command->kin > 0 && a->command->pid > 0 &&
	    waitid(P_PID, (id_t)a->command->pid, &info, WSTOPPED | WNOHANG) == 0 && info.si_pid)
		stop_ourselves(a);
}

static void take_signal(struct attendant *a, int signal)
{
	switch (signal) {
	case SIGCHLD:
		break; /* looked at after every turn */
	case SIGWINCH:
		terminal_resize(&a->command->terminal);
		break;
	case SIGTSTP:
		stop_with_command(a);
		break;
	case SIGCONT:
		go_on(a);
		break;
	default:
		if (a->ended)
			a->give_up = true;
		signal_command(a, signal);
	}
}

static void take_signals(struct attendant *a)
{
	struct signalfd_siginfo info;

	while (read(a->watch->signals->fd, &info, sizeof(info)) == (ssize_t)sizeof(info))
		take_signal(a, (int)info.ssi_signo);
}

/* A child that has ended, and is still there; 0: there is none. */
static pid_t ended_child(void)
{
	siginfo_t info = { 0 };

	return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 ? info.si_pid : 0;
}

/* The command and the orphans that came to us. The command's last numbers are taken before it is waited for: what it
 * shows in proc goes then. */
static void reap(struct attendant *a)
{
	struct rusage usage;
	int status;
	pid_t pid;

	while ((pid = ended_child()) > 0) {
		bool is_command = pid == a->command->pid;

		if (is_command) {
			a->end->elapsed_ns = clock_monotonic() - a->watch->started_ns;
			if (a->watch->ended)
				a->watch->ended(a->watch->context);
		}
		if (wait4(pid, &status, WNOHANG, &usage) != pid)
			return; /* somebody else waited for it */
		if (!is_command)
			continue;
		a->end->usage = usage;
		a->end->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
		a->end->exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
		a->ended = true;
		guard_end(&a->command->guard); /* what it left behind lives on */
		a->quiet_since = clock_monotonic();
	}
	if (a->ended)
		a->command->pid = 0;
}

static void enforce_timeout(struct attendant *a, uint64_t now)
{
	if (a->ended)
		return;
	if (now >= a->terminate_at) {
		a->terminate_at = NEVER;
		a->kill_at = now + KILL_AFTER;
		a->end->timed_out = true;
		signal_command(a, SIGTERM);
		signal_command(a, SIGCONT); /* a stopped one would not hear it */
	}
	if (now >= a->kill_at) {
		a->kill_at = NEVER;
		signal_command(a, SIGKILL);
	}
}

static void read_keys(struct attendant *a)
{
	struct terminal *t = &a->command->terminal;
	ssize_t n = read(STDIN_FILENO, a->keys, sizeof(a->keys));
	struct termios modes;

	if (n < 0) {
		if (errno != EINTR && errno != EAGAIN)
			t->keyboard = false; /* hung up */
		return;
	}
	a->keys_at = 0;
	a->keys_len = (size_t)n;
	if (n == 0) { /* ^D of a cooked terminal: the same for the command */
		if (t->raw || tcgetattr(t->master, &modes) < 0) {
			t->keyboard = false;
			return;
		}
		a->keys[a->keys_len++] = (char)modes.c_cc[VEOF];
	}
}

static void pass_keys(struct attendant *a)
{
	ssize_t n = write(a->command->terminal.master, a->keys + a->keys_at, a->keys_len - a->keys_at);

	if (n > 0)
		a->keys_at += (size_t)n;
	else if (errno != EAGAIN && errno != EINTR)
		a->keys_at = a->keys_len = 0; /* nobody has the terminal open any more */
}

static void pull(struct attendant *a, int i, uint64_t now)
{
	struct relay *relay = &a->command->relay[i];
	int n = relay_pull(relay);
	struct keep *keep;

	if (n <= 0)
		return;
	a->quiet_since = now;
	if (a->ended)
		a->afterwards += (size_t)n;
	if (i == 2)
		return; /* said to the terminal past both streams: shown only */
	keep = a->watch->keep[i];
	if (i == a->command->through_terminal && terminal_adds_returns(&a->command->terminal))
		keep_add_terminal(keep, relay->buf, (size_t)n);
	else
		keep_add(keep, relay->buf, (size_t)n);
	if (a->flush_at == NEVER && keep->pending_length)
		a->flush_at = now + FLUSH_AFTER;
}

static void flush(struct attendant *a)
{
	a->flush_at = NEVER;
	for (size_t i = 0; i < 2; i++)
		keep_flush(a->watch->keep[i]);
}

static bool waits(const struct attendant *a)
{
	for (size_t i = 0; i < 3; i++)
		if (relay_waits(&a->command->relay[i]))
			return true;
	return false;
}

static bool open_still(const struct attendant *a)
{
	for (size_t i = 0; i < 3; i++)
		if (a->command->relay[i].from >= 0)
			return true;
	return false;
}

static bool done(struct attendant *a)
{
	if (!a->ended)
		return false;
	if (a->give_up)
		return true;
	if (waits(a))
		return false; /* the one who reads from us is slow; so would the command have been */
	if (!open_still(a))
		return true;
	a->end->held_open = a->silent || a->afterwards > AFTERWARDS;
	return a->end->held_open;
}

static int timeout_of(const struct attendant *a, uint64_t now)
{
	uint64_t next = a->flush_at < a->terminate_at ? a->flush_at : a->terminate_at;

	next = a->kill_at < next ? a->kill_at : next;
	if (a->ended && a->quiet_since + EOF_PATIENCE < next)
		next = a->quiet_since + EOF_PATIENCE;
	if (next == NEVER)
		return -1;
	if (next <= now)
		return 0;
	next = (next - now) / MILLISECOND + 1;
	return next > 3600000 ? 3600000 : (int)next;
}

static void turn(struct attendant *a)
{
	struct terminal *t = &a->command->terminal;
	struct relay *relay = a->command->relay;
	struct pollfd at[10] = { { .fd = a->watch->signals->fd, .events = POLLIN } };
	bool typed = a->keys_at < a->keys_len;
	uint64_t now = clock_monotonic();
	int came;

	at[1] = (struct pollfd){ .fd = t->claimed && t->keyboard && !typed ? STDIN_FILENO : -1, .events = POLLIN };
	at[2] = (struct pollfd){ .fd = typed && t->ours >= 0 ? t->master : -1, .events = POLLOUT };
	at[9] = (struct pollfd){ .fd = a->ended ? -1 : a->command->ended, .events = POLLIN };
	for (size_t i = 0; i < 3; i++)
		relay_poll(&relay[i], &at[3 + 2 * i], &at[4 + 2 * i]);
	came = poll(at, 10, timeout_of(a, now));
	if (came < 0)
		return; /* EINTR, ENOMEM: the next turn tries again */
	now = clock_monotonic();
	a->silent = came == 0 && a->ended && now - a->quiet_since >= EOF_PATIENCE;
	if (at[0].revents)
		take_signals(a);
	if (at[1].revents)
		read_keys(a);
	if (at[2].revents)
		pass_keys(a);
	for (int i = 0; i < 3; i++) {
		if (at[3 + 2 * i].revents)
			pull(a, i, now);
		if (at[3 + 2 * i].revents || at[4 + 2 * i].revents)
			(void)relay_push(&relay[i]);
	}
	if (now >= a->flush_at)
		flush(a);
	enforce_timeout(a, now);
	reap(a);
	follow_a_stop(a);
}

/* The command is gone; what is left of it is told. */
static void look_around(struct attendant *a)
{
	a->end->left_behind = children_since(&a->command->before);
	for (size_t i = 0; i < 3; i++)
		if (a->command->relay[i].failed && a->command->relay[i].failed != -EPIPE)
			a->end->not_shown = a->command->relay[i].failed;
}

void command_attend(struct command *c, const struct command_watch *watch, struct command_end *ret)
{
	struct attendant a = {
		.command = c,
		.watch = watch,
		.end = ret,
		.terminate_at = watch->timeout_ns ? watch->started_ns + watch->timeout_ns : NEVER,
		.kill_at = NEVER,
		.flush_at = NEVER,
	};

	*ret = (struct command_end){ 0 };
	terminal_claim(&c->terminal);
	while (!done(&a))
		turn(&a);
	terminal_release(&c->terminal);
	look_around(&a);
	for (size_t i = 0; i < 2; i++)
		keep_finish(watch->keep[i]);
}
