/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "agent/marks.h"
#include "base/take.h"
#include "cli/cli.h"

static const struct flag flags[] = {
	{ 0 },
};

static int send_line(const char *path, const struct buf *line, struct err *err)
{
	cleanup_fd int fd = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return err_set(err, -errno, "%s: %s%s", path, err_name(errno),
			       errno == ENXIO || errno == ENOENT ? ": the run is over" : "");
	n = write(fd, line->data, line->len); /* a line is written whole or not at all */
	return n < 0 ? err_set(err, -errno, "%s: %s", path, err_name(errno)) : 0;
}

static bool is_line(const char *s, size_t most)
{
	return strlen(s) <= most && !strchr(s, '\n');
}

static int mark_main(const struct verb *self, int argc, char **argv)
{
	const char *path = getenv(MARKS_VARIABLE), *name, *value;
	cleanup_buf struct buf line = { 0 };
	struct err err;
	int c;

	while ((c = next_option(self, argc, argv)) != -1)
		return option_status(c);
	if (argc - optind < 1 || argc - optind > 2)
		return usage_error(self, "a name is needed, and perhaps a value");
	name = argv[optind];
	value = argc - optind == 2 ? argv[optind + 1] : "";
	if (!*name || !is_line(name, MARK_NAME_MAX) || strpbrk(name, " \t"))
		return usage_error(self, "'%s' is no name: at most %d characters without blanks", name, MARK_NAME_MAX);
	if (!is_line(value, MARK_VALUE_MAX))
		return usage_error(self, "the value has more than %d characters, or more than one line", MARK_VALUE_MAX);
	if (!path) {
		(void)err_set(&err, -ENOENT, "$" MARKS_VARIABLE " is not set: only what `assay run` started can set marks");
		return failed(self, &err);
	}
	if (buf_printf(&line, "%s %s\n", name, value) < 0)
		return failed(self, (err_set(&err, -ENOMEM, "no memory for a mark"), &err));
	return send_line(path, &line, &err) < 0 ? failed(self, &err) : EXIT_DONE;
}

const struct verb verb_mark = {
	.name = "mark",
	.summary = "Mark a moment of the run, from inside the benchmark.",
	.usage = "mark NAME [VALUE]",
	.flags = flags,
	.help = "A command under `assay run` finds the path of a FIFO in $ASSAY_MARK; a line \"NAME VALUE\" written to it is a\n"
		"mark of the run, with its time. `assay show RUN` tells the marks, `assay dump RUN` too. Names have at most 64\n"
		"characters and no blanks, values at most 256.\n"
		"\n"
		"  assay mark warm-up\n"
		"  assay mark round 3\n"
		"\n"
		"In a shell script that also runs without assay:\n"
		"\n"
		"  mark() { [ -z \"$ASSAY_MARK\" ] || echo \"$*\" > \"$ASSAY_MARK\"; }\n"
		"\n"
		"In C: #include <assay/mark.h>, assay_mark(\"warm-up\").\n",
	.main = mark_main,
};
