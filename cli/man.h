/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_CLI_MAN_H
#define ASSAY_CLI_MAN_H

#include "cli/cli.h"

void man_verb(const struct verb *verb); /* assay-VERB(1), to stdout */
void man_all(void);			/* assay(1) */

#endif
