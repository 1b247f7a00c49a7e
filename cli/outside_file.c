/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/option.h"
#include "base/take.h"
#include "benchmarks/tree.h"
#include "cli/outside.h"
#include "collectors/exec.h"

#define MILLISECOND   1000000
#define INTERVAL_MOST (24 * 3600 * 1000LL) /* ms */
#define FILE_MOST     ((size_t)256 << 10)

static int read_text(const char *file, struct buf *ret)
{
	cleanup_fd int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	char part[4096];
	ssize_t n;

	if (fd < 0)
		return -errno;
	while ((n = read(fd, part, sizeof(part))) > 0)
		if (buf_add(ret, part, (size_t)n) < 0)
			return ret->failed;
	return n < 0 ? -errno : 0;
}

/* A list of words, which the tree owns. */
static int read_words(const char *file, const struct tree *node, const char ***ret, struct err *err)
{
	const char **words;

	if (node->kind != TREE_LIST || node->count == 0)
		return tree_wrong(file, node, err, "exec is a list: [program, argument, ...]");
	words = calloc(node->count + 1, sizeof(*words));
	if (!words)
		return err_set(err, -ENOMEM, "%s: no memory", file);
	*ret = words;
	for (size_t i = 0; i < node->count; i++) {
		if (node->children[i].kind != TREE_SCALAR || (i == 0 && !*node->children[i].text))
			return tree_wrong(file, &node->children[i], err, "a word is wanted here");
		words[i] = node->children[i].text;
	}
	return 0;
}

static int read_time(const char *file, const struct tree *node, unsigned *ret_ms, struct err *err)
{
	long long ns;

	if (node->kind != TREE_SCALAR || parse_duration(node->key, node->text, &ns, err) < 0 || ns < MILLISECOND ||
	    ns / MILLISECOND > INTERVAL_MOST)
		return tree_wrong(file, node, err, "a time from 1ms to 24h is wanted here, such as 500ms or 5s");
	*ret_ms = (unsigned)(ns / MILLISECOND);
	return 0;
}

static int read_setting(const char *file, const struct tree *node, struct exec_plan *plan, const char ***words,
			struct err *err)
{
	if (strcmp(node->key, "exec") == 0)
		return read_words(file, node, words, err);
	if (strcmp(node->key, "interval") == 0)
		return read_time(file, node, &plan->interval_ms, err);
	if (strcmp(node->key, "patience") == 0)
		return read_time(file, node, &plan->patience_ms, err);
	if (strcmp(node->key, "description") != 0)
		return tree_wrong_key(file, node, err, "unknown; known are exec, description, interval, patience");
	if (node->kind != TREE_SCALAR)
		return tree_wrong(file, node, err, "one line of text is wanted here");
	plan->description = node->text;
	return 0;
}

static int read_program(struct outside *o, const char *file, const struct tree *node, struct err *err)
{
	struct exec_plan plan = { .name = node->key, .description = "Numbers that a program prints" };
	cleanup_free const char **words = NULL;
	const struct collector *c;
	int r = 0;

	if (!collector_name_is_good(node->key))
		return tree_wrong_key(file, node, err, "a collector's name is made of small letters, digits, '-', '_'");
	if (outside_find(o, node->key))
		return tree_wrong_key(file, node, err, "there is a collector of this name already");
	if (node->kind != TREE_MAP)
		return tree_wrong(file, node, err, "exec: [program, argument, ...] is wanted here");
	for (size_t i = 0; i < node->count && r == 0; i++)
		r = read_setting(file, &node->children[i], &plan, &words, err);
	if (r == 0 && !words)
		r = tree_wrong_key(file, node, err, "says no exec: [program, argument, ...]");
	if (r < 0)
		return r;
	plan.argv = words;
	r = exec_make(&plan, &c, err);
	if (r < 0)
		return r;
	r = outside_add(o, c, file, NULL, err);
	if (r < 0)
		exec_free(c);
	return r;
}

/* The last `count` go again: a file is taken as a whole. */
static void take_back(struct outside *o, size_t origins, size_t count)
{
	while (o->origin_count > origins) {
		struct origin *last = &o->origins[--o->origin_count];

		exec_free(last->collector);
		free(last->file);
	}
	o->count = count;
	o->at[count] = NULL;
}

int outside_read(struct outside *o, const char *file, struct err *err)
{
	cleanup_buf struct buf text = { .ceiling = FILE_MOST };
	size_t origins = o->origin_count, count = o->count;
	struct tree root = { 0 };
	struct err why;
	int r = read_text(file, &text);

	if (r == -ENOENT)
		return 0;
	if (r < 0)
		(void)err_set(&why, r, "%s: %s", file, err_name(r));
	else
		r = plugin_trust(file, &why);
	if (r == 0)
		r = tree_read(file, buf_text(&text), &root, &why);
	if (r == 0 && root.kind != TREE_MAP)
		r = tree_wrong(file, &root, &why, "a map of collectors is wanted: NAME: {exec: [program]}");
	for (size_t i = 0; i < root.count && r == 0; i++)
		r = read_program(o, file, &root.children[i], &why);
	tree_free(&root);
	if (r == 0)
		return 0;
	take_back(o, origins, count);
	if (r == -ENOMEM)
		*err = why;
	return r == -ENOMEM ? r : outside_refuse(o, file, &why, err);
}
