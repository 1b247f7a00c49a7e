/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What went wrong: a negative errno and words for a person.
 *
 * A failure is one return: `return err_set(err, -EIO, "%s: ...", path)`. The words name the path, the value and,
 * where it is known, what to do. `err` is never NULL, lives on the caller's stack and is untouched on success.
 * Lower rooms fill it; only the programs' own code shows it.
 */
#ifndef ASSAY_BASE_ERR_H
#define ASSAY_BASE_ERR_H

struct err {
	int code;       /* -errno; 0 as long as nothing failed */
	char text[320]; /* one line, no newline; cut when longer */
};

/* Fill `err`, hand `code` back. Keeps errno as it was. */
int err_set(struct err *err, int code, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Put words before those that stand there ("run 3: "), as an error passes up. Returns err->code. */
int err_prefix(struct err *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* "No such file or directory"; safe in threads. `code` may have either sign. */
const char *err_name(int code);

#endif
