/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The wrapped program.
 *
 * Its process is forked first of all, while ours is small: ru_maxrss of a process counts from fork, so what we take
 * later would show as the command's. It waits for command_go(), which lets it exec.
 *
 * What it gets: a process group of its own (with a terminal: a session of its own, see terminal.h), the signal mask
 * and dispositions that the caller had, our standard input as it is, and none of our descriptors. Its orphans become
 * our children. When we are killed it is sent SIGTERM, as if we had been told to end, and after it what is left of its
 * process group: a benchmark that goes on unseen would spoil what is measured next on this machine. See guard.h.
 *
 * Threads: of the one that forked it, which also must not end before it (PR_SET_PDEATHSIG).
 */
#ifndef ASSAY_AGENT_COMMAND_H
#define ASSAY_AGENT_COMMAND_H

#include <signal.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "agent/children.h"
#include "agent/guard.h"
#include "agent/keep.h"
#include "agent/relay.h"
#include "agent/terminal.h"

/* What the caller's process is like while a command runs in it, and how it is put back. Meanwhile it reaps all
 * children of the process: orphans of the command become such. */
struct signals {
	int fd; /* signalfd of all that is passed on, and of SIGCHLD */
	sigset_t mask_before;
	struct sigaction child_before, pipe_before;
	int subreaper_before;
};

/* Before any thread is made, so that none of them takes a signal. */
int signals_take(struct signals *s, struct err *err);
void signals_give_back(struct signals *s);

struct command {
	pid_t pid; /* also of its process group; 0: none, or its end was seen */
	int ended;      /* readable when it has ended (pidfd); -1 on a kernel before 5.3: SIGCHLD tells */
	struct guard guard;
	int go, failed; /* pipes to and from the child until it has become the program */
	int hold;       /* while it is open the kin lives; -1: there is none */
	pid_t kin;      /* a child of ours that is not the command's; 0: none (agent/kin.h) */
	struct children before; /* what was there when it was let go */
	struct terminal terminal;
	/*
	 * Its stdout, its stderr, and what it says on /dev/tty when neither is one. A terminal mixes what is written
	 * to it: where both streams are one, all of it counts as stdout.
	 */
	struct relay relay[3];
	int through_terminal; /* which relay reads the pseudo-terminal; -1: none */
};

/* `quiet`: its output is read and not shown. */
int command_fork(struct command *c, char *const *argv, const struct signals *signals, bool quiet, struct err *err);

/* 0: it runs. -ENOENT, -EACCES ...: it could not be executed, and its process is gone. */
int command_go(struct command *c, const char *name, struct err *err);

struct command_end {
	int exit_code, signal; /* as in struct run_end */
	uint64_t elapsed_ns;   /* from command_go() to its end */
	struct rusage usage;   /* of it and of what it waited for */
	size_t left_behind;    /* processes of it that still live */
	bool held_open;        /* one of those holds its output open; what it prints from now on is not seen */
	bool timed_out;
	int not_shown;         /* 0, or the -errno that our own stdout or stderr answered */
};

struct command_watch {
	struct signals *signals;
	struct keep *keep[2]; /* of stdout, of stderr */
	uint64_t started_ns;  /* CLOCK_MONOTONIC of command_go() */
	uint64_t timeout_ns;
	void (*stopped)(void *context, bool stopped); /* it stopped, and we do now; both go on */
	void (*ended)(void *context); /* at once when it ended, before the rest of its output is read */
	void *context;
};

/* Serve it until it has ended and its output is drained. */
void command_attend(struct command *c, const struct command_watch *watch, struct command_end *ret);

void command_close(struct command *c); /* one that was not started is ended */

#endif
