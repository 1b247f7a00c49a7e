/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/limits.h"

bool limits_raise_files(struct rlimit *before)
{
	struct rlimit most;

	if (getrlimit(RLIMIT_NOFILE, before) < 0 || before->rlim_cur >= before->rlim_max)
		return false;
	most = (struct rlimit){ before->rlim_max, before->rlim_max };
	return setrlimit(RLIMIT_NOFILE, &most) == 0;
}

void limits_restore_files(const struct rlimit *before)
{
	(void)setrlimit(RLIMIT_NOFILE, before);
}

int limits_failed(struct err *err, int code, const char *path)
{
	struct rlimit limit;

	if (code == -EMFILE && getrlimit(RLIMIT_NOFILE, &limit) == 0)
		return err_set(err, code, "%s: %s: the limit is %llu (ulimit -Hn)", path, err_name(code),
			       (unsigned long long)limit.rlim_cur);
	return err_set(err, code, "%s: %s", path, err_name(code));
}
