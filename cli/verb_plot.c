/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/place.h"
#include "lab/trend.h"

static const struct flag flags[] = {
	{ 'a', "axis", "NAME", "The axis of bare values (default commit)." },
	{ 256, "svg", NULL, "As SVG instead of text." },
	{ 's', "store", "DIR|URL", "Where the runs are." },
	{ 0 },
};

static int draw(const struct verb *self, struct place *place, const char *key, const char *const *names, size_t count,
		const char *axis, bool svg)
{
	cleanup_buf struct buf text = { 0 }, path = { 0 };
	struct err err = { 0 };
	int r;

	if (place->url) {
		(void)buf_puts(&path, "/v1/plot?key=");
		(void)url_encode(&path, key);
		for (size_t i = 0; i < count; i++) {
			(void)buf_puts(&path, i ? "&head=" : "&base=");
			(void)url_encode(&path, names[i]);
		}
		if (axis) {
			(void)buf_puts(&path, "&axis=");
			(void)url_encode(&path, axis);
		}
		r = buf_printf(&path, "&format=%s", svg ? "svg" : "text");
		if (r < 0)
			return failed(self, (err_set(&err, r, "no memory"), &err));
		r = remote_get(place->url, path.data, NULL, "*/*", &text, &err);
	} else {
		r = lab_plot(place->store, key, names, count, axis, svg, &text, &err);
		if (r == 0 && !svg)
			r = buf_putc(&text, '\n');
	}
	if (r < 0)
		return failed(self, &err);
	return print_out(&text) < 0 ? EXIT_FAILED : EXIT_DONE;
}

static int plot_main(const struct verb *self, int argc, char **argv)
{
	const char *where = NULL, *axis = NULL;
	struct place place;
	bool svg = false;
	struct err err;
	int c, status;

	while ((c = next_option(self, argc, argv)) != -1) {
		if (c == 'a')
			axis = optarg;
		else if (c == 256)
			svg = true;
		else if (c == 's')
			where = optarg;
		else
			return option_status(c);
	}
	if (argc - optind < 2 || argc - optind > 3)
		return usage_error(self, "a key and one or two groups are needed: KEY BASE [HEAD]");
	if (place_open(&place, where, false, &err) < 0)
		return failed(self, &err);
	status = draw(self, &place, argv[optind], (const char *const *)argv + optind + 1, (size_t)(argc - optind - 1),
		      axis, svg);
	place_close(&place);
	return status;
}

const struct verb verb_plot = {
	.name = "plot",
	.summary = "Draw one key of one or two groups, run by run.",
	.usage = "plot [OPTION]... KEY BASE [HEAD]",
	.flags = flags,
	.help = "As in the test robot's mails: runs of the base are '+' and joined, runs of the head are 'O'.\n\n"
		"  assay plot hackbench.throughput v6.11 v6.12\n"
		"  assay plot --svg proc-vmstat.nr_dirty v6.11 v6.12 >dirty.svg\n",
	.main = plot_main,
};
