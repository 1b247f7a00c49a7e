/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files of one row a CPU and hexadecimal numbers:
 *
 *   00002ec8 00000000 0000001c 00000000 ...         proc/net/softnet_stat: a table names the columns
 *   entries  searched found new ...                 proc/net/stat/nf_conntrack: the first line does
 *   00000021 00000000 00000000 00000000 ...
 *
 * Which CPU is a row? A column may tell it. Otherwise rows are in the order of a list of CPUs, in which there may be
 * gaps: those online (as proc/stat tells, too), or those possible. Where there are lists and none has as many CPUs as
 * the file has rows, a row is no CPU: "row3". A host without any list has CPUs without gaps.
 *
 * A CPU that comes, or one that goes where no column tells the CPU: -ESTALE, as is a column more. A row whose numbers
 * are none is -EBADMSG, naming it; the other rows are put.
 */
#ifndef ASSAY_COLLECTORS_CPU_ROWS_H
#define ASSAY_COLLECTORS_CPU_ROWS_H

#include "collectors/collector.h"
#include "collectors/watch.h"
#include "host/procfile.h"

#define CPU_ROWS_COLUMNS  64
#define CPU_ROWS_ONLINE	  "sys/devices/system/cpu/online"
#define CPU_ROWS_POSSIBLE "sys/devices/system/cpu/possible"

struct cpu_rows_format {
	const char *const *names; /* of the columns, ends at NULL; what is behind them is "field16"; NULL: the first line */
	size_t cpu_column;	  /* from 1; 0: none tells the CPU */
	const char *list;	  /* of CPUs that rows are in the order of */
	bool online;		  /* those are the ones online */
};

struct cpu_rows {
	const struct collector *collector;
	const struct cpu_rows_format *format;
	struct procfile file;
	struct watch list;
	struct names columns, instances;
	uint64_t *cpus; /* [row], where a column tells them */
	size_t rows, row_room;
	bool tells_cpu;
	struct metric metrics[CPU_ROWS_COLUMNS];
	int metric_of[CPU_ROWS_COLUMNS]; /* [column]; -1: of none */
	size_t column_count;
	struct shape shape;
};

/* The file is the first that the collector's `source` names; the list stands behind it, so that it is recorded, too. */
int cpu_rows_open(struct cpu_rows *c, const struct collector *self, const struct cpu_rows_format *format,
		  const struct host *host, struct err *err);
const struct shape *cpu_rows_shape(const void *state);
int cpu_rows_sample(void *state, struct sample *out, struct err *err);
void cpu_rows_close(void *state);

/* proc/net/stat/...: the first line names the columns, a row is a possible CPU. */
int cpu_rows_open_headed(const struct collector *self, void *state, const struct host *host, struct err *err);

#define CPU_ROWS_STATE                                                                               \
	.state_size = sizeof(struct cpu_rows), .shape = cpu_rows_shape, .sample = cpu_rows_sample, \
	.close = cpu_rows_close

#endif
