/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A collector in a shared object (collectors/abi.h tells what that exports). */
#ifndef ASSAY_COLLECTORS_PLUGIN_H
#define ASSAY_COLLECTORS_PLUGIN_H

#include "collectors/collector.h"

struct plugin {
	void *handle;
	const struct collector *collector; /* as long as the plugin is open */
};

/*
 * Loading runs the object's code, so what others than root and this user could have written is refused, as is an object
 * of another ABI or without what a collector must have: -EPERM, -ENOEXEC, -EINVAL; `err` = path and reason.
 */
int plugin_open(struct plugin *p, const char *path, struct err *err);
void plugin_close(struct plugin *p); /* no run of its collector is open */

/* A file whose content this program would run: -EPERM when others than root and this user could have written it. */
int plugin_trust(const char *path, struct err *err);

/* May a collector be called so? Small letters, digits, '-' and '_'; it begins keys. */
bool collector_name_is_good(const char *name);

#endif
