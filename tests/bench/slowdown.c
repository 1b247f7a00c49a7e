/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hackbench under `assay run` with every collector at 1 s, beside bare hackbench, ABBA: what the measured program
 * loses, as the median over the pairs of wrapped / bare.
 */
#include "tests/bench/spawned.h"

#define PAIRS 10

int main(void)
{
	char folder[] = "/tmp/assay-bench.XXXXXX", spool[64], store[64];
	char *bare[] = { "hackbench", "-g", "4", "-l", "3000", "--pipe", NULL };
	char *wrapped[] = { "assay",	 "run", "--spool", spool, "--store", store,    "--",
			    "hackbench", "-g",	"4",	   "-l",  "3000",    "--pipe", NULL };
	char *clean[] = { "rm", "-rf", folder, NULL };
	double wall[PAIRS], cpu[PAIRS];

	if (!mkdtemp(folder))
		return 1;
	(void)snprintf(spool, sizeof(spool), "%s/spool", folder);
	(void)snprintf(store, sizeof(store), "%s/store", folder);
	(void)spawned(bare); /* warm */
	for (int i = 0; i < PAIRS; i++) {
		struct cost b, w;

		if (i & 1) {
			w = spawned(wrapped);
			b = spawned(bare);
		} else {
			b = spawned(bare);
			w = spawned(wrapped);
		}
		wall[i] = 100 * (w.wall_ms / b.wall_ms - 1);
		cpu[i] = 100 * (w.cpu_ms / b.cpu_ms - 1);
	}
	printf("slowdown.percent %.2f %%\n", median(wall, PAIRS));
	printf("slowdown.cpu %.2f %%\n", median(cpu, PAIRS));
	/* sorted by now: half of what the pairs differ by, the two outermost left out */
	printf("slowdown.noise %.2f %%\n", (wall[PAIRS - 2] - wall[1]) / 2);
	(void)spawned(clean);
	return 0;
}
