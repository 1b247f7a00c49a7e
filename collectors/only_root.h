/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files that only root may read: the kernel's "Permission denied" with the remedy.
 */
#ifndef ASSAY_COLLECTORS_ONLY_ROOT_H
#define ASSAY_COLLECTORS_ONLY_ROOT_H

#include "collectors/collector.h"

/* A probe: can `source` be opened? */
int only_root_probe(const struct collector *self, const struct host *host, struct err *err);

/* `code` as it is; when it says that reading was denied, with words of who may. */
int only_root_explain(const struct collector *self, int code, struct err *err);

#endif
