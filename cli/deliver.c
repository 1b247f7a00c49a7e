/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/deliver.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int deliver_local(void *context, const struct ulid *run, uint32_t sequence, struct text sealed, struct err *err)
{
	struct local_store *local = context;
	enum put_result result;
	int r;

	if (!local->is_open) {
		r = place_open(&local->place, local->turned ? local->turned : local->path, true, err);
		if (r == 0 && local->place.url) {
			place_close(&local->place);
			r = err_set(err, -EINVAL, "the store is a server; it takes runs by --to");
		}
		if (r < 0)
			return r;
		local->is_open = true;
	}
	r = store_put_segment(local->place.store, run, sequence, sealed, NULL, &result, err);
	if (r == 0 && result == PUT_CONFLICT)
		return err_set(err, -EEXIST, "run %s has other bytes as segment %u", run->text, sequence);
	return r;
}

int deliver_local_turn(void *context, const char *folder, struct err *err)
{
	struct local_store *local = context;

	if (local->path || (local->turned ? strcmp(local->turned, folder) == 0 : !*folder))
		return 0;
	deliver_local_close(local);
	local->turned = *folder ? strdup(folder) : NULL;
	return *folder && !local->turned ? err_set(err, -ENOMEM, "%s: no memory", folder) : 0;
}

char *deliver_local_folder(const char *path)
{
	const char *set = path ? path : getenv("ASSAY_STORE");
	char *folder = set && *set ? strdup(set) : store_default_path();
	char here[PATH_MAX];
	struct buf whole = { 0 };

	if (!folder || *folder == '/' || !getcwd(here, sizeof(here)))
		return folder;
	(void)buf_printf(&whole, "%s/%s", here, folder);
	free(folder);
	return whole.data;
}

void deliver_local_close(struct local_store *local)
{
	if (local->is_open)
		place_close(&local->place);
	free(local->turned);
	local->turned = NULL;
	local->is_open = false;
}
