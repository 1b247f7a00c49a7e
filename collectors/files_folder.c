/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <stdio.h>

#include "base/take.h"
#include "collectors/files.h"

#define LONGEST 32 /* of a number, with its newline */

int files_probe(const struct collector *self, const struct host *host, struct err *err)
{
	struct text rest = text_of(self->source), pattern;
	struct names found = { 0 };
	size_t count = 0;
	int r = 0;

	while (r == 0 && count == 0 && text_word(&rest, &pattern)) {
		cleanup_free char *path = text_copy(pattern);

		if (!path)
			r = err_set(err, -ENOMEM, "%s: no memory", self->name);
		else if (strchr(path, '*'))
			r = host_glob(host, path, &found, err);
		count = found.count;
	}
	names_free(&found);
	rest = text_of(self->source);
	if (r == 0 && count == 0 && text_word(&rest, &pattern))
		r = err_set(err, -ENOENT, "%.*s: no such file", TEXT_ARGS(pattern));
	return r;
}

static bool holds_a_number(const struct host *host, const char *path)
{
	cleanup_buf struct buf content = { .ceiling = LONGEST };
	struct err ignored;
	struct text text;
	int64_t number;

	if (host_read(host, path, &content, &ignored) < 0)
		return false;
	text = text_trim(buf_text(&content));
	if (text_len(text) > 0 && *text.at == '-')
		return text_i64(&text, &number) && text_len(text) == 0;
	return text_u64(&text, &(uint64_t){ 0 }) && text_len(text) == 0;
}

int files_add_folder(struct files *f, const char *folder, const char *prefix, const char *instance, struct err *err)
{
	struct names entries = { 0 };
	char path[512], name[256];
	int r = host_list(f->host, folder, &entries, &f->denied);

	if (r == -ENOMEM)
		return err_set(err, r, "%s: no memory", f->collector->name);
	r = 0;
	for (size_t i = 0; i < entries.count && r == 0; i++) {
		if (snprintf(path, sizeof(path), "%s/%s", folder, entries.at[i]) >= (int)sizeof(path) ||
		    snprintf(name, sizeof(name), "%s%s", prefix, entries.at[i]) >= (int)sizeof(name))
			continue;
		if (holds_a_number(f->host, path))
			r = files_add(f, path, name, instance, err);
	}
	names_free(&entries);
	return r;
}
