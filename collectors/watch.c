/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collectors/watch.h"

#include <errno.h>
#include <stdlib.h>

int watch_open(struct watch *w, const struct host *host, const char *path, struct err *err)
{
	struct err unused;
	struct text now;
	char *copy;
	int r;

	r = procfile_open(&w->file, host, path, &unused);
	if (procfile_passes(r)) {
		w->unread = true;
		r = procfile_open_unread(&w->file, host, path, &unused);
	}
	if (r < 0)
		return r == -ENOMEM ? err_set(err, r, "%s: no memory", path) : 0;
	w->is_open = true;
	now = procfile_first(&w->file);
	copy = text_copy(now);
	if (!copy)
		return err_set(err, -ENOMEM, "%s: no memory", path);
	w->first = text_n(copy, text_len(now));
	return 0;
}

int watch_check(struct watch *w, struct err *err)
{
	struct text now;
	int r;

	if (!w->is_open)
		return 0;
	r = procfile_read(&w->file, &now, err);
	if (r < 0 && w->unread && r != -ESTALE)
		return 0;
	if (r < 0)
		return err->code = -ESTALE;
	if (!text_same(now, w->first))
		return err_set(err, -ESTALE, "%s: changed", w->file.path);
	return 0;
}

void watch_close(struct watch *w)
{
	procfile_close(&w->file);
	free((char *)w->first.at);
	*w = (struct watch){ 0 };
}
