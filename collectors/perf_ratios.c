/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collectors/perf_ratios.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <yaml.h>

#include "base/take.h"

#define SIZE_MAX_OF_FILE ((size_t)64 << 10)

struct reader {
	yaml_parser_t parser;
	const char *path;
	struct err *err;
};

static int wrong(struct reader *r, const yaml_mark_t *at, const char *what)
{
	return err_set(r->err, -EINVAL, "%s:%zu: %s", r->path, at->line + 1, what);
}

static int read_all(const char *path, struct buf *ret, struct err *err)
{
	cleanup_fd int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return err_set(err, -errno, "%s: %s", path, err_name(errno));
	do {
		if (buf_reserve(ret, 4096) < 0)
			return err_set(err, ret->failed, "%s: more than %zu bytes", path, SIZE_MAX_OF_FILE);
		n = read(fd, ret->data + ret->len, 4096);
		if (n > 0)
			ret->len += (size_t)n;
	} while (n > 0 || (n < 0 && errno == EINTR));
	return n < 0 ? err_set(err, -errno, "%s: %s", path, err_name(errno)) : 0;
}

static int next(struct reader *r, yaml_event_t *event)
{
	if (yaml_parser_parse(&r->parser, event))
		return 0;
	return wrong(r, &r->parser.problem_mark, r->parser.problem ? r->parser.problem : "not YAML");
}

static bool is_plain(struct text t)
{
	for (const char *c = t.at; c < t.end; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			return false;
	return text_len(text_trim(t)) > 0;
}

static struct text scalar_of(const yaml_event_t *event)
{
	return text_n((const char *)event->data.scalar.value, event->data.scalar.length);
}

/* "name: expression"; the key's event is `key`. */
static int take_pair(struct reader *r, const yaml_event_t *key, struct buf *ret)
{
	struct text name = scalar_of(key);
	yaml_event_t value;
	int result = next(r, &value);

	if (result < 0)
		return result;
	if (value.type != YAML_SCALAR_EVENT || !is_plain(scalar_of(&value)))
		result = wrong(r, &value.start_mark, "an expression is wanted, such as cache-misses / instructions");
	else if (!is_plain(name) || memchr(name.at, ' ', text_len(name)) || memchr(name.at, ':', text_len(name)))
		result = wrong(r, &key->start_mark, "a name has neither blanks nor colons");
	else if (buf_printf(ret, "%.*s: %.*s\n", TEXT_ARGS(name), TEXT_ARGS(scalar_of(&value))) < 0)
		result = err_set(r->err, -ENOMEM, "%s: no memory", r->path);
	yaml_event_delete(&value);
	return result;
}

static int take_mapping(struct reader *r, struct buf *ret)
{
	bool inside = false, done = false;
	int result = 0;

	while (result == 0 && !done) {
		yaml_event_t event;

		result = next(r, &event);
		if (result < 0)
			break;
		if (event.type == YAML_STREAM_END_EVENT)
			done = true;
		else if (!inside && event.type == YAML_MAPPING_START_EVENT)
			inside = true;
		else if (inside && event.type == YAML_MAPPING_END_EVENT)
			inside = false;
		else if (inside && event.type == YAML_SCALAR_EVENT)
			result = take_pair(r, &event, ret);
		else if (inside || event.type == YAML_SCALAR_EVENT || event.type == YAML_SEQUENCE_START_EVENT)
			result = wrong(r, &event.start_mark, "one mapping of names to expressions is wanted");
		yaml_event_delete(&event);
	}
	return result;
}

int perf_ratios_read(const char *path, struct buf *ret, struct err *err)
{
	cleanup_buf struct buf text = { .ceiling = SIZE_MAX_OF_FILE };
	struct reader r = { .path = path, .err = err };
	int result = read_all(path, &text, err);

	if (result < 0)
		return result;
	if (!yaml_parser_initialize(&r.parser))
		return err_set(err, -ENOMEM, "%s: no memory", path);
	yaml_parser_set_input_string(&r.parser, (const unsigned char *)(text.data ? text.data : ""), text.len);
	result = take_mapping(&r, ret);
	yaml_parser_delete(&r.parser);
	if (result == 0 && ret->len == 0)
		result = err_set(err, -EINVAL, "%s: there is no ratio in it", path);
	return result;
}
