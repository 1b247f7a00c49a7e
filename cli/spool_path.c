/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/spool_path.h"

#include <stdlib.h>

#include "base/buf.h"

char *spool_path(const char *given)
{
	const char *set = given ? given : getenv("ASSAY_SPOOL");
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
	struct buf path = { 0 };

	if (set && *set)
		(void)buf_puts(&path, set);
	else if (state && *state)
		(void)buf_printf(&path, "%s/assay/spool", state);
	else if (home && *home)
		(void)buf_printf(&path, "%s/.local/state/assay/spool", home);
	return path.data; /* NULL when nothing was added */
}
