/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files of one line a metric and one column a CPU:
 *
 *              CPU0       CPU1       CPU3          the CPUs that have a column; not always 0, 1, 2 ...
 *    24:         10         20         30  IR-PCI-MSI 327680-edge      xhci_hcd
 *   LOC:       1000       2000       3000  Local timer interrupts
 *   ERR:          3                                one number: the machine's, instance ""
 *   FIQ:              usb_fiq                      no number: gives no metric and is no error
 *
 * A CPU whose column went away is absent; a CPU, a line or a text (another device on that interrupt) that was not
 * there at open is -ESTALE. Of two lines with one label the first counts. A line with fewer numbers than it had is
 * -EBADMSG, naming it; the other lines are put.
 */
#ifndef ASSAY_COLLECTORS_MATRIX_H
#define ASSAY_COLLECTORS_MATRIX_H

#include "collectors/collector.h"
#include "host/procfile.h"

struct matrix_row {
	int metric;         /* -1: a line without a number */
	uint32_t numbers;   /* MATRIX_ALL, or how many it has */
	uint64_t taken_in;  /* the sample that took it last */
	char *tail;         /* what stands behind the numbers, up to the end of the line */
	size_t tail_length;
};

#define MATRIX_ALL UINT32_MAX /* as many as there are columns */

struct matrix {
	const struct collector *collector;
	bool texts; /* do the texts belong to the names? */
	struct procfile file;
	struct names labels; /* one a row */
	struct matrix_row *rows;
	size_t row_room;
	struct names names; /* of the metrics */
	struct metric *metrics;
	struct names instances;
	char *header; /* the first line as it was at open */
	size_t header_length;
	uint32_t *instance_of; /* a column's; as many as the header had columns at open */
	size_t columns, column_room;
	bool straight; /* column i is instance i */
	uint64_t samples;
	struct shape shape;
};

/* `texts`: a metric is called by label and text ("NMI:Non-maskable_interrupts"), and another text is another metric. */
int matrix_open(struct matrix *m, const struct collector *self, bool texts, const struct host *host, struct err *err);
const struct shape *matrix_shape(const void *state);
int matrix_sample(void *state, struct sample *out, struct err *err);
void matrix_close(void *state);

#endif
