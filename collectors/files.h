/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Many small files, each of one instance, called by the collector as it likes:
 *
 *   27800                            sys/class/thermal/thermal_zone0/temp: <name>
 *   1200000 4711                     cpufreq/stats/time_in_state: <name>.1200000
 *   8:0 Read 12                      blkio.io_serviced: <name>.8:0 Read
 *   8:0 rbytes=1 wbytes=2            io.stat: <name>.8:0.rbytes
 *   total=12 N0=7 N1=5               memory.numa_stat: <name>.total, <name>.total.N0
 *   some avg10=0.12 total=7          cpu.pressure: <name>.some.avg10, 12 with exponent 2
 *   5373952     5451    73728        mm_stat: by the names that files_add_columns() is given
 *
 * Numbers may be negative. "<unknown>", "max" and a device's "8:0" alone are how the kernel says that there is none, as
 * are the errors ENODATA and EAGAIN of a sensor that is asleep: absent, and no failure. Another text is -EBADMSG, naming the file; the others
 * are put. A file that went away, or that has a new item, is -ESTALE.
 */
#ifndef ASSAY_COLLECTORS_FILES_H
#define ASSAY_COLLECTORS_FILES_H

#include "collectors/collector.h"
#include "host/procfile.h"

struct files_one {
	struct procfile file;
	size_t instance, row; /* of its first metric */
	size_t name_length;   /* so much of a metric's name is what the collector calls the file */
	size_t columns;       /* not 0: so many numbers in a row, of as many metrics from `row` on */
};

struct files {
	const struct collector *collector;
	const struct host *host;
	struct files_one *at;
	size_t count, room;
	struct names names, instances;
	struct metric *metrics;
	struct shape shape;
	int descriptors;      /* files above are opened anew at each sample */
	struct err denied;    /* why the last file that is not taken was not */
};

void files_begin(struct files *f, const struct collector *self, const struct host *host);

/* A file that cannot be opened or holds no number is not taken; that is no error. -ENOMEM, -EMFILE. */
int files_add(struct files *f, const char *path, const char *name, const char *instance, struct err *err);

/* A file of one line of numbers, named by their place; `columns` ends at NULL. A number behind them is not taken. */
int files_add_columns(struct files *f, const char *path, const char *const *columns, const char *instance,
		      struct err *err);

/* Every file of the folder that holds a number and nothing else; its name behind `prefix` is the metric's. */
int files_add_folder(struct files *f, const char *folder, const char *prefix, const char *instance, struct err *err);

/* The shape of what was added; when that is nothing: why the last file was not taken, or -ENOENT for `source`. */
int files_end(struct files *f, struct err *err);

/* Is there a file of any pattern of `source`? What has no '*' in it is only read beside these. */
int files_probe(const struct collector *self, const struct host *host, struct err *err);

const struct shape *files_shape(const void *state); /* the state begins with its struct files */
int files_sample(void *state, struct sample *out, struct err *err);
void files_close(void *state);

#define FILES_STATE .shape = files_shape, .sample = files_sample, .close = files_close

#endif
