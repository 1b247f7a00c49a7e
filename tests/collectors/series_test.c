/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Series of /proc/interrupts that monitors recorded, each text under a line with its time: through the collector, against
 * the averages that another program made of the same series, and against sums of what stands in each text.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/support/rig.h"
#include "tests/support/shared.h"

extern const struct collector collector_interrupts;

struct series {
	struct buf text;
	struct text rest;
	double time; /* of the text that was put last */
	size_t count;
};

static bool series_open(struct series *s, const char *name)
{
	char path[512], command[600], part[65536];
	FILE *file;
	size_t n;

	*s = (struct series){ 0 };
	if (!shared_path(path, sizeof(path), name))
		return false;
	(void)snprintf(command, sizeof(command), "gzip -cdf '%s'", path);
	file = popen(command, "r");
	assert_non_null(file);
	while ((n = fread(part, 1, sizeof(part), file)) > 0)
		assert_int_equal(buf_add(&s->text, part, n), 0);
	assert_int_equal(pclose(file), 0);
	s->rest = buf_text(&s->text);
	return true;
}

static bool is_stamp(struct text line, double *ret)
{
	if (!text_skip(&line, "timestamp: ") && !text_skip(&line, "Timestamp: "))
		return false;
	*ret = strtod(line.at, NULL);
	return true;
}

/* The next text becomes proc/interrupts; `ret` is it, good until the next call. */
static bool series_next(struct series *s, struct rig *rig, struct text *ret)
{
	struct text line, before;
	double time;
	char *copy;

	while (text_line(&s->rest, &line))
		if (is_stamp(line, &s->time))
			break;
	*ret = (struct text){ s->rest.at, s->rest.at };
	for (before = s->rest; text_line(&s->rest, &line) && !is_stamp(line, &time); before = s->rest)
		ret->end = s->rest.at;
	s->rest = before;
	if (text_len(*ret) == 0)
		return false;
	copy = text_copy(*ret);
	rig_file(rig, "proc/interrupts", copy);
	free(copy);
	s->count++;
	return true;
}

/* ---- against another program's averages ---- */

#define MOST 1024

struct average {
	double sum, last;
	size_t count;
};

/* "CPU_000-IRQ_009_IR-IO-APIC-fasteoi_acpi=0.76" -> "CPU0", "9". */
static bool read_expected(struct text line, char *cpu, char *label, size_t size, double *ret)
{
	const char *equals = memchr(line.at, '=', text_len(line));
	uint64_t number;
	size_t length;

	if (!equals || !text_skip(&line, "CPU_") || !text_u64(&line, &number) || !text_skip(&line, "-IRQ_"))
		return false;
	(void)snprintf(cpu, size, "CPU%d", (int)number);
	while (line.at + 1 < equals && *line.at == '0' && line.at[1] >= '0' && line.at[1] <= '9')
		line.at++;
	length = strcspn(line.at, "_=");
	(void)snprintf(label, size, "%.*s", (int)length, line.at);
	*ret = strtod(equals + 1, NULL);
	return true;
}

static const char *metric_of(struct rig *rig, const char *label)
{
	size_t length = strlen(label);

	for (size_t m = 0; m < rig->run.shape.metric_count; m++) {
		const char *name = rig->run.shape.metrics[m].name;

		if (strncmp(name, label, length) == 0 && (name[length] == ':' || name[length] == '\0'))
			return name;
	}
	return NULL;
}

static double average_of(struct rig *rig, const char *series, const char *cpu, const char *label)
{
	struct series s;
	struct text text;
	double sum = 0, last = 0, then = 0;

	assert_true(series_open(&s, series));
	while (series_next(&s, rig, &text)) {
		const char *metric;
		double now;

		if (s.count == 1)
			rig_start(rig, &collector_interrupts);
		else
			rig_again(rig);
		metric = metric_of(rig, label);
		assert_non_null(metric);
		now = (double)rig_value_of(rig, metric, cpu);
		if (s.count > 1)
			sum += (now - last) / (s.time - then);
		last = now;
		then = s.time;
	}
	buf_free(&s.text);
	return sum / (double)(s.count - 1);
}

static void averages_are_those_of_another_program(void **state)
{
	struct rig *rig = *state;
	struct text rest, line;
	char path[512], cpu[64], label[64];
	size_t compared = 0;
	struct buf expected;
	double want, have;

	if (!shared_path(path, sizeof(path),
			 "outputs/proc-interrupts/pbench-proc-interrupts-0.proc-interrupts-by-cpu-average.expected.txt"))
		skip();
	expected = read_whole(path);
	rest = buf_text(&expected);
	while (text_line(&rest, &line)) {
		if (!read_expected(line, cpu, label, sizeof(cpu), &want) || want == 0)
			continue;
		have = average_of(rig, "outputs/proc-interrupts/pbench-proc-interrupts-0.txt", cpu, label);
		if (fabs(have - want) > 1e-6 * (1 + want))
			fail_msg("%s of %s is %.6f a second, not %.6f", label, cpu, have, want);
		compared++;
	}
	buf_free(&expected);
	print_message("# %zu averages\n", compared);
	assert_true(compared >= 40);
}

/* ---- against sums ---- */

/* All whole numbers of a text that stand behind a colon, up to the first word that is none. */
static double sum_of(struct text text)
{
	double sum = 0;
	struct text line, word;
	uint64_t value;

	while (text_line(&text, &line)) {
		line.at = memchr(line.at, ':', text_len(line)) ? (const char *)memchr(line.at, ':', text_len(line)) + 1 : line.end;
		while (text_word(&line, &word) && text_u64(&word, &value) && text_len(word) == 0)
			sum += (double)value;
	}
	return sum;
}

static void nothing_of_a_long_series_is_lost(void **state)
{
	static const char *const names[] = { "outputs/interrupts-series/sc-adl0-interrupts.raw.txt.gz",
					     "outputs/interrupts-series/sc-knl0-interrupts.raw.txt.gz",
					     "outputs/interrupts-series/sc-bdwup0-interrupts-compact1.raw.txt",
					     "outputs/interrupts-series/sc-bdwup0-interrupts-cut.raw.txt" };
	size_t texts = 0;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct rig *rig = *state;
		struct series s;
		struct text text;

		if (!series_open(&s, names[i]))
			skip();
		while (series_next(&s, rig, &text)) {
			double found = 0;
			int r = s.count == 1 ? rig_open(rig, &collector_interrupts) : 0;

			r = r < 0 ? r : rig_sample(rig);
			if (r < 0) { /* the last one may be torn: "Interrupted, exiting" */
				assert_int_equal(r, -EBADMSG);
				continue;
			}
			for (size_t slot = 0; slot < shape_slots(&rig->run.shape); slot++)
				if (sample_has(&rig->run.sample, slot))
					found += (double)(uint64_t)rig->run.sample.values[slot];
			if (found != sum_of(text))
				fail_msg("%s: text %zu adds up to %.0f, not to %.0f", names[i], s.count, found, sum_of(text));
		}
		texts += s.count;
		buf_free(&s.text);
	}
	print_message("# %zu texts\n", texts);
	assert_true(texts >= 30);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RIG_TEST(averages_are_those_of_another_program),
		RIG_TEST(nothing_of_a_long_series_is_lost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
