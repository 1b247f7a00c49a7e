/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The keys of one collector's own numbers, and of their sums over instances (spec A.1, A.2). */
#ifndef ASSAY_ANALYSIS_SLOT_KEYS_H
#define ASSAY_ANALYSIS_SLOT_KEYS_H

#include "analysis/stats.h"
#include "analysis/track.h"

int slot_keys(const struct track *t, struct stats *ret); /* 0 or -ENOMEM */

#endif
