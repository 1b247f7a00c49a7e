/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collectors/plugin.h"

#include <dlfcn.h>
#include <errno.h>
#include <libgen.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/take.h"
#include "collectors/abi.h"

#define NAME_MOST 64

bool collector_name_is_good(const char *name)
{
	size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-_");

	return length > 0 && length <= NAME_MOST && name[length] == '\0' && name[0] != '-';
}

/* `path` is what is told of, `what` what is looked at. */
static int check_owner(const char *path, const char *what, const struct stat *st, struct err *err)
{
	if (st->st_uid != 0 && st->st_uid != geteuid())
		return err_set(err, -EPERM, "%s: %s belongs to user %u, neither to root nor to you", path, what,
			       (unsigned)st->st_uid);
	/* In a sticky folder nobody replaces another's file. */
	if (st->st_mode & S_IWOTH && !(S_ISDIR(st->st_mode) && st->st_mode & S_ISVTX))
		return err_set(err, -EPERM, "%s: everybody may write to %s: chmod o-w", path, what);
	return 0;
}

int plugin_trust(const char *path, struct err *err)
{
	cleanup_free char *copy = strdup(path);
	struct stat st;
	int r;

	if (!copy)
		return err_set(err, -ENOMEM, "%s: no memory", path);
	if (stat(path, &st) < 0)
		return err_set(err, -errno, "%s: %s", path, err_name(errno));
	if (!S_ISREG(st.st_mode))
		return err_set(err, -EINVAL, "%s: is no regular file", path);
	r = check_owner(path, "it", &st, err);
	if (r < 0)
		return r;
	if (stat(dirname(copy), &st) < 0)
		return err_set(err, -errno, "%s: its folder: %s", path, err_name(errno));
	return check_owner(path, "its folder", &st, err);
}

static int check_size(const char *path, const char *name, uint32_t theirs, size_t ours, struct err *err)
{
	if (theirs == ours)
		return 0;
	return err_set(err, -ENOEXEC, "%s: its struct %s has %u bytes, this program's %zu: build it anew", path, name,
		       theirs, ours);
}

static int check_plugin(const char *path, const struct assay_plugin *a, struct err *err)
{
	const struct collector *c = a->collector;
	int r;

	if (a->abi != ASSAY_ABI)
		return err_set(err, -ENOEXEC, "%s: was built for ABI %u, this program speaks %u: build it anew", path,
			       a->abi, ASSAY_ABI);
	r = check_size(path, "collector", a->size, sizeof(*c), err);
	if (r == 0)
		r = check_size(path, "host", a->host_size, sizeof(struct host), err);
	if (r == 0)
		r = check_size(path, "sample", a->sample_size, sizeof(struct sample), err);
	if (r == 0)
		r = check_size(path, "procfile", a->procfile_size, sizeof(struct procfile), err);
	if (r < 0)
		return r;
	if (!c || !c->name || !c->description || !c->source || !c->open || !c->shape || !c->sample || !c->close)
		return err_set(err, -EINVAL,
			       "%s: a collector has a name, a description, a source, open, shape, "
			       "sample and close",
			       path);
	if (!collector_name_is_good(c->name))
		return err_set(err, -EINVAL, "%s: '%s' is no name of a collector: small letters, digits, '-', '_'",
			       path, c->name);
	return 0;
}

int plugin_open(struct plugin *p, const char *path, struct err *err)
{
	const struct assay_plugin *a;
	int r = plugin_trust(path, err);

	*p = (struct plugin){ 0 };
	if (r < 0)
		return r;
	p->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!p->handle) {
		const char *why = dlerror();
		struct text words = text_of(why ? why : "it cannot be loaded");

		(void)text_skip(&words, path); /* the linker names it, too */
		(void)text_skip(&words, ": ");
		return err_set(err, -ENOEXEC, "%s: %.*s", path, TEXT_ARGS(words));
	}
	a = dlsym(p->handle, "assay_plugin");
	r = a ? check_plugin(path, a, err)
	      : err_set(err, -ENOEXEC, "%s: exports no assay_plugin; ASSAY_COLLECTOR() makes it", path);
	if (r < 0)
		plugin_close(p);
	else
		p->collector = a->collector;
	return r;
}

void plugin_close(struct plugin *p)
{
	if (p->handle)
		(void)dlclose(p->handle);
	*p = (struct plugin){ 0 };
}
