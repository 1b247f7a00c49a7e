/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_CLI_SPOOL_PATH_H
#define ASSAY_CLI_SPOOL_PATH_H

/* --spool's value, else $ASSAY_SPOOL, else $XDG_STATE_HOME/assay/spool, else ~/.local/state/assay/spool. The caller
 * frees. NULL: no home. */
char *spool_path(const char *given);

#endif
