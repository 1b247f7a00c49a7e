/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How a run ended, what its benchmark said and what the kernel did: results, dmesg.*, kmsg.*, stderr.*, last_state.*
 * (spec B, A.3.12, C.3).
 *
 * Figures are read from the kept output of a command that ended well only: of one that failed or was stopped, whole
 * lines may stand there that mean nothing.
 */
#ifndef ASSAY_ANALYSIS_OUTCOME_H
#define ASSAY_ANALYSIS_OUTCOME_H

#include "analysis/log_stats.h"
#include "analysis/stats.h"
#include "base/run.h"

/* One stream of the command's output, as far as it was kept. A line with a hole in it is left out whole. */
struct kept {
	struct buf text;
	uint64_t next; /* offset of the byte that comes next */
	bool skip;     /* up to the next newline: its line began in a hole */
	bool too_much;
};

struct outcome {
	struct kept out, error_out;
	struct stats told; /* Result events */
	struct log_stats logs;
	struct run_end end;
	bool ended;
	bool timed_out;
};

int outcome_output(struct outcome *o, const struct run_output *output); /* 0 or -ENOMEM */
int outcome_log(struct outcome *o, const struct run_log *log);
int outcome_result(struct outcome *o, const struct run_result *result);
int outcome_finish(struct outcome *o, const struct pairs *axes, const struct pairs *facts, struct stats *ret,
		   struct err *err);
void outcome_free(struct outcome *o);

#endif
