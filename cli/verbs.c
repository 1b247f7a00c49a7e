/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/cli.h"

#include <stddef.h>

#define VERB(name) extern const struct verb verb_##name;
#include "cli/list.def"
#undef VERB

#define VERB(name) &verb_##name,
const struct verb *const verbs[] = {
#include "cli/list.def"
	NULL
};
