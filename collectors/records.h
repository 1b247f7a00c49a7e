/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two forms of records that name their numbers, read along a layout:
 *
 *   Udp: InDatagrams NoPorts      headed: a line of names, and below it, with the same word in front, their values
 *   Udp: 88542 120                -> Udp.InDatagrams, Udp.NoPorts
 *   FRAG: inuse 0 memory 0        worded: each number behind its name -> FRAG.inuse, FRAG.memory
 *
 * A value that no name stands above is called by its place: "Udp.field3". A name without a value gives no metric. Of
 * two values of one name the first counts.
 */
#ifndef ASSAY_COLLECTORS_RECORDS_H
#define ASSAY_COLLECTORS_RECORDS_H

#include "collectors/layout.h"

int headed_open(const struct collector *self, void *state, const struct host *host, struct err *err);
int worded_open(const struct collector *self, void *state, const struct host *host, struct err *err);

#define HEADED_FILE .state_size = sizeof(struct layout), .open = headed_open, LAYOUT_STATE
#define WORDED_FILE .state_size = sizeof(struct layout), .open = worded_open, LAYOUT_STATE

#endif
