/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What lets a command that leads its session be stopped.
 *
 * The kernel ignores SIGTSTP of ^Z, or of an editor's ":stop", in an orphaned process group: one of which no member has
 * its parent in the same session and another group, a shell, that could continue it. The command's parent is this
 * program, in another session. So two processes stand in for a shell and its child: the elder in a group of its own,
 * the younger in the command's. They hold no descriptor but one pipe, heed no signal, and end when that pipe's other
 * end is closed, also by our death. This program, not the elder, sees the command stop and continues it.
 *
 *   this program ---- command   leads the session and its group
 *              \----- elder     of the same session
 *                       \------ younger   of the command's group
 */
#ifndef ASSAY_AGENT_KIN_H
#define ASSAY_AGENT_KIN_H

#include <sys/types.h>

/*
 * In the command's process, when it has its session and is no program yet. The kin live until all have closed the
 * writing end of the pipe `hold`; the elder's number is written to `ready`. Only calls that are safe after fork. Where
 * there are no processes to be had, there is no kin: the command cannot be stopped from its terminal.
 */
void kin_begin(int hold, int ready);

/* In this program: the elder's number, or 0. Waits until it is known. */
pid_t kin_number(int ready);

#endif
