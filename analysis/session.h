/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * In what order the runs of two sides were made, and whether the machine drifted meanwhile (spec/statistics, sections
 * 3.3 and 12).
 */
#ifndef ASSAY_ANALYSIS_SESSION_H
#define ASSAY_ANALYSIS_SESSION_H

#include "analysis/difference.h"

/* BLOCKED: one side mostly after the other, so that drift cannot be told from the change. */
enum session_order { ORDER_UNKNOWN, ORDER_ALTERNATING, ORDER_MIXED, ORDER_BLOCKED };

extern const char *const session_order_names[];

/* Positions of the runs of both sides; numbers of any unit, each once. A NULL is unknown. */
enum session_order session_order_of(struct values a, struct values b);

/* Is the share of drifting metrics beyond what quiet machines show, so that the drift is to be taken out of all? */
bool session_drifts(enum session_order order, size_t drifting, size_t metrics);

#endif
