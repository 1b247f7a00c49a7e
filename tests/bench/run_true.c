/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `assay run -- true` beside `true`, in turn: what the wrapper adds to the shortest command there is.
 * run-true.wall and .cpu are the medians of the wrapped side; memory.rss is the largest seen.
 */
#include "tests/bench/spawned.h"

#define ROUNDS 31

int main(void)
{
	char folder[] = "/tmp/assay-bench.XXXXXX", spool[64], store[64];
	char *bare[] = { "true", NULL };
	char *wrapped[] = { "assay", "run", "--spool", spool, "--store", store, "--", "true", NULL };
	char *clean[] = { "rm", "-rf", folder, NULL };
	double wall[2][ROUNDS], cpu[2][ROUNDS];
	long rss = 0;

	if (!mkdtemp(folder))
		return 1;
	(void)snprintf(spool, sizeof(spool), "%s/spool", folder);
	(void)snprintf(store, sizeof(store), "%s/store", folder);
	(void)spawned(wrapped); /* makes the store */
	for (int i = 0; i < ROUNDS; i++) {
		struct cost b = spawned(bare), w = spawned(wrapped);

		wall[0][i] = b.wall_ms;
		wall[1][i] = w.wall_ms;
		cpu[0][i] = b.cpu_ms;
		cpu[1][i] = w.cpu_ms;
		if (w.rss_kib > rss)
			rss = w.rss_kib;
	}
	printf("run-true.wall %.2f ms\n", median(wall[1], ROUNDS));
	printf("run-true.cpu %.2f ms\n", median(cpu[1], ROUNDS));
	printf("run-true.bare-wall %.2f ms\n", median(wall[0], ROUNDS));
	printf("run-true.bare-cpu %.2f ms\n", median(cpu[0], ROUNDS));
	printf("memory.rss %.2f MiB\n", (double)rss / 1024);
	(void)spawned(clean);
	return 0;
}
