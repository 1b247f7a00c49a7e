/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 *   sys/kernel/mm/hugepages/hugepages-<n>kB/<name>                      <name> of the instance hugepages-<n>kB
 *   sys/devices/system/node/node<n>/hugepages/hugepages-<n>kB/<name>    of the instance node<n>.hugepages-<n>kB
 *
 * A node that comes or goes is a new generation.
 */
#include <errno.h>
#include <stdio.h>

#include "collectors/files.h"
#include "collectors/watch.h"

#define FOLDER "sys/kernel/mm/hugepages"
#define NODES  "sys/devices/system/node"

struct hugepages {
	struct files files; /* first: files_shape() looks for it there */
	struct watch online;
};

static const struct hint hints[] = {
	/* key                       kind   unit        help */
	{ "nr_hugepages",            GAUGE, UNIT_COUNT, "Huge pages of that size in the pool." },
	{ "nr_hugepages_mempolicy",  GAUGE, UNIT_COUNT, "The same, as seen under the reader's memory policy." },
	{ "free_hugepages",          GAUGE, UNIT_COUNT, "Huge pages of the pool that nobody uses." },
	{ "resv_hugepages",          GAUGE, UNIT_COUNT, "Huge pages that are promised and not used yet." },
	{ "surplus_hugepages",       GAUGE, UNIT_COUNT, "Huge pages beyond the pool's size." },
	{ "nr_overcommit_hugepages", GAUGE, UNIT_COUNT, "How many surplus ones there may be, as set." },
	{ "*",                       GAUGE, UNIT_COUNT, "A number of the pool of that size, as the kernel names it." },
	{ 0 },
};

/* All sizes in a folder. */
static int add_sizes(struct files *f, const char *folder, const char *node, struct err *err)
{
	struct names sizes = { 0 };
	char path[256], instance[128];
	struct err ignored;
	int r = host_list(f->host, folder, &sizes, &ignored);

	r = r == -ENOMEM ? err_set(err, r, "%s: no memory", f->collector->name) : 0;
	for (size_t i = 0; i < sizes.count && r == 0; i++) {
		if (snprintf(path, sizeof(path), "%s/%s", folder, sizes.at[i]) >= (int)sizeof(path) ||
		    snprintf(instance, sizeof(instance), "%s%s", node, sizes.at[i]) >= (int)sizeof(instance))
			continue;
		r = files_add_folder(f, path, "", instance, err);
	}
	names_free(&sizes);
	return r;
}

static int hugepages_open(const struct collector *self, void *state, const struct host *host, struct err *err)
{
	struct hugepages *h = state;
	struct names entries = { 0 };
	char folder[256], node[64];
	struct err ignored;
	int r;

	files_begin(&h->files, self, host);
	r = add_sizes(&h->files, FOLDER, "", err);
	if (r == 0 && host_list(host, NODES, &entries, &ignored) == -ENOMEM)
		r = err_set(err, -ENOMEM, "%s: no memory", self->name);
	for (size_t i = 0; i < entries.count && r == 0; i++) {
		if (!text_glob(text_of(entries.at[i]), "node*") ||
		    snprintf(folder, sizeof(folder), NODES "/%s/hugepages", entries.at[i]) >= (int)sizeof(folder) ||
		    snprintf(node, sizeof(node), "%s.", entries.at[i]) >= (int)sizeof(node))
			continue;
		r = add_sizes(&h->files, folder, node, err);
	}
	names_free(&entries);
	if (r == 0)
		r = watch_open(&h->online, host, NODES "/online", err);
	return r < 0 ? r : files_end(&h->files, err);
}

static int hugepages_sample(void *state, struct sample *out, struct err *err)
{
	struct hugepages *h = state;
	int r = watch_check(&h->online, err);

	return r < 0 ? r : files_sample(&h->files, out, err);
}

static void hugepages_close(void *state)
{
	struct hugepages *h = state;

	files_close(&h->files);
	watch_close(&h->online);
}

const struct collector collector_hugepages = {
	.name = "hugepages",
	.description = "The pools of huge pages by size, of the machine and of each node",
	.source = FOLDER "/*/* " NODES "/node*/hugepages/*/* " NODES "/online",
	.hints = hints,
	.state_size = sizeof(struct hugepages),
	.interval_ms = 10000,
	.probe = files_probe,
	.open = hugepages_open,
	.shape = files_shape,
	.sample = hugepages_sample,
	.close = hugepages_close,
};
