/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A comparison as a mail to those who wrote the change: the kernel test robot's order of parts (docs/metrics-and-report,
 * part E) in our own words. Lines of the tables and plots are those of report_text() and plot_ascii().
 */
#ifndef ASSAY_ANALYSIS_MAIL_H
#define ASSAY_ANALYSIS_MAIL_H

#include "analysis/compare.h"

enum mail_shape {
	MAIL_2024, /* as since 2023: "testcase:", "test machine:", "parameters:" */
	MAIL_2016, /* as to 2022: "in testcase:", "on test machine:", "with following parameters:", how to reproduce, plots */
};

/* What is known of a commit; all but `name` may be NULL. */
struct mail_commit {
	const char *name; /* the column's: a tag, the beginning of an id */
	const char *id;	  /* 40 digits */
	const char *title;
};

struct mail {
	const struct comparison *comparison; /* its first table with a result is the subject */
	enum mail_shape shape;
	struct mail_commit base, head;
	const char *tree, *branch, *url; /* of the head, or NULL */
	const struct pairs *facts;       /* of a run of the head: the machine, the command */
	/* With `from`: as mbox, "From " and headers first; `date` is that of RFC 5322, `to` may be NULL. */
	const char *from, *to, *date;
};

/* "hackbench.throughput 4.3% improvement"; what the mail is about. Empty when no table has a result. */
int mail_subject(const struct mail *m, struct buf *ret);

/* -ENOENT: no table has a row; else the buffer's result. */
int mail_write(const struct mail *m, struct buf *ret);

#endif
