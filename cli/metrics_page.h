/* SPDX-License-Identifier: GPL-3.0-or-later */
/* docs/metrics.md: every key of every collector that is built in, and of every view, with kind, unit, fold and help. */
#ifndef ASSAY_CLI_METRICS_PAGE_H
#define ASSAY_CLI_METRICS_PAGE_H

/* To stdout; 0 or -errno. Depends on nothing but the program. */
int metrics_page(void);

/* "yes|no", "NUMBER", "TIME", "TEXT": how an option's value is written, by enum option_type. */
const char *option_type_name(int type);

#endif
