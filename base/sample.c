/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/sample.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static size_t words_of(const struct shape *shape)
{
	return (shape_slots(shape) + 63) / 64;
}

int sample_init(struct sample *sample, const struct shape *shape, struct err *err)
{
	int64_t *values = calloc(shape_slots(shape) + 1, sizeof(*values));
	uint64_t *present = calloc(words_of(shape) + 1, sizeof(*present));

	if (!values || !present) {
		free(values);
		free(present);
		return err_set(err, -ENOMEM, "%s: no memory for %zu values", shape->collector, shape_slots(shape));
	}
	*sample = (struct sample){ .shape = shape, .values = values, .present = present };
	return 0;
}

void sample_clear(struct sample *sample)
{
	memset(sample->present, 0, words_of(sample->shape) * sizeof(*sample->present));
}

void sample_free(struct sample *sample)
{
	free(sample->values);
	free(sample->present);
	*sample = (struct sample){ 0 };
}
