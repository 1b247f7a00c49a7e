/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/number.h"

#include <math.h>
#include <stdlib.h>

static size_t digits(struct text *t)
{
	const char *from = t->at;

	while (t->at < t->end && *t->at >= '0' && *t->at <= '9')
		t->at++;
	return (size_t)(t->at - from);
}

static void sign(struct text *t)
{
	if (t->at < t->end && (*t->at == '-' || *t->at == '+'))
		t->at++;
}

/* strtod() alone takes hexadecimal, infinities and leading blanks, too. */
static bool is_decimal(struct text t)
{
	size_t n;

	sign(&t);
	n = digits(&t);
	if (text_skip(&t, "."))
		n += digits(&t);
	if (n == 0)
		return false;
	if (text_skip(&t, "e") || text_skip(&t, "E")) {
		sign(&t);
		if (digits(&t) == 0)
			return false;
	}
	return t.at == t.end;
}

bool number_read(struct text text, double *ret)
{
	char copy[128];
	double value;

	if (text_len(text) >= sizeof(copy) || !is_decimal(text))
		return false;
	memcpy(copy, text.at, text_len(text));
	copy[text_len(text)] = '\0';
	value = strtod(copy, NULL);
	if (!isfinite(value))
		return false;
	*ret = value;
	return true;
}

double number_scale(double value, int exponent)
{
	/* A power of ten is exact up to 22, and a division rounds once: 123 / 100 is the double that 1.23 is. */
	if (exponent >= 0)
		return value / pow(10, (double)exponent);
	return value * pow(10, -(double)exponent);
}
