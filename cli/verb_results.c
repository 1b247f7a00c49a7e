/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "analysis/number.h"
#include "analysis/results.h"
#include "base/take.h"
#include "benchmarks/benchmark.h"
#include "cli/cli.h"

#define OUTPUT_SIZE ((size_t)1 << 30)

static const struct flag flags[] = {
	{ 'j', "json", NULL, "As JSON." },
	{ 'e', "stderr", "FILE", "What the command wrote to stderr, where that was kept apart." },
	{ 0 },
};

static int read_all(int fd, const char *name, struct buf *ret, struct err *err)
{
	ret->ceiling = OUTPUT_SIZE;
	for (;;) {
		ssize_t n;

		if (buf_reserve(ret, 65536) < 0)
			return err_set(err, ret->failed, "%s: %s", name, err_name(-ret->failed));
		n = read(fd, ret->data + ret->len, 65536);
		if (n == 0)
			return 0;
		if (n < 0 && errno != EINTR)
			return err_set(err, -errno, "%s: %s", name, err_name(errno));
		ret->len += n > 0 ? (size_t)n : 0;
	}
}

/* "-": stdin. */
static int read_output(const char *path, struct buf *ret, struct err *err)
{
	cleanup_fd int fd = -1;

	if (strcmp(path, "-") == 0)
		return read_all(STDIN_FILENO, "stdin", ret, err);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return err_set(err, -errno, "%s: %s", path, err_name(errno));
	return read_all(fd, path, ret, err);
}

/* A name, or the file itself. */
static int read_benchmark(const char *name, struct benchmark *ret, struct err *err)
{
	if (strchr(name, '/') || text_ends(text_of(name), ".yaml"))
		return benchmark_read(name, ret, err);
	return benchmark_find(name, ret, err);
}

/* As many digits as tell it from every other number, and no more. */
static void add_number(struct buf *to, double value)
{
	char text[40] = "";

	for (int digits = 15; digits <= 17; digits++) {
		double back;

		(void)snprintf(text, sizeof(text), "%.*g", digits, value);
		if (number_read(text_of(text), &back) && back == value)
			break;
	}
	(void)buf_puts(to, text);
}

static void add_key(struct buf *to, const char *key)
{
	json_t *text = json_string(key);
	cleanup_free char *quoted = json_dumps(text, JSON_ENCODE_ANY);

	json_decref(text);
	(void)buf_puts(to, quoted ? quoted : "\"\"");
}

static int show(const struct stats *s, bool json)
{
	cleanup_buf struct buf out = { 0 };

	for (size_t i = 0; i < s->count; i++) {
		if (json) {
			(void)buf_puts(&out, i ? ",\n  " : "{\n  ");
			add_key(&out, s->at[i].key);
			(void)buf_puts(&out, ": ");
			add_number(&out, s->at[i].value);
		} else {
			(void)print_safe(&out, s->at[i].key);
			(void)buf_putc(&out, ' ');
			add_number(&out, s->at[i].value);
			(void)buf_putc(&out, '\n');
		}
	}
	if (json)
		(void)buf_puts(&out, "\n}\n");
	return out.failed || print_out(&out) < 0 ? EXIT_FAILED : EXIT_DONE;
}

static int read_results(const struct benchmark *b, const char *path, const char *error_path, struct stats *ret,
			size_t *count, struct err *err)
{
	cleanup_buf struct buf out = { 0 }, error_out = { 0 };
	struct results_rules *rules = NULL;
	int r;

	if (!b->results_json)
		return err_set(err, -EINVAL, "%s: has no results, it is only timed", b->path);
	r = read_output(path, &out, err);
	if (r == 0 && error_path)
		r = read_output(error_path, &error_out, err);
	if (r == 0)
		r = results_compile(text_of(b->results_json), &rules, err);
	if (r == 0)
		r = results_apply(rules, b->name, buf_text(&out), buf_text(&error_out), ret, count, err);
	results_free(rules);
	if (r == 0 && *count == 0)
		return err_set(err, -ENODATA, "%s: no result of %s in it", path, b->name);
	stats_sort(ret);
	return r;
}

static int results_main(const struct verb *self, int argc, char **argv)
{
	const char *error_path = NULL;
	struct benchmark b = { 0 };
	struct stats s = { 0 };
	struct err err;
	bool json = false;
	int c, status;
	size_t count = 0;

	while ((c = next_option(self, argc, argv)) != -1) {
		if (c == 'j')
			json = true;
		else if (c == 'e')
			error_path = optarg;
		else
			return option_status(c);
	}
	if (argc - optind != 2)
		return usage_error(self, "wants the name of a benchmark and a file");
	if (read_benchmark(argv[optind], &b, &err) < 0)
		return failed(self, &err);
	if (read_results(&b, argv[optind + 1], error_path, &s, &count, &err) < 0)
		status = failed(self, &err);
	else
		status = show(&s, json);
	stats_free(&s);
	benchmark_free(&b);
	return status;
}

const struct verb verb_results = {
	.name = "results",
	.summary = "Read a benchmark's results from its saved output.",
	.usage = "results [OPTION]... BENCHMARK FILE",
	.flags = flags,
	.help = "BENCHMARK is a name of `assay benchmarks`, or a YAML file, which is refused with line and column "
		"where it is\n"
		"wrong. FILE is what the command printed; '-' is stdin. An output without a result - the command "
		"failed or\n"
		"was stopped - is a failure. Whether the command itself failed is not known here, as it is in a "
		"run.\n\n"
		"  assay results fio output.json\n"
		"  sysbench cpu run | assay results sysbench -\n"
		"  assay results --json ./my-benchmark.yaml output.txt\n",
	.main = results_main,
};
