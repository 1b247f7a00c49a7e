/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collectors/only_root.h"

#include <errno.h>
#include <unistd.h>

int only_root_explain(const struct collector *self, int code, struct err *err)
{
	return code == -EACCES || code == -EPERM
		       ? err_set(err, code, "%s: %s: only root may read it", self->source, err_name(code))
		       : code;
}

int only_root_probe(const struct collector *self, const struct host *host, struct err *err)
{
	int fd = host_open(host, self->source);

	if (fd < 0)
		return only_root_explain(self, err_set(err, fd, "%s: %s", self->source, err_name(fd)), err);
	(void)close(fd);
	return 0;
}
