/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/deliver.h"

#include <errno.h>

int deliver_local(void *context, const struct ulid *run, uint32_t sequence, struct text sealed, struct err *err)
{
	struct local_store *local = context;
	enum put_result result;
	int r;

	if (!local->is_open) {
		r = place_open(&local->place, local->path, true, err);
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

void deliver_local_close(struct local_store *local)
{
	if (local->is_open)
		place_close(&local->place);
	local->is_open = false;
}
