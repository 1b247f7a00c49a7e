/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * main() of a fuzzer where there is no libFuzzer: replays the files of the folders given as arguments, then every
 * prefix of each (a torn input) and each with single bytes flipped. Prints TAP, one line a file.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void once(const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size ? size : 1); /* exact, so that the sanitizer sees a step too far */

	if (!copy)
		abort();
	memcpy(copy, data, size);
	(void)LLVMFuzzerTestOneInput(copy, size);
	free(copy);
}

static void torn_and_flipped(uint8_t *data, size_t size)
{
	size_t step = size / 256 + 1;

	once(data, size);
	for (size_t n = 0; n < size; n += step) {
		once(data, n);
		data[n] ^= 0x80;
		once(data, size);
		data[n] ^= 0x81;
		once(data, size);
		data[n] ^= 0x01;
	}
}

static int replay(const char *folder, const char *name)
{
	char path[4096];
	uint8_t *data = NULL;
	size_t size = 0;
	FILE *file;

	if (snprintf(path, sizeof(path), "%s/%s", folder, name) >= (int)sizeof(path))
		return -1;
	file = fopen(path, "rb");
	if (!file)
		return -1;
	data = malloc((size_t)1 << 24);
	if (!data)
		abort();
	size = fread(data, 1, (size_t)1 << 24, file);
	(void)fclose(file);
	torn_and_flipped(data, size);
	free(data);
	return 0;
}

int main(int argc, char **argv)
{
	int n = 0, bad = 0;

	for (int i = 1; i < argc; i++) {
		DIR *folder = opendir(argv[i]);

		if (!folder) {
			printf("not ok %d - no corpus %s\n", ++n, argv[i]);
			return 1;
		}
		for (struct dirent *e; (e = readdir(folder));) {
			int r;

			if (e->d_name[0] == '.')
				continue;
			r = replay(argv[i], e->d_name);
			printf("%s %d - survives %s and its torn and flipped forms\n", r ? "not ok" : "ok", ++n,
			       e->d_name);
			bad |= r;
		}
		(void)closedir(folder);
	}
	printf("1..%d\n", n);
	return bad || n == 0;
}
