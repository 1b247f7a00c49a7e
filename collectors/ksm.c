/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sys/kernel/mm/ksm/<name>, a number each; names are the kernel's, and there are more of them with every age. */
#include "collectors/files.h"

#define FOLDER "sys/kernel/mm/ksm"

static const struct hint hints[] = {
	/* key               kind     unit               help */
	{ "pages_shared",    GAUGE,   UNIT_PAGES,        "Merged pages that there are." },
	{ "pages_sharing",   GAUGE,   UNIT_PAGES,        "Places that use them beyond the first: what is saved." },
	{ "pages_unshared",  GAUGE,   UNIT_PAGES,        "Pages with no equal, which are looked at again and again." },
	{ "pages_volatile",  GAUGE,   UNIT_PAGES,        "Pages that change too fast to be merged." },
	{ "pages_scanned",   COUNTER, UNIT_PAGES,        "Pages looked at." },
	{ "pages_skipped",   COUNTER, UNIT_PAGES,        "Pages passed over, as they had no equal for long." },
	{ "full_scans",      COUNTER, UNIT_COUNT,        "How often all that may be merged was looked at." },
	{ "general_profit",  GAUGE,   UNIT_BYTES,        "Memory saved less what it costs to know; may be negative." },
	{ "ksm_zero_pages",  GAUGE,   UNIT_PAGES,        "Empty pages that share the kernel's page of zeros." },
	{ "stable_node_*_millisecs", GAUGE, UNIT_MILLISECONDS, "How often chains are pruned, as set." },
	{ "stable_node_*",   GAUGE,   UNIT_COUNT,        "Merged pages that exist more than once, as too many use them." },
	{ "pages_to_scan",   GAUGE,   UNIT_PAGES,        "Pages looked at in one go; the advisor may set it." },
	{ "*_millisecs",     GAUGE,   UNIT_MILLISECONDS, "A time that is set." },
	{ "*",               GAUGE,   UNIT_COUNT,        "A number of page merging, as the kernel names it; mostly as set." },
	{ 0 },
};

static int ksm_open(const struct collector *self, void *state, const struct host *host, struct err *err)
{
	struct files *f = state;
	int r;

	files_begin(f, self, host);
	r = files_add_folder(f, FOLDER, "", "", err);
	return r < 0 ? r : files_end(f, err);
}

const struct collector collector_ksm = {
	.name = "ksm",
	.description = "Equal pages that the kernel merged, and what finding them takes",
	.source = FOLDER "/*",
	.hints = hints,
	.state_size = sizeof(struct files),
	.interval_ms = 10000,
	.probe = files_probe,
	.open = ksm_open,
	FILES_STATE,
};
