/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/ulid.h"

#include <errno.h>
#include <sys/random.h>

static const char alphabet[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

static int value_of(char c)
{
	const char *at = c ? strchr(alphabet, c) : NULL;

	return at ? (int)(at - alphabet) : -1;
}

void ulid_of(uint64_t realtime_ms, const unsigned char bytes[16], struct ulid *ret)
{
	for (int i = 0; i < 10; i++)
		ret->text[i] = alphabet[realtime_ms >> 5 * (9 - i) & 31];
	for (int i = 0; i < 16; i++) /* five bits of each */
		ret->text[10 + i] = alphabet[bytes[i] & 31];
	ret->text[ULID_LENGTH] = '\0';
}

int ulid_make(uint64_t realtime_ms, struct ulid *ret, struct err *err)
{
	unsigned char random[16];

	if (getrandom(random, sizeof(random), 0) != (ssize_t)sizeof(random))
		return err_set(err, -EIO, "no random numbers for a run's id: %s", err_name(errno));
	ulid_of(realtime_ms, random, ret);
	return 0;
}

bool ulid_is(struct text text)
{
	if (text_len(text) != ULID_LENGTH || *text.at > '7')
		return false;
	for (; text.at < text.end; text.at++)
		if (value_of(*text.at) < 0)
			return false;
	return true;
}

bool ulid_is_prefix(struct text text)
{
	if (text_len(text) == 0 || text_len(text) > ULID_LENGTH)
		return false;
	for (; text.at < text.end; text.at++) {
		char c = *text.at;

		if (value_of(c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c) < 0)
			return false;
	}
	return true;
}

uint64_t ulid_time_ms(const struct ulid *ulid)
{
	uint64_t ms = 0;

	for (int i = 0; i < 10; i++)
		ms = ms << 5 | (uint64_t)(value_of(ulid->text[i]) & 31);
	return ms & (((uint64_t)1 << 48) - 1);
}
