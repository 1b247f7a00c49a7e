/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a server says about a refusal, and what somebody gives for its address. */
#include <stdint.h>
#include <stdlib.h>

#include "agent/shipper.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct ulid run = { "01J8ZQ4B3N5R7T9VWXYZ012345" };
	const struct text body = text_n((const char *)data, size);
	char words[SHIPPER_WORDS + 1];
	cleanup_buf struct buf address = { 0 };
	char *url = text_copy(body);
	struct err err;

	shipper_words(body, words);
	for (const char *c = words; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			abort();
	if (url && shipper_address(url, &run, 1, &address, &err) == 0)
		for (size_t i = 0; i < address.len; i++)
			if ((unsigned char)address.data[i] <= ' ')
				abort();
	free(url);
	return 0;
}
