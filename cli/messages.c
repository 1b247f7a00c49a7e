/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/cli.h"

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/log.h"

static bool progress_shown;

int usage_error(const struct verb *verb, const char *format, ...)
{
	char words[512];
	va_list args;

	va_start(args, format);
	(void)vsnprintf(words, sizeof(words), format, args);
	va_end(args);
	log_error("%s: %s", verb->name, words);
	fprintf(stderr, "usage: assay %s\n`assay %s --help` tells more.\n", verb->usage, verb->name);
	return EXIT_BAD_USAGE;
}

int failed(const struct verb *verb, const struct err *err)
{
	progress_end();
	log_error("%s: %s", verb->name, err->text);
	return EXIT_FAILED;
}

void verb_help(const struct verb *verb)
{
	printf("%s\n\nusage: assay %s\n\n", verb->summary, verb->usage);
	for (const struct flag *f = verb->flags; f && f->letter; f++) {
		char left[64];

		(void)snprintf(left, sizeof(left), "%c%c%s%s%s%s%s", f->letter < 256 ? '-' : ' ',
			       f->letter < 256 ? f->letter : ' ', f->letter < 256 && f->name ? ", " : "  ",
			       f->name ? "--" : "", f->name ? f->name : "", f->value ? " " : "",
			       f->value ? f->value : "");
		printf("  %-26s %s\n", left, f->help);
	}
	printf("  -h, --help                 Show this.\n\n%s", verb->help);
}

int next_option(const struct verb *verb, int argc, char **argv)
{
	struct option longs[32] = { 0 };
	char shorts[80] = "";
	size_t n = 0, s = 0;
	int c;

	if (verb->own_command)
		shorts[s++] = '+';
	shorts[s++] = ':';
	shorts[s++] = 'h';
	for (const struct flag *f = verb->flags; f && f->letter && n < 30; f++) {
		if (f->letter < 256) {
			shorts[s++] = (char)f->letter;
			if (f->value)
				shorts[s++] = ':';
		}
		if (f->name)
			longs[n++] =
				(struct option){ f->name, f->value ? required_argument : no_argument, NULL, f->letter };
	}
	longs[n] = (struct option){ "help", no_argument, NULL, 'h' };
	opterr = 0;
	c = getopt_long(argc, argv, shorts, longs, NULL);
	switch (c) {
	case 'h':
		verb_help(verb);
		return HELP_SHOWN;
	case ':':
		(void)usage_error(verb, "%s needs a value", argv[optind - 1]);
		return BAD_OPTION;
	case '?':
		if (optopt > 0 && optopt < 256)
			(void)usage_error(verb, "unknown option '-%c'", optopt);
		else
			(void)usage_error(verb, "unknown option '%s'", argv[optind - 1]);
		return BAD_OPTION;
	default:
		return c;
	}
}

int print_value(struct buf *to, int64_t value, const struct metric *metric)
{
	uint64_t magnitude = (uint64_t)value, unit = 1;
	bool negative = value < 0 && metric->kind == GAUGE;

	if (negative)
		magnitude = 0 - magnitude;
	for (int i = 0; i < metric->exponent; i++)
		unit *= 10;
	if (unit == 1)
		return buf_printf(to, "%s%llu", negative ? "-" : "", (unsigned long long)magnitude);
	return buf_printf(to, "%s%llu.%0*llu", negative ? "-" : "", (unsigned long long)(magnitude / unit),
			  metric->exponent, (unsigned long long)(magnitude % unit));
}

int print_time(struct buf *to, uint64_t realtime_ns)
{
	time_t seconds = (time_t)(realtime_ns / 1000000000u);
	char text[32];
	struct tm tm;

	if (!gmtime_r(&seconds, &tm) || !strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &tm))
		return buf_puts(to, "?");
	return buf_puts(to, text);
}

int print_bytes(struct buf *to, uint64_t bytes)
{
	static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB" };
	double value = (double)bytes;
	size_t i = 0;

	for (; value >= 1024 && i < 4; i++)
		value /= 1024;
	return buf_printf(to, i ? "%.1f %s" : "%.0f %s", value, units[i]);
}

int print_safe(struct buf *to, const char *text)
{
	int r = 0;

	for (; *text && r == 0; text++)
		r = buf_putc(to, (unsigned char)*text < 0x20 || *text == 0x7f ? '?' : *text);
	return r;
}

int print_out(const struct buf *b)
{
	if (b->failed)
		return b->failed;
	return fwrite(b->data ? b->data : "", 1, b->len, stdout) == b->len ? 0 : -EIO;
}

void progress(const char *format, ...)
{
	char words[256];
	va_list args;

	if (!isatty(STDERR_FILENO))
		return;
	va_start(args, format);
	(void)vsnprintf(words, sizeof(words), format, args);
	va_end(args);
	fprintf(stderr, "\r\033[K%s", words);
	(void)fflush(stderr);
	progress_shown = true;
}

void progress_end(void)
{
	if (progress_shown)
		fputs("\r\033[K", stderr);
	progress_shown = false;
}
