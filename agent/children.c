/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/children.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/take.h"
#include "base/text.h"

void children_list(struct children *ret)
{
	cleanup_fd int fd = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? 0 : read(fd, ret->text, sizeof(ret->text));

	ret->length = n > 0 ? (size_t)n : 0;
}

size_t children_since(const struct children *before)
{
	struct children now;
	struct text rest, word, old, known;
	size_t count = 0;

	children_list(&now);
	for (rest = text_n(now.text, now.length); text_word(&rest, &word);) {
		bool was_there = false;

		for (old = text_n(before->text, before->length); !was_there && text_word(&old, &known);)
			was_there = text_same(word, known);
		count += !was_there;
	}
	return count;
}
