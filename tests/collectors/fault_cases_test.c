/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cases of data/cases in which a call fails: what their faults.json says happens at the host's edge. */
#include <dirent.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/support/faults.h"
#include "tests/support/rig.h"
#include "tests/support/shared.h"

#define SAMPLES 3

static int errno_of(const char *name)
{
	static const struct {
		const char *name;
		int code;
	} codes[] = { { "EIO", EIO },	      { "EACCES", EACCES },   { "ENOENT", ENOENT }, { "ENODATA", ENODATA },
		      { "ENXIO", ENXIO },     { "ENODEV", ENODEV },   { "ESRCH", ESRCH },   { "EINTR", EINTR },
		      { "EAGAIN", EAGAIN },   { "EPERM", EPERM },     { "EINVAL", EINVAL }, { "EBUSY", EBUSY },
		      { "ETIMEDOUT", ETIMEDOUT }, { "EOPNOTSUPP", EOPNOTSUPP } };

	for (size_t i = 0; i < sizeof(codes) / sizeof(*codes); i++)
		if (strcmp(codes[i].name, name) == 0)
			return codes[i].code;
	fail_msg("which errno is %s?", name);
	return 0;
}

static size_t read_faults(const char *folder, struct fault *ret)
{
	char path[1000];
	json_t *list, *one, *chunk;
	size_t i, k;

	(void)snprintf(path, sizeof(path), "%s/faults.json", folder);
	list = json_load_file(path, 0, NULL);
	assert_non_null(list);
	assert_true(json_array_size(list) <= FAULTS_MOST);
	json_array_foreach(list, i, one) {
		const char *when = json_string_value(json_object_get(one, "when"));
		const char *error = json_string_value(json_object_get(one, "errno"));
		struct fault *f = &ret[i];

		*f = (struct fault){ .call = strcmp(json_string_value(json_object_get(one, "op")), "open") == 0 ? FAULT_OPEN :
														 FAULT_READ };
		(void)snprintf(f->path, sizeof(f->path), "%s", json_string_value(json_object_get(one, "path")));
		f->error = error ? errno_of(error) : 0;
		if (when && strncmp(when, "sample ", 7) == 0)
			f->from = f->to = (unsigned)strtoul(when + 7, NULL, 10);
		else if (when && strncmp(when, "from sample ", 12) == 0)
			f->from = (unsigned)strtoul(when + 12, NULL, 10);
		json_array_foreach(json_object_get(one, "chunks"), k, chunk)
			f->chunks[k] = (size_t)json_integer_value(chunk);
	}
	json_decref(list);
	return i;
}

static json_t *rows_of(const char *folder, char *mode, size_t size)
{
	char path[1000];
	char *begin, *end;
	struct buf text;
	json_t *json, *rows;

	(void)snprintf(path, sizeof(path), "%s/expect.md", folder);
	text = read_whole(path);
	begin = strstr(text.data, "```json\n") + strlen("```json\n");
	end = strstr(begin, "\n```");
	json = json_loadb(begin, (size_t)(end - begin), JSON_DECODE_INT_AS_REAL, NULL);
	assert_non_null(json);
	(void)snprintf(mode, size, "%s", json_string_value(json_object_get(json, "mode")));
	rows = json_incref(json_object_get(json, "rows"));
	json_decref(json);
	buf_free(&text);
	return rows;
}

/* "thermal_zone4", "celsius" -> the value of the sample, or NaN. */
static double zone(struct rig *rig, const char *object)
{
	char metric[64];

	(void)snprintf(metric, sizeof(metric), "zone%s", object + strlen("thermal_zone"));
	return rig_has(rig, metric) ? (double)(int64_t)rig_value(rig, metric) / 1000 : NAN;
}

static void temperatures(struct rig *rig, json_t *rows)
{
	size_t i;
	json_t *row;

	if (rig_open(rig, collector_find("thermal")) < 0)
		fail_msg("%s", rig->err.text);
	for (unsigned sample = 1; sample <= SAMPLES; sample++) {
		faults_sample(sample);
		assert_int_equal(rig_sample(rig), 0);
		json_array_foreach(rows, i, row) {
			double found = zone(rig, json_string_value(json_array_get(row, 1)));
			json_t *value = json_array_get(row, 3);

			assert_string_equal(json_string_value(json_array_get(row, 2)), "celsius");
			if (json_is_null(value))
				assert_true(isnan(found));
			else
				assert_true(fabs(found - json_number_value(value)) < 1e-9);
		}
	}
}

static void one_process(struct rig *rig, const char *number, const char *field, json_t *value)
{
	const char *const options[] = { "pids", number, NULL };
	int r = rig_open_with(rig, collector_find("process"), options);

	if (json_is_null(value)) {
		assert_int_equal(r, -ESRCH);
		return;
	}
	assert_int_equal(r, 0);
	assert_int_equal(rig_sample(rig), 0);
	if (json_is_string(value))
		assert_int_equal(rig_value(rig, "zombies"), strcmp(json_string_value(value), "Z") == 0);
	else
		assert_true((double)rig_value(rig, field) == json_number_value(value));
}

/* Alone, then all of them: those that are gone cost the others nothing, and nothing is said about them. */
static void processes(struct rig *rig, json_t *rows)
{
	size_t i;
	json_t *row;

	json_array_foreach(rows, i, row)
		one_process(rig, json_string_value(json_array_get(row, 1)), json_string_value(json_array_get(row, 2)),
			    json_array_get(row, 3));
	assert_int_equal(rig_open(rig, collector_find("process")), 0);
	for (unsigned sample = 1; sample <= SAMPLES; sample++) {
		faults_sample(sample);
		assert_int_equal(rig_sample(rig), 0);
		assert_true(rig_value(rig, "processes") >= 1);
	}
}

static bool look_at(struct rig *rig, const char *folder, const char *name)
{
	struct fault faults[FAULTS_MOST];
	char mode[32], root[1000];
	const char *area;
	json_t *rows = rows_of(folder, mode, sizeof(mode));
	bool known = true;

	if (strcmp(mode, "fault") != 0) {
		json_decref(rows);
		return false;
	}
	(void)snprintf(root, sizeof(root), "%s/root", folder);
	rig_root(rig, root);
	faults_set(root, faults, read_faults(folder, faults));
	area = json_string_value(json_array_get(json_array_get(rows, 0), 0));
	if (strcmp(area, "sys/class/thermal") == 0)
		temperatures(rig, rows);
	else if (text_glob(text_of(area), "proc/*/stat"))
		processes(rig, rows);
	else
		known = strcmp(area, "msr") == 0; /* tests/host/msr_test.c, on a device of registers */
	if (!known)
		fail_msg("%s: no rule for %s", name, area);
	faults_set(root, NULL, 0);
	json_decref(rows);
	return true;
}

static void every_case_in_which_a_call_fails(void **state)
{
	char cases[512];
	size_t count = 0;
	DIR *folder;

	if (!shared_path(cases, sizeof(cases), "cases"))
		skip();
	folder = opendir(cases);
	assert_non_null(folder);
	for (struct dirent *e; (e = readdir(folder));) {
		char path[800];

		(void)snprintf(path, sizeof(path), "%s/%s", cases, e->d_name);
		if (e->d_name[0] >= '0' && e->d_name[0] <= '9')
			count += look_at(*state, path, e->d_name);
	}
	(void)closedir(folder);
	assert_true(count >= 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RIG_TEST(every_case_in_which_a_call_fails),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
