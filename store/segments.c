/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/take.h"
#include "store/files.h"
#include "store/inside.h"

int store_segments(struct store *store, const struct ulid *run, struct store_segment **ret, size_t *count,
		   struct err *err)
{
	cleanup_free uint32_t *sequences = NULL;
	cleanup_free struct store_segment *segments = NULL;
	cleanup_fd int folder = -1;
	int r = files_check_run(run, err);

	if (r < 0)
		return r;
	folder = files_run_folder(store->runs_fd, run, err);
	if (folder < 0)
		return folder;
	r = files_sequences(folder, run->text, &sequences, count, err);
	if (r < 0)
		return r;
	segments = calloc(*count ? *count : 1, sizeof(*segments));
	if (!segments)
		return err_set(err, -ENOMEM, "run %s: no memory for %zu segments", run->text, *count);
	for (size_t i = 0; i < *count; i++) {
		char name[SEGMENT_NAME_SIZE];
		struct stat st;

		files_segment_name(name, sequences[i]);
		if (fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
			return err_set(err, -errno, "run %s, %s: %s", run->text, name, err_name(errno));
		segments[i] = (struct store_segment){ sequences[i], (uint64_t)st.st_size };
	}
	*ret = take(&segments);
	return 0;
}
