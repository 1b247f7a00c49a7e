/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/outside.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/take.h"
#include "collectors/exec.h"
#include "host/host.h"

static int no_memory(struct err *err)
{
	return err_set(err, -ENOMEM, "no memory for the list of collectors");
}

/* ---- the list ---- */

static int append(struct outside *o, const struct collector *c, struct err *err)
{
	if (o->count + 1 >= o->room) {
		size_t room = o->room ? 2 * o->room : 128;
		const struct collector **at = realloc(o->at, room * sizeof(*at));

		if (!at)
			return no_memory(err);
		o->at = at;
		o->room = room;
	}
	o->at[o->count++] = c;
	o->at[o->count] = NULL;
	return 0;
}

int outside_add(struct outside *o, const struct collector *c, const char *file, const struct plugin *plugin,
		struct err *err)
{
	struct origin *origins = realloc(o->origins, (o->origin_count + 1) * sizeof(*origins));
	char *copy = strdup(file);

	if (origins)
		o->origins = origins;
	if (!origins || !copy || append(o, c, err) < 0) {
		free(copy);
		return no_memory(err);
	}
	origins[o->origin_count++] = (struct origin){ c, copy, plugin ? *plugin : (struct plugin){ 0 } };
	return 0;
}

int outside_refuse(struct outside *o, const char *file, const struct err *why, struct err *err)
{
	struct refusal *refused = realloc(o->refused, (o->refused_count + 1) * sizeof(*refused));
	char *copy = strdup(file), *words = strdup(why->text);

	if (refused)
		o->refused = refused;
	if (!refused || !copy || !words) {
		free(copy);
		free(words);
		return no_memory(err);
	}
	refused[o->refused_count++] = (struct refusal){ copy, words };
	return 0;
}

const struct collector *outside_find(const struct outside *o, const char *name)
{
	for (size_t i = 0; i < o->count; i++)
		if (strcmp(o->at[i]->name, name) == 0)
			return o->at[i];
	return NULL;
}

const char *outside_file(const struct outside *o, const struct collector *c)
{
	for (size_t i = 0; i < o->origin_count; i++)
		if (o->origins[i].collector == c)
			return o->origins[i].file;
	return NULL;
}

/* ---- folders ---- */

static int take_plugin(struct outside *o, const char *file, struct err *err)
{
	struct plugin plugin;
	struct err why;
	int r = plugin_open(&plugin, file, &why);

	if (r == 0 && outside_find(o, plugin.collector->name)) {
		(void)err_set(&why, -EEXIST, "%s: there is a collector '%s' already", file, plugin.collector->name);
		plugin_close(&plugin);
		r = -EEXIST;
	}
	if (r < 0)
		return outside_refuse(o, file, &why, err);
	r = outside_add(o, plugin.collector, file, &plugin, err);
	if (r < 0)
		plugin_close(&plugin);
	return r;
}

static int is_ours(const struct dirent *entry)
{
	struct text name = text_of(entry->d_name);

	return entry->d_name[0] != '.' && (text_ends(name, ".so") || text_ends(name, ".yaml"));
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return natural_compare((*a)->d_name, (*b)->d_name);
}

static int take_folder(struct outside *o, const char *folder, bool must_be_there, struct err *err)
{
	struct dirent **found;
	int n = scandir(folder, &found, is_ours, by_name), r = 0;

	if (n < 0) {
		struct err why;

		(void)err_set(&why, -errno, "%s: %s", folder, err_name(errno));
		return must_be_there ? outside_refuse(o, folder, &why, err) : 0;
	}
	for (int i = 0; i < n; i++) {
		cleanup_buf struct buf file = { 0 };

		if (buf_printf(&file, "%s/%s", folder, found[i]->d_name) < 0)
			r = no_memory(err);
		if (r == 0)
			r = text_ends(buf_text(&file), ".so") ? take_plugin(o, file.data, err)
							      : outside_read(o, file.data, err);
		free(found[i]);
	}
	free(found);
	return r;
}

static int take_folders(struct outside *o, const char *list, struct err *err)
{
	struct text rest = text_of(list);
	int r = 0;

	while (r == 0 && rest.at < rest.end) {
		const char *colon = memchr(rest.at, ':', text_len(rest));
		cleanup_free char *folder = text_copy((struct text){ rest.at, colon ? colon : rest.end });

		if (!folder)
			return no_memory(err);
		if (*folder)
			r = take_folder(o, folder, true, err);
		rest.at = colon ? colon + 1 : rest.end;
	}
	return r;
}

static int take_users_file(struct outside *o, struct err *err)
{
	const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	cleanup_buf struct buf file = { 0 };

	if (config && *config == '/')
		(void)buf_printf(&file, "%s/assay/collectors.yaml", config);
	else if (home && *home == '/')
		(void)buf_printf(&file, "%s/.config/assay/collectors.yaml", home);
	else
		return 0;
	return file.failed ? no_memory(err) : outside_read(o, file.data, err);
}

int outside_load(struct outside *ret, struct err *err)
{
	const char *folders = getenv("ASSAY_PLUGINS");
	struct outside o = { 0 };
	int r = 0;

	for (const struct collector *const *c = collectors; *c && r == 0; c++)
		r = append(&o, *c, err);
	if (r == 0 && folders)
		r = take_folders(&o, folders, err);
	if (r == 0)
		r = take_folder(&o, ASSAY_PLUGINS_INSTALLED, false, err);
	if (r == 0)
		r = take_users_file(&o, err);
	if (r < 0)
		outside_close(&o);
	else
		*ret = o;
	return r;
}

void outside_close(struct outside *o)
{
	for (size_t i = 0; i < o->origin_count; i++) {
		if (o->origins[i].plugin.handle)
			plugin_close(&o->origins[i].plugin);
		else
			exec_free(o->origins[i].collector);
		free(o->origins[i].file);
	}
	for (size_t i = 0; i < o->refused_count; i++) {
		free(o->refused[i].file);
		free(o->refused[i].why);
	}
	free(o->origins);
	free(o->refused);
	free(o->at);
	*o = (struct outside){ 0 };
}
