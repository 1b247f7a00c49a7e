/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 *   # Format: ...
 *   ce:0|804043df0811900 1|804043df0811900      the register 0xce of CPUs 0 and 1
 */
#include "host/msr_recorded.h"

#include <errno.h>
#include <stdlib.h>

#define FILE_NAME "msr/msr.txt"
#define MOST	  ((size_t)4 << 20)

static int by_place(const void *a, const void *b)
{
	const struct msr_recorded *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return (x->cpu > y->cpu) - (x->cpu < y->cpu);
}

static int add(struct msr_recorded **at, size_t *count, size_t *room, const struct msr_recorded *one)
{
	if (*count == *room) {
		size_t more = *room ? 2 * *room : 256;
		struct msr_recorded *grown = more > MOST ? NULL : realloc(*at, more * sizeof(*grown));

		if (!grown)
			return -ENOMEM;
		*at = grown;
		*room = more;
	}
	(*at)[(*count)++] = *one;
	return 0;
}

static int line_of(struct text line, struct msr_recorded **at, size_t *count, size_t *room, struct err *err)
{
	struct text word, whole = line;
	uint64_t address, cpu;
	int r = 0;

	if (!text_cut(&line, ":", &word) || !text_hex(&word, &address) || word.at != word.end || address > UINT32_MAX)
		return err_set(err, -EBADMSG, FILE_NAME ": no register before a colon: %.*s", TEXT_ARGS(whole));
	while (text_word(&line, &word) && r == 0) {
		struct msr_recorded one = { .address = (uint32_t)address };
		struct text pair = word;

		if (!text_u64(&word, &cpu) || cpu >= CPULIST_MAX || !text_skip(&word, "|") ||
		    !text_hex(&word, &one.value) || word.at != word.end)
			return err_set(err, -EBADMSG, FILE_NAME ": register 0x%llx: not cpu|value: %.*s",
				       (unsigned long long)address, TEXT_ARGS(pair));
		one.cpu = (unsigned)cpu;
		r = add(at, count, room, &one);
	}
	return r < 0 ? err_set(err, r, FILE_NAME ": no memory") : 0;
}

int msr_recorded_parse(struct text content, struct msr_recorded **ret, size_t *count, struct err *err)
{
	struct msr_recorded *at = NULL;
	struct text line;
	size_t room = 0;
	int r = 0;

	*count = 0;
	while (r == 0 && text_line(&content, &line)) {
		line = text_trim(line);
		if (line.at < line.end && *line.at != '#')
			r = line_of(line, &at, count, &room, err);
	}
	if (r == 0 && *count == 0)
		r = err_set(err, -ENOENT, FILE_NAME ": holds no register");
	if (r < 0) {
		free(at);
		return r;
	}
	qsort(at, *count, sizeof(*at), by_place);
	*ret = at;
	return 0;
}

int msr_recorded_read(const struct host *host, struct msr_recorded **ret, size_t *count, struct err *err)
{
	cleanup_buf struct buf content = { 0 };
	int r = host_read(host, FILE_NAME, &content, err);

	return r < 0 ? r : msr_recorded_parse(buf_text(&content), ret, count, err);
}

int msr_recorded_cpus(const struct msr_recorded *at, size_t count, struct cpulist *ret, struct err *err)
{
	cleanup_buf struct buf list = { 0 };

	for (size_t i = 0; i < count; i++)
		(void)buf_printf(&list, "%s%u", i ? "," : "", at[i].cpu);
	if (list.failed)
		return err_set(err, list.failed, FILE_NAME ": no memory");
	return cpulist_parse(buf_text(&list), ret, err);
}

int msr_recorded_find(const struct msr_recorded *at, size_t count, unsigned cpu, uint32_t address, uint64_t *ret)
{
	struct msr_recorded key = { .address = address, .cpu = cpu };
	const struct msr_recorded *found = bsearch(&key, at, count, sizeof(*at), by_place);

	if (!found)
		return -EIO;
	*ret = found->value;
	return 0;
}
