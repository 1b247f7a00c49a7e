/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The caller's terminal, and the pseudo-terminal that stands in for it before the command.
 *
 * A standard stream of ours that is a terminal is, for the command, the slave side of one pseudo-terminal, which is
 * the controlling terminal of a session of its own. So an editor or a shell works as it would without us, and what
 * it prints can be kept. Streams that are no terminal are left to the caller.
 *
 * Keys are passed on when standard input is the terminal and we are its foreground job. With standard output a
 * terminal, too, ours is raw, and the pseudo-terminal does all the work: ^C becomes a signal on the command's side.
 * With standard output elsewhere ours stays cooked (it echoes and edits lines; ^C reaches us and is passed on). With
 * standard output a pipe keys are left alone: the program at the pipe's other end (a pager) reads them.
 *
 * ^Z is a key like others. When the command stops, by the key or by its own wish, our job stops, too, and SIGCONT undoes
 * both: agent/kin.h. Sampling stands still meanwhile; the deadlines that pass count as missed, and marks tell.
 */
#ifndef ASSAY_AGENT_TERMINAL_H
#define ASSAY_AGENT_TERMINAL_H

#include <stdbool.h>
#include <sys/types.h>
#include <termios.h>

#include "base/err.h"

struct terminal {
	bool is[3];            /* which of our standard streams are terminals */
	int ours;              /* the first of them; not ours to close. -1: none, and nothing below is set */
	int master, slave;
	bool keyboard;         /* keys may be read */
	bool raw;              /* ours is to be raw */
	bool claimed;          /* keys are read now, and ours is in the mode that asks for */
	struct termios before; /* of ours */
};

/* Look at the three standard streams; with a terminal among them make the pseudo-terminal, of the same size and modes. */
int terminal_open(struct terminal *t, struct err *err);

/* In the child: a session of its own, the slave as its terminal and as those streams that are terminals. Only calls
 * that are safe after fork. 0 or -errno. */
int terminal_become(const struct terminal *t);

void terminal_started(struct terminal *t); /* the child has the slave: let go of it */
void terminal_claim(struct terminal *t);   /* take the keys, when we are in the foreground; again after SIGCONT */
void terminal_release(struct terminal *t); /* as it was before */
void terminal_resize(struct terminal *t);  /* our size changed: tell the slave, whose kernel side signals SIGWINCH */

/* Does the slave turn "\n" into "\r\n" as it prints? */
bool terminal_adds_returns(const struct terminal *t);

void terminal_close(struct terminal *t); /* releases, too */

#endif
