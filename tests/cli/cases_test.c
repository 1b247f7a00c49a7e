/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The cases of data/cases that tell of a machine at several times, on the whole road: trees become samples, samples
 * become stats. Every row is looked at: one that no rule below knows fails.
 */
#include <dirent.h>
#include <jansson.h>
#include <math.h>

#include "tests/cli/replay.h"

#define TREES 4

struct row {
	const char *area, *object;
	char field[64];
	size_t from, to; /* trees */
	json_t *value;
};

/* "cpu0", "user_without_guest.percent" -> the stats whose sum it is; the list ends at NULL. */
static const struct {
	const char *area, *field;
	const char *keys[10]; /* %s: the object; %n: its digits */
} meanings[] = {
	{ "proc/stat", "user.percent", { "mpstat.cpu.%n.usr%%", "mpstat.cpu.%n.guest%%" } },
	{ "proc/stat", "user_without_guest.percent", { "mpstat.cpu.%n.usr%%" } },
	{ "proc/stat", "idle.percent", { "mpstat.cpu.%n.idle%%" } },
	{ "proc/stat", "iowait.percent", { "mpstat.cpu.%n.iowait%%" } },
	{ "proc/diskstats", "read_ms.delta", { "diskstats.read_ticks.%s" } },
	{ "proc/diskstats", "reads.delta", { "diskstats.read_ios.%s" } },
	{ "proc/diskstats", "sectors_read.delta", { "diskstats.read_sectors.%s" } },
	{ "proc/diskstats", "io_ms.delta", { "diskstats.io_ticks.%s" } },
	{ "sys/class/powercap", "watt", { "powercap.%s/package-0.watts" } },
	{ "proc/net/dev", "rx_bytes.rate", { "netdev.%s.rx_bytes/s" } },
};

/* What a rule of another test looks at: raw numbers, and steps of ticks, which are stats only as shares. */
static bool is_of_another_test(const struct row *row)
{
	if (strcmp(row->area, "proc/stat") == 0 && strstr(row->field, ".delta"))
		return true; /* ticks(): */
	return (strcmp(row->area, "proc/stat") == 0 && strcmp(row->field, "idle") == 0) || /* tests/collectors/cases_test.c */
	       strcmp(row->area, "clock") == 0 || /* tests/agent: the mark "clock" */
	       (strcmp(row->area, "sys/class/powercap") == 0 && strcmp(row->field, "energy_uj.delta") == 0);
}

static void key_for(const char *pattern, const char *object, char *ret, size_t size)
{
	const char *digits = object + strcspn(object, "0123456789");
	size_t n = 0;

	for (const char *c = pattern; *c && n + 1 < size; c++) {
		const char *part = NULL;

		if (c[0] == '%' && c[1] != '%')
			part = c[1] == 's' ? object : digits;
		if (part) {
			n += (size_t)snprintf(ret + n, size - n, "%s", part);
			c++;
			continue;
		}
		c += *c == '%';
		ret[n++] = *c;
	}
	ret[n] = '\0';
}

static void check(const struct replay *r, const char *name, const struct row *row, const char *const *keys)
{
	double found = NAN, one;
	char key[256];

	for (; *keys; keys++) {
		key_for(*keys, row->object, key, sizeof(key));
		if (stats_get(&r->play.stats, key, &one))
			found = (isnan(found) ? 0 : found) + one;
	}
	if (isnan(found) && json_is_number(row->value) && json_number_value(row->value) == 0)
		return; /* what is always 0 is no stat */
	if (json_is_null(row->value) != (bool)isnan(found) ||
	    (!isnan(found) && fabs(found - json_number_value(row->value)) > 1e-9 * fabs(found)))
		fail_msg("%s: %s %s %s is %.17g", name, row->area, row->object, row->field, found);
}

/* Ticks of a CPU between two trees, as the shares of mpstat and what they are shares of. */
static void ticks(const struct replay *r, const char *name, const struct row *row)
{
	static const char *const shares[][2] = { { "nice", "nice" }, { "system", "sys" }, { "idle", "idle" },
						 { "iowait", "iowait" }, { "irq", "irq" }, { "softirq", "soft" },
						 { "steal", "steal" }, { "guest", "guest" }, { "user", "usr" } };
	size_t length = strcspn(row->field, ".");
	double total = 1000, found = NAN, part; /* of all cases */
	char key[128];

	for (size_t i = 0; i < sizeof(shares) / sizeof(*shares); i++) {
		bool all = strncmp(row->field, "total.", 6) == 0 && strcmp(shares[i][0], "guest") != 0;
		bool mine = strlen(shares[i][0]) == length && strncmp(row->field, shares[i][0], length) == 0;
		bool in_user = strncmp(row->field, "user.", 5) == 0 && strcmp(shares[i][0], "guest") == 0;

		(void)snprintf(key, sizeof(key), "mpstat.cpu.%s.%s%%", row->object + strlen("cpu"), shares[i][1]);
		if ((all || mine || in_user) && stats_get(&r->play.stats, key, &part))
			found = (isnan(found) ? 0 : found) + part * total / 100;
		(void)snprintf(key, sizeof(key), "mpstat.cpu.%s.guest%%", row->object + strlen("cpu"));
		if (all && strcmp(shares[i][0], "user") == 0 && stats_get(&r->play.stats, key, &part))
			found = (isnan(found) ? 0 : found) + part * total / 100;
	}
	if (isnan(found) && json_is_number(row->value) && json_number_value(row->value) == 0)
		return;
	if (json_is_null(row->value) != (bool)isnan(found) ||
	    (!isnan(found) && fabs(found - json_number_value(row->value)) > 1e-6))
		fail_msg("%s: %s %s is %.17g ticks", name, row->object, row->field, found);
}

static bool read_row(json_t *json, struct row *ret)
{
	*ret = (struct row){ json_string_value(json_array_get(json, 0)), json_string_value(json_array_get(json, 1)),
			     .to = 1, .value = json_array_get(json, 3) };
	(void)snprintf(ret->field, sizeof(ret->field), "%s", json_string_value(json_array_get(json, 2)));
	if (text_glob(text_of(ret->field), "t?-t?.*")) {
		ret->from = (size_t)(ret->field[1] - '0');
		ret->to = (size_t)(ret->field[4] - '0');
		memmove(ret->field, ret->field + 6, strlen(ret->field + 6) + 1);
	}
	return ret->area && ret->object;
}

static void replay_case(struct replay *r, const char *folder, json_t *clocks, const struct row *row)
{
	replay_open(r);
	for (size_t t = row->from; t <= row->to; t++) {
		char tree[1000], name[8];

		(void)snprintf(name, sizeof(name), "t%zu", t);
		(void)snprintf(tree, sizeof(tree), "%s/%s", folder, name);
		replay_tree(r, tree, json_number_value(json_object_get(json_object_get(clocks, name), "mono")), NULL);
	}
	replay_finish(r);
}

static size_t check_case(const char *folder, const char *name, json_t *rows, json_t *clocks)
{
	size_t i, checked = 0;
	json_t *json;

	json_array_foreach(rows, i, json) {
		struct replay r;
		struct row row;
		bool known = false;

		assert_true(read_row(json, &row));
		replay_case(&r, folder, clocks, &row);
		for (size_t m = 0; m < sizeof(meanings) / sizeof(*meanings); m++)
			if (strcmp(meanings[m].area, row.area) == 0 && strcmp(meanings[m].field, row.field) == 0) {
				check(&r, name, &row, meanings[m].keys);
				known = true;
			}
		if (strcmp(row.area, "proc/stat") == 0 && strstr(row.field, ".delta")) {
			ticks(&r, name, &row);
			known = true;
		}
		if (!known && !is_of_another_test(&row))
			fail_msg("%s: no rule for %s %s %s", name, row.area, row.object, row.field);
		checked += known;
		replay_close(&r);
	}
	return checked;
}

static void machines_at_several_times(void **state)
{
	char cases[512];
	size_t checked = 0;
	DIR *folder;

	if (!shared_path(cases, sizeof(cases), "cases"))
		skip();
	folder = opendir(cases);
	assert_non_null(folder);
	for (struct dirent *e; (e = readdir(folder));) {
		char path[800], file[1000];
		struct buf text;
		json_t *json, *clocks;
		char *begin, *end;

		(void)snprintf(path, sizeof(path), "%s/%s", cases, e->d_name);
		(void)snprintf(file, sizeof(file), "%s/clock.json", path);
		if (e->d_name[0] == '.' || access(file, R_OK) < 0)
			continue;
		clocks = json_load_file(file, 0, NULL);
		(void)snprintf(file, sizeof(file), "%s/expect.md", path);
		text = read_whole(file);
		begin = strstr(text.data, "```json\n") + strlen("```json\n");
		end = strstr(begin, "\n```");
		json = json_loadb(begin, (size_t)(end - begin), JSON_DECODE_INT_AS_REAL, NULL);
		assert_non_null(json);
		if (strcmp(json_string_value(json_object_get(json, "mode")), "delta") == 0)
			checked += check_case(path, e->d_name, json_object_get(json, "rows"), clocks);
		json_decref(json);
		json_decref(clocks);
		buf_free(&text);
	}
	(void)closedir(folder);
	print_message("# %zu rows\n", checked);
	assert_true(checked >= 30);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(machines_at_several_times),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
