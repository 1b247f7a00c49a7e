/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 *   801 0 2466165                proc/sys/fs/file-nr: handles allocated, of these unused, most
 *   109494 0 0 0 0 0 0           proc/sys/fs/inode-state: inodes, of these free, preshrink; the rest is always 0
 *   236221 234494 45 0 1201 0    proc/sys/fs/dentry-state: entries, of these unused; two settings; negative ones
 *
 * The negative entries are counted since Linux 5.0; before, there was a 0 that never moved.
 */
#include <errno.h>

#include "collectors/collector.h"
#include "host/procfile.h"

#define FILES   3
#define COLUMNS 5

static const char *const paths[FILES] = { "proc/sys/fs/file-nr", "proc/sys/fs/inode-state", "proc/sys/fs/dentry-state" };

/* NULL: a column that is no measurement. */
static const char *const columns[FILES][COLUMNS] = {
	{ "allocated", "unused", "max" },
	{ "nr_inodes", "nr_free_inodes", "preshrink" },
	{ "nr_dentry", "nr_unused", NULL, NULL, "nr_negative" },
};

static const struct hint hints[] = {
	/* key              kind   unit        help */
	{ "allocated",      GAUGE, UNIT_COUNT, "Open files of the whole machine." },
	{ "unused",         GAUGE, UNIT_COUNT, "File handles allocated and not in use; 0 since Linux 2.6." },
	{ "max",            GAUGE, UNIT_COUNT, "How many files may be open." },
	{ "nr_inodes",      GAUGE, UNIT_COUNT, "Inodes in memory." },
	{ "nr_free_inodes", GAUGE, UNIT_COUNT, "Inodes in memory that nobody uses." },
	{ "preshrink",      GAUGE, UNIT_COUNT, "Not 0 when inodes are being given up; 0 since Linux 2.6." },
	{ "nr_dentry",      GAUGE, UNIT_COUNT, "Directory entries in memory." },
	{ "nr_unused",      GAUGE, UNIT_COUNT, "Directory entries in memory that nobody uses." },
	{ "nr_negative",    GAUGE, UNIT_COUNT, "Unused entries of names that do not exist." },
	{ 0 },
};

static const char *const instances[] = { "" };

struct file_nr {
	struct procfile file[FILES];
	bool is_open[FILES];
	struct metric metrics[FILES * COLUMNS];
	struct shape shape;
};

static int file_nr_open(const struct collector *self, void *state, const struct host *host, struct err *err)
{
	struct file_nr *n = state;
	size_t metrics = 0;
	struct err why;
	int r = 0;

	for (size_t i = 0; i < FILES; i++) {
		int failed = procfile_open(&n->file[i], host, paths[i], &why);

		n->is_open[i] = failed == 0;
		if (failed < 0 && r == 0) {
			r = failed;
			*err = why;
		}
		for (size_t c = 0; c < COLUMNS && failed == 0; c++) {
			if (!columns[i][c])
				continue;
			n->metrics[metrics].name = columns[i][c];
			hint_apply(hints, &n->metrics[metrics++]);
		}
	}
	n->shape = (struct shape){ .collector = self->name,
				   .metrics = n->metrics,
				   .metric_count = metrics,
				   .instances = instances,
				   .instance_count = 1 };
	return metrics ? 0 : r;
}

static const struct shape *file_nr_shape(const void *state)
{
	return &((const struct file_nr *)state)->shape;
}

/* Columns that an old kernel does not have are absent. */
static int take_file(const struct file_nr *n, size_t file, struct text text, size_t *metric, struct sample *out,
		     struct err *err)
{
	size_t found = 0;
	uint64_t value;

	for (size_t c = 0; c < COLUMNS; c++) {
		bool is_there = text_u64(&text, &value);

		if (is_there && columns[file][c])
			sample_put(out, *metric, 0, value);
		*metric += columns[file][c] != NULL;
		found += is_there;
	}
	return found ? 0 : err_set(err, -EBADMSG, "%s: no number", n->file[file].path);
}

static int file_nr_sample(void *state, struct sample *out, struct err *err)
{
	struct file_nr *n = state;
	size_t metric = 0;
	int failed = 0;

	for (size_t i = 0; i < FILES && failed != -ESTALE; i++) {
		struct text text = { 0 };
		int r;

		if (!n->is_open[i])
			continue;
		r = procfile_read(&n->file[i], &text, err);
		if (r < 0)
			failed = r;
		r = take_file(n, i, text, &metric, out, r < 0 ? &(struct err){ 0 } : err);
		if (r < 0 && failed == 0)
			failed = r;
	}
	if (failed < 0)
		err->code = failed;
	return failed;
}

static void file_nr_close(void *state)
{
	struct file_nr *n = state;

	for (size_t i = 0; i < FILES; i++)
		procfile_close(&n->file[i]);
}

const struct collector collector_file_nr = {
	.name = "file-nr",
	.description = "Open files, inodes and directory entries in memory",
	.source = "proc/sys/fs/file-nr proc/sys/fs/inode-state proc/sys/fs/dentry-state",
	.hints = hints,
	.state_size = sizeof(struct file_nr),
	.open = file_nr_open,
	.shape = file_nr_shape,
	.sample = file_nr_sample,
	.close = file_nr_close,
};
