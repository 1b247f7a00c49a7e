/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/take.h"
#include "base/text.h"
#include "cli/cli.h"
#include "collectors/collector.h"
#include "host/record.h"

static const struct flag flags[] = {
	{ 'c', "collectors", "LIST", "Only what these read (default: all that work here)." },
	{ 'R', "root", "DIR", "Of a recorded tree instead of this machine." },
	{ 0 },
};

static int record(const struct host *host, const struct chosen_list *chosen, int folder, struct record_count *count,
		  struct err *err)
{
	int r = host_record_facts(host, folder, count, err);

	for (size_t i = 0; i < chosen->count && r == 0; i++) {
		struct text rest = text_of(chosen->at[i].collector->source), pattern;

		while (r == 0 && text_word(&rest, &pattern)) {
			cleanup_free char *one = text_copy(pattern);

			r = one ? host_record(host, one, folder, count, err)
				: err_set(err, -ENOMEM, "no memory for a path");
		}
	}
	return r;
}

static int record_main(const struct verb *self, int argc, char **argv)
{
	const char *root = NULL, *list = NULL, *to;
	struct chosen_list chosen = { 0 };
	struct record_count count = { 0 };
	cleanup_fd int folder = -1;
	struct host host;
	struct err err;
	int c, r;

	while ((c = next_option(self, argc, argv)) != -1) {
		if (c == 'c')
			list = optarg;
		else if (c == 'R')
			root = optarg;
		else
			return option_status(c);
	}
	if (optind != argc - 1)
		return usage_error(self, "one folder is needed to record into");
	to = argv[optind];
	if (mkdir(to, 0777) < 0 && errno != EEXIST) {
		(void)err_set(&err, -errno, "%s: %s", to, err_name(errno));
		return failed(self, &err);
	}
	folder = open(to, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (folder < 0) {
		(void)err_set(&err, -errno, "%s: %s", to, err_name(errno));
		return failed(self, &err);
	}
	if (host_open_root(&host, root, &err) < 0)
		return failed(self, &err);
	r = choose_collectors(&host, list, &chosen, &err);
	if (r == 0)
		r = record(&host, &chosen, folder, &count, &err);
	chosen_free(&chosen);
	host_close(&host);
	if (r < 0)
		return failed(self, &err);
	printf("%zu files, %zu bytes in %s\n", count.files, count.bytes, to);
	if (count.refused)
		fprintf(stderr, "assay: %zu files could not be read and are not in it\n", count.refused);
	return EXIT_DONE;
}

const struct verb verb_record = {
	.name = "record",
	.summary = "Copy what the collectors read into a folder, to be replayed with --root.",
	.usage = "record [OPTION]... DIR",
	.flags = flags,
	.help = "The copy holds what /proc and /sys show at this moment, and nothing else of the machine: it can be "
		"sent to\n"
		"somebody who is to see what the collectors see. Look through it before you do: proc/cmdline and the "
		"host's\n"
		"name are in it.\n\n"
		"  assay record before && hackbench -g 10 && assay record after\n"
		"  assay sample --root before -c proc-vmstat\n",
	.main = record_main,
};
