/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 *   protocol  size sockets  memory press maxhdr  slab module     cl co di ...
 *   UNIX      1024    131      -1   NI       0   yes  kernel      n  n  n ...
 *   TCP       2208      3       1   no     320   yes  kernel      y  y  y ...
 *
 * A protocol that does not count its memory says -1 and NI: these are absent. What stands behind maxhdr is how it was
 * built.
 */
#include "collectors/columns.h"
#include "collectors/digits.h"

enum { SIZE, SOCKETS, MEMORY, PRESS, MAXHDR };

static const char *const names[] = { "size", "sockets", "memory", "press", "maxhdr", NULL };

static const struct hint hints[] = {
	/* key      kind   unit        help */
	{ "size",    GAUGE, UNIT_BYTES, "Size of a socket's object." },
	{ "sockets", GAUGE, UNIT_COUNT, "Sockets of the protocol, in all namespaces of this kernel." },
	{ "memory",  GAUGE, UNIT_PAGES, "Memory of the protocol's buffers." },
	{ "press",   GAUGE, UNIT_NONE,  "1: the protocol is short of memory." },
	{ "maxhdr",  GAUGE, UNIT_BYTES, "Most that its headers take." },
	{ 0 },
};

static bool protocol_head(const char *at, const char *line_end, struct text *name, const char **numbers)
{
	struct text rest = { at, line_end };
	uint64_t size;

	return text_word(&rest, name) && number_u64(rest.at, line_end, &size) && (*numbers = rest.at) != NULL;
}

/* The next word; false at the end of the line. */
static bool next_word(const char **at, const char *end, struct text *word)
{
	word->at = word->end = skip_blanks(*at, end);
	while (!is_number_end(word->end, end))
		word->end++;
	*at = word->end;
	return word->at < word->end;
}

static const char *protocol_numbers(const char *at, const char *end, uint64_t *values, uint32_t *present)
{
	if (at == end || !is_blank(*at))
		return NULL; /* another protocol, whose name begins like this one's */
	for (int i = SIZE; i <= MAXHDR; i++) {
		struct text word;

		if (!next_word(&at, end, &word))
			return i > SIZE ? at : NULL;
		if (text_is(word, "-1") || text_is(word, "NI"))
			continue;
		if (i == PRESS)
			values[i] = text_is(word, "yes");
		else if (digits_u64(word.at, word.end, &values[i]) != word.end)
			return NULL;
		*present |= UINT32_C(1) << i;
	}
	return at;
}

static const struct columns_format format = { names, protocol_head, protocol_numbers };

static int protocols_open(const struct collector *self, void *state, const struct host *host, struct err *err)
{
	return columns_open(state, self, &format, host, err);
}

const struct collector collector_protocols = {
	.name = "protocols",
	.description = "Sockets and memory of every protocol",
	.source = "proc/net/protocols",
	.hints = hints,
	.state_size = sizeof(struct columns),
	.open = protocols_open,
	.shape = columns_shape,
	.sample = columns_sample,
	.close = columns_close,
};
