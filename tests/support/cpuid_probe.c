/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints "name=value" for each fact that the processor itself tells, and its code name. */
#include <stdio.h>

#include "host/cpuid.h"
#include "host/processor.h"

int main(void)
{
	struct pairs facts = { 0 };
	const char *name;

	if (cpuid_facts(&facts) < 0)
		return 1;
	for (size_t i = 0; i < facts.count; i++)
		printf("%s=%s\n", facts.at[i].name, facts.at[i].value);
	name = processor_code_name(&facts);
	printf("cpu.code_name=%s\n", name ? name : "");
	pairs_free(&facts);
	return 0;
}
