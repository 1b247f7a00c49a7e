/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/place.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/take.h"
#include "cli/cli.h"
#include "host/host.h"
#include "proto/segment.h"

bool is_url(const char *text)
{
	return text_starts(text_of(text), "http://") || text_starts(text_of(text), "https://");
}

int place_open(struct place *place, const char *given, bool writable, struct err *err)
{
	const char *set = given ? given : getenv("ASSAY_STORE");
	cleanup_free char *path = set && *set ? strdup(set) : store_default_path();
	struct store_options options = { 0 };
	struct stat st;

	*place = (struct place){ 0 };
	if (!path)
		return err_set(err, -ENOENT, "no store: neither --store, $ASSAY_STORE nor a home folder is there");
	if (is_url(path)) {
		size_t len = strlen(path);

		while (len > 0 && path[len - 1] == '/')
			path[--len] = '\0';
		place->url = take(&path);
		return 0;
	}
	if (!writable && stat(path, &st) < 0)
		return err_set(err, -errno, "no store at %s: %s (a first `assay run` makes it)", path, err_name(errno));
	options.path = path;
	options.read_only = !writable && access(path, W_OK) < 0; /* another's store, or one on a disk that is read-only */
	return store_open(&place->store, &options, err);
}

void place_close(struct place *place)
{
	if (place->store)
		store_close(place->store);
	free(place->url);
	*place = (struct place){ 0 };
}

static bool holds_segments(const char *folder)
{
	struct host here;
	struct names paths = { 0 };
	struct err err;
	bool yes = false;

	if (host_open_root(&here, folder, &err) < 0)
		return false;
	yes = host_glob(&here, "*.seg", &paths, &err) == 0 && paths.count > 0;
	names_free(&paths);
	host_close(&here);
	return yes;
}

int place_resolve(struct place *place, const char *name, struct named_run *ret, struct err *err)
{
	cleanup_buf struct buf path = { 0 };
	json_t *answer = NULL;
	const char *id;
	struct stat st;
	int r;

	*ret = (struct named_run){ 0 };
	if (stat(name, &st) == 0 && S_ISDIR(st.st_mode) && holds_segments(name)) {
		ret->folder = name;
		return 0;
	}
	if (!place->url)
		return store_resolve(place->store, name, &ret->id, err);
	(void)buf_puts(&path, "/v1/runs/");
	(void)url_encode(&path, name);
	if (path.failed)
		return err_set(err, path.failed, "'%s' is too long for a run's name", name);
	r = remote_json(place->url, path.data, NULL, &answer, err);
	if (r < 0)
		return r;
	id = json_string_value(json_object_get(json_object_get(answer, "run"), "id"));
	if (!id || !ulid_is(text_of(id)))
		r = err_set(err, -EPROTO, "%s%s: the answer has no run's id", place->url, path.data);
	else
		memcpy(ret->id.text, id, sizeof(ret->id.text));
	json_decref(answer);
	return r;
}

static int read_folder(const char *folder, const struct run_events *events, void *context, struct err *err)
{
	struct names paths = { 0 };
	struct host here;
	int r = host_open_root(&here, folder, err);

	if (r < 0)
		return r;
	r = host_glob(&here, "*.seg", &paths, err);
	for (size_t i = 0; i < paths.count && r == 0; i++) {
		cleanup_buf struct buf bytes = { 0 };

		r = host_read(&here, paths.at[i], &bytes, err);
		if (r == 0)
			r = segment_read(buf_text(&bytes), NULL, false, events, context, NULL, err);
		if (r < 0)
			(void)err_prefix(err, "%s/%s: ", folder, paths.at[i]);
	}
	names_free(&paths);
	host_close(&here);
	return r;
}

static int read_remote(const char *url, const struct ulid *id, const struct run_events *events, void *context,
		       struct err *err)
{
	char path[96];
	json_t *answer = NULL, *list, *one;
	size_t i;
	int r;

	(void)snprintf(path, sizeof(path), "/v1/runs/%s", id->text);
	r = remote_json(url, path, NULL, &answer, err);
	if (r < 0)
		return r;
	list = json_object_get(answer, "segments");
	json_array_foreach(list, i, one)
	{
		cleanup_buf struct buf bytes = { 0 };

		(void)snprintf(path, sizeof(path), "/v1/runs/%s/segments/%lld", id->text,
			       (long long)json_integer_value(json_object_get(one, "segment")));
		r = remote_get(url, path, NULL, "application/octet-stream", &bytes, err);
		if (r == 0)
			r = segment_read(buf_text(&bytes), NULL, false, events, context, NULL, err);
		if (r < 0)
			break;
	}
	json_decref(answer);
	return r;
}

int place_read(struct place *place, const struct named_run *run, const struct run_events *events, void *context,
	       struct err *err)
{
	if (run->folder)
		return read_folder(run->folder, events, context, err);
	if (place->url)
		return read_remote(place->url, &run->id, events, context, err);
	return store_read(place->store, &run->id, events, context, err);
}
