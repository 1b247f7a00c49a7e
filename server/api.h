/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is answered to those who look. Each answers, whatever happens; docs/http.md tells in what form. */
#ifndef ASSAY_SERVER_API_H
#define ASSAY_SERVER_API_H

#include "server/request.h"

void get_index(struct request *request, struct store *store);      /* page.c */
void get_health(struct request *request, struct store *store);
void get_runs(struct request *request, struct store *store);
void get_run(struct request *request, struct store *store);
void get_stats(struct request *request, struct store *store);
void get_segment(struct request *request, struct store *store);
void get_comparison(struct request *request, struct store *store); /* comparison.c */
void get_history(struct request *request, struct store *store);    /* trend.c */
void get_plot(struct request *request, struct store *store);

#endif
