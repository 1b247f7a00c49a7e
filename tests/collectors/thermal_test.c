/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <sys/types.h>
#include <unistd.h>

#include "tests/support/alloc_count.h"
#include "tests/support/rig.h"

extern const struct collector collector_thermal;

#define THERMAL "sys/class/thermal/"

/* A file that cannot be read: no file of a folder gives the errors that a sensor gives. */
static const char *faulty;
static int fault;

static bool is_faulty(int fd)
{
	char link[64], path[1024];
	ssize_t length;

	(void)snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	length = faulty ? readlink(link, path, sizeof(path)) : -1;
	errno = fault;
	return length > 0 && text_ends(text_n(path, (size_t)length), faulty);
}

ssize_t __real_pread(int fd, void *buf, size_t size, off_t at);
ssize_t __wrap_pread(int fd, void *buf, size_t size, off_t at);
ssize_t __wrap_pread(int fd, void *buf, size_t size, off_t at)
{
	return is_faulty(fd) ? -1 : __real_pread(fd, buf, size, at);
}

ssize_t __real_read(int fd, void *buf, size_t size);
ssize_t __wrap_read(int fd, void *buf, size_t size);
ssize_t __wrap_read(int fd, void *buf, size_t size)
{
	return is_faulty(fd) ? -1 : __real_read(fd, buf, size);
}

static void zones(struct rig *rig)
{
	faulty = NULL;
	rig_file(rig, THERMAL "thermal_zone0/temp", "27800\n");
	rig_file(rig, THERMAL "thermal_zone3/temp", "-5000\n");
	rig_file(rig, THERMAL "thermal_zone10/temp", "45000\n");
	rig_file(rig, THERMAL "cooling_device0/cur_state", "3\n");
	rig_file(rig, THERMAL "cooling_device0/max_state", "10\n");
}

static void tells_zones_below_zero_and_cooling_devices(void **state)
{
	struct rig *rig = *state;
	size_t before;

	zones(rig);
	rig_start(rig, &collector_thermal);
	assert_int_equal(rig_count(rig), 4);
	assert_int_equal(rig_value(rig, "zone0"), 27800);
	assert_int_equal((int64_t)rig_value(rig, "zone3"), -5000);
	assert_int_equal(rig_value(rig, "zone10"), 45000);
	assert_int_equal(rig_value(rig, "cdev0"), 3);
	assert_int_equal(rig_metric(rig, "zone0")->unit, UNIT_CELSIUS);
	assert_int_equal(rig_metric(rig, "zone0")->exponent, 3);
	before = alloc_count();
	assert_int_equal(rig_sample(rig), 0);
	assert_int_equal(alloc_count(), before);
}

static void a_zone_without_data_is_absent_and_no_failure(void **state)
{
	struct rig *rig = *state;

	zones(rig);
	rig_start(rig, &collector_thermal);
	faulty = "thermal_zone10/temp";
	fault = ENODATA;
	assert_int_equal(rig_sample(rig), 0);
	assert_int_equal(rig_count(rig), 3);
	assert_false(rig_has(rig, "zone10"));
	fault = EAGAIN;
	assert_int_equal(rig_sample(rig), 0);
	assert_false(rig_has(rig, "zone10"));
	assert_int_equal(rig->run.shape.generation, 1);
}

static void a_zone_that_sleeps_at_first_is_told_when_it_wakes_up(void **state)
{
	struct rig *rig = *state;

	zones(rig);
	faulty = "thermal_zone10/temp";
	fault = ENODATA;
	rig_start(rig, &collector_thermal);
	assert_int_equal(rig_count(rig), 3);
	faulty = NULL;
	rig_again(rig);
	assert_int_equal(rig_value(rig, "zone10"), 45000);
	assert_int_equal(rig->run.shape.generation, 1);
}

static void a_broken_zone_costs_that_zone_and_is_named(void **state)
{
	struct rig *rig = *state;

	zones(rig);
	rig_start(rig, &collector_thermal);
	faulty = "thermal_zone0/temp";
	fault = EIO;
	assert_int_equal(rig_sample(rig), -EIO);
	assert_non_null(strstr(rig->err.text, "thermal_zone0/temp"));
	assert_int_equal(rig_count(rig), 3);
	faulty = NULL;
}

static void a_zone_that_went_away_is_a_new_generation(void **state)
{
	struct rig *rig = *state;

	zones(rig);
	rig_start(rig, &collector_thermal);
	rig_remove(rig, THERMAL "thermal_zone3");
	faulty = "thermal_zone3/temp (deleted)";
	fault = ENODEV;
	rig_again(rig);
	faulty = NULL;
	assert_int_equal(rig->run.shape.generation, 2);
	assert_int_equal(rig_count(rig), 3);
	assert_int_equal(rig_value(rig, "zone10"), 45000);
}

static void a_machine_without_zones_says_so(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, THERMAL ".keep", "");
	assert_int_equal(collector_probe(&collector_thermal, &rig->host, &rig->err), -ENOENT);
	assert_string_equal(rig->err.text, THERMAL "thermal_zone*/temp: no such file");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RIG_TEST(tells_zones_below_zero_and_cooling_devices),
		RIG_TEST(a_zone_without_data_is_absent_and_no_failure),
		RIG_TEST(a_zone_that_sleeps_at_first_is_told_when_it_wakes_up),
		RIG_TEST(a_broken_zone_costs_that_zone_and_is_named),
		RIG_TEST(a_zone_that_went_away_is_a_new_generation),
		RIG_TEST(a_machine_without_zones_says_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
