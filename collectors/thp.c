/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 *   sys/kernel/mm/transparent_hugepage/<name>                           <name>
 *   sys/kernel/mm/transparent_hugepage/khugepaged/<name>                khugepaged.<name>
 *   sys/kernel/mm/transparent_hugepage/hugepages-<n>kB/stats/<name>     <name> of the instance hugepages-<n>kB; 6.10 on
 *
 * The numbers of a size are summed up over all CPUs when they are read.
 */
#include <stdio.h>

#include "collectors/files.h"

#define FOLDER "sys/kernel/mm/transparent_hugepage"

static const struct hint hints[] = {
	/* key                          kind     unit               help */
	{ "khugepaged.pages_collapsed", COUNTER, UNIT_COUNT,        "Huge pages that khugepaged made of small ones." },
	{ "khugepaged.full_scans",      COUNTER, UNIT_COUNT,        "How often khugepaged looked at all memory." },
	{ "khugepaged.*_millisecs",     GAUGE,   UNIT_MILLISECONDS, "A time of khugepaged, as set." },
	{ "khugepaged.*",               GAUGE,   UNIT_COUNT,        "A bound of khugepaged, as set." },
	{ "hpage_pmd_size",             GAUGE,   UNIT_BYTES,        "Size of the huge page that the processor maps as a whole." },
	{ "nr_*",                       GAUGE,   UNIT_COUNT,        "Huge pages of that size and kind that there are." },
	{ "anon_fault_alloc",           COUNTER, UNIT_COUNT,        "Huge pages of that size given at a page fault." },
	{ "*_fallback*",                COUNTER, UNIT_COUNT,        "Huge pages of that size that could not be given, so that smaller ones were." },
	{ "split*",                     COUNTER, UNIT_COUNT,        "Huge pages of that size split, not split, or to be split." },
	{ "shmem_*",                    COUNTER, UNIT_COUNT,        "Huge pages of that size for shared memory." },
	{ "*swp*",                      COUNTER, UNIT_COUNT,        "Huge pages of that size swapped as a whole." },
	{ "use_*",                      GAUGE,   UNIT_COUNT,        "1: it is set so." },
	{ "shrink_*",                   GAUGE,   UNIT_COUNT,        "1: it is set so." },
	{ "anon_*",                     COUNTER, UNIT_COUNT,        "Huge pages of that size, by what became of the page fault." },
	{ "*",                          GAUGE,   UNIT_COUNT,        "A number of huge pages, as the kernel names it." },
	{ 0 },
};

static int thp_open(const struct collector *self, void *state, const struct host *host, struct err *err)
{
	struct files *f = state;
	struct names entries = { 0 };
	char folder[256];
	int r;

	files_begin(f, self, host);
	r = files_add_folder(f, FOLDER, "", "", err);
	if (r == 0)
		r = files_add_folder(f, FOLDER "/khugepaged", "khugepaged.", "", err);
	if (r == 0)
		r = host_list(host, FOLDER, &entries, err);
	for (size_t i = 0; i < entries.count && r == 0; i++)
		if (text_glob(text_of(entries.at[i]), "hugepages-*") &&
		    snprintf(folder, sizeof(folder), FOLDER "/%s/stats", entries.at[i]) < (int)sizeof(folder))
			r = files_add_folder(f, folder, "", entries.at[i], err);
	names_free(&entries);
	return r < 0 ? r : files_end(f, err);
}

const struct collector collector_thp = {
	.name = "thp",
	.description = "Transparent huge pages by size, and what khugepaged does",
	.source = FOLDER "/* " FOLDER "/khugepaged/* " FOLDER "/hugepages-*/stats/*",
	.hints = hints,
	.state_size = sizeof(struct files),
	.interval_ms = 10000,
	.dear = true, /* some two hundred files, each summed up over the CPUs */
	.probe = files_probe,
	.open = thp_open,
	FILES_STATE,
};
