/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Groups of runs as files: {"KEY":[run 1, run 2, ...], ...}, the `matrix.json` of LKP. A list that is shorter than the
 * longest lacks its last runs; null and what is no number is missing. One file is one column of a comparison. The key
 * "assay.when", if there, tells when each run began, in s since any instant that the files share.
 */
#ifndef ASSAY_LAB_MATRIX_H
#define ASSAY_LAB_MATRIX_H

#include <jansson.h>

#include "lab/lab.h"

#define LAB_MATRIX_BYTES (256 << 20)

/* "x/matrix.json", or a folder that has one. Looks into the file system. */
bool lab_is_matrix(const char *name);

/*
 * Compare files, the base first; `history` is one, too, or NULL. The order of the runs is known only by "assay.when".
 * -EINVAL: not such a file, with the place; -EFBIG; and what lab_compare() says.
 */
int lab_compare_matrices(const char *const *names, size_t count, const char *history,
			 const struct lab_options *options, struct comparison *ret, struct err *err);

/* What such a file holds. */
struct lab_matrix {
	struct stats *stats; /* [run], sorted */
	double *when;        /* [run] 0: not known */
	size_t runs;
};

/* `path` is for errors. `ret` is to be freed after a failure, too. */
int lab_matrix_take(const json_t *file, const char *path, struct lab_matrix *ret, struct err *err);
void lab_matrix_free(struct lab_matrix *m);

#endif
