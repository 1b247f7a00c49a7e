/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Spool and recorder: what stands on the disk when. */
#include "tests/agent/agent_rig.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "agent/recorder.h"
#include "tests/support/segments.h"

static const int64_t values[] = { 16384, 9 };

static void open_spool(struct rig *rig, struct spool *spool, size_t ceiling)
{
	assert_int_equal(spool_open(spool, rig->spool, &rig->plan.run, "http://lab", ceiling, &rig->err), 0);
}

static struct recorder recorder_of(struct spool *spool)
{
	return (struct recorder){
		.spool = spool,
		.header = { .run = spool->run, .host = "lab1", .boot_id = "b", .agent_version = "0", .tick_ns = 1 },
		.seal_ns = UINT64_MAX / 4,
	};
}

static bool is_there(const struct rig *rig, const char *name)
{
	char path[400];

	(void)snprintf(path, sizeof(path), "%s/%s/%s", rig->spool, RIG_RUN, name);
	return access(path, F_OK) == 0;
}

static void put_snapshot(struct recorder *recorder, uint64_t tick)
{
	struct sample sample = test_sample(&test_meminfo, values, 0);
	const struct snapshot snapshot = { .tick = tick, .monotonic_ns = 1000 + tick, .samples = &sample, .count = 1 };

	recorder_snapshot(recorder, &snapshot);
	sample_free(&sample);
}

/* Until it finds place; the recorder looks for some every second. */
static void put_at_last(struct recorder *recorder, uint64_t tick)
{
	for (int i = 0; i < 3000; i++) {
		uint64_t before = recorder_dropped(recorder);

		put_snapshot(recorder, tick);
		if (recorder_dropped(recorder) == before)
			return;
		(void)usleep(10000);
	}
	fail_msg("a snapshot finds no place");
}

/* All that the spool holds, in order. */
static void tell_all(struct rig *rig, struct spool *spool)
{
	struct spool_segment *at;
	size_t count;

	assert_int_equal(spool_list(spool, &at, &count, &rig->err), 0);
	for (size_t i = 0; i < count; i++) {
		struct buf sealed = { 0 };

		assert_int_equal(spool_read(spool, at[i].sequence, &sealed, &rig->err), 0);
		if (segment_read(buf_text(&sealed), NULL, false, &told_events, &rig->told, NULL, &rig->err) < 0)
			fail_msg("segment %u: %s", (unsigned)at[i].sequence, rig->err.text);
		buf_free(&sealed);
		spool_drop(spool, at[i].sequence);
	}
	free(at);
}

static void locks_a_run_as_long_as_its_writer_lives(void **state)
{
	struct rig *rig = *state;
	struct spool spool, thief;
	int parent;

	open_spool(rig, &spool, 0);
	parent = open(rig->spool, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_int_equal(spool_adopt(&thief, parent, &rig->plan.run, &rig->err), -EBUSY);
	assert_int_equal(spool_open(&thief, rig->spool, &rig->plan.run, "local", 0, &rig->err), -EEXIST);
	spool_close(&spool);
	assert_int_equal(spool_adopt(&thief, parent, &rig->plan.run, &rig->err), -ENOENT); /* empty, so it is gone */
	(void)close(parent);
}

static void seals_an_open_segment(void **state)
{
	struct rig *rig = *state;
	struct spool spool;
	struct recorder recorder;
	const struct run_end end = { .exited = true, .exit_code = 4 };

	open_spool(rig, &spool, 0);
	recorder = recorder_of(&spool);
	assert_int_equal(recorder_start(&recorder, &rig->err), 0);
	assert_true(is_there(rig, "000001.open"));
	put_snapshot(&recorder, 1);
	recorder_mark(&recorder, "here", "x");
	assert_int_equal(recorder_finish(&recorder, &end), 1);
	assert_int_equal(spool_seal(&spool, 1, &rig->err), 0);
	assert_false(is_there(rig, "000001.open"));
	assert_false(is_there(rig, "000001.new"));
	assert_true(is_there(rig, "000001.seg"));
	tell_all(rig, &spool);
	assert_true(rig_was_told(rig, "snapshot 1 1001 0\n  meminfo/1 "));
	assert_true(rig_was_told(rig, " here x\n"));
	assert_true(rig_was_told(rig, "end 1 4 0 "));
	spool_close(&spool);
	assert_true(rig_spool_is_empty(rig));
}

static void turns_to_a_fresh_segment_in_time(void **state)
{
	struct rig *rig = *state;
	struct spool spool;
	struct recorder recorder;
	const struct run_end end = { .exited = true };

	open_spool(rig, &spool, 0);
	recorder = recorder_of(&spool);
	recorder.seal_ns = 1000000;
	assert_int_equal(recorder_start(&recorder, &rig->err), 0);
	(void)usleep(50000); /* its thread waits by now for something to seal */
	put_snapshot(&recorder, 1);
	for (int i = 0; i < 2000 && !is_there(rig, "000001.seg"); i++)
		(void)usleep(10000);
	assert_true(is_there(rig, "000001.seg"));
	assert_true(is_there(rig, "000002.open"));
	put_snapshot(&recorder, 2);
	assert_true(recorder_finish(&recorder, &end) >= 2);
	tell_all(rig, &spool);
	assert_true(rig_was_told(rig, "snapshot 1 "));
	assert_true(rig_was_told(rig, "snapshot 2 "));
	spool_close(&spool);
}

static void drops_and_counts_what_is_beyond_the_ceiling(void **state)
{
	struct rig *rig = *state;
	struct spool spool;
	struct recorder recorder;
	struct run_end end = { .exited = true };

	open_spool(rig, &spool, 2000);
	recorder = recorder_of(&spool);
	recorder.notice = rig_notice;
	recorder.notice_context = rig;
	assert_int_equal(recorder_start(&recorder, &rig->err), 0);
	for (uint64_t tick = 1; tick <= 200; tick++)
		put_snapshot(&recorder, tick);
	end.bytes_dropped = recorder_dropped(&recorder);
	assert_true(end.bytes_dropped > 1000);
	assert_true(recorder_finish(&recorder, &end) >= 1);
	assert_true(rig_was_noticed(rig, "the spool is full (2000 bytes)\n"));
	tell_all(rig, &spool);
	assert_true(rig_was_told(rig, "snapshot 1 "));
	assert_false(rig_was_told(rig, "snapshot 200 "));
	assert_true(rig_was_told(rig, " dropped ")); /* and how many */
	assert_true(rig_was_told(rig, "\nend 1 0 0 0 "));
	spool_close(&spool);
}

static void goes_on_in_a_fresh_segment_when_there_is_place_again(void **state)
{
	struct rig *rig = *state;
	struct spool spool;
	struct recorder recorder;
	const struct run_end end = { .exited = true };

	open_spool(rig, &spool, 1 << 20);
	recorder = recorder_of(&spool);
	assert_int_equal(recorder_start(&recorder, &rig->err), 0);
	put_snapshot(&recorder, 1);
	(void)atomic_fetch_add(&spool.bytes, 1 << 20); /* others have filled it */
	put_snapshot(&recorder, 2);
	put_snapshot(&recorder, 3);
	(void)atomic_fetch_sub(&spool.bytes, 1 << 20);
	put_at_last(&recorder, 5000);
	assert_true(recorder_finish(&recorder, &end) >= 2);
	tell_all(rig, &spool);
	assert_true(rig_was_told(rig, "snapshot 1 "));
	assert_false(rig_was_told(rig, "snapshot 2 "));
	assert_true(rig_was_told(rig, "snapshot 5000 6000 0\n"));
	assert_true(rig_was_told(rig, "MemTotal[]=16384 MemFree[]=9\n"));
	assert_true(rig_was_told(rig, "snapshots found no place in the spool\n"));
	spool_close(&spool);
}

static void takes_half_a_frame_back_when_the_disk_is_full(void **state)
{
	struct rig *rig = *state;
	const struct rlimit small = { 100, RLIM_INFINITY };
	struct rlimit before;
	struct spool spool;
	struct stat st;
	int fd;

	open_spool(rig, &spool, 0);
	fd = spool_create(&spool, 1, &rig->err);
	assert_true(fd >= 0);
	assert_int_equal(spool_append(&spool, fd, text_n("0123456789", 10), &rig->err), 0);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	(void)signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	{
		char large[200] = { 0 };

		assert_int_equal(spool_append(&spool, fd, text_n(large, sizeof(large)), &rig->err), -EFBIG);
	}
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	(void)signal(SIGXFSZ, SIG_DFL);
	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(st.st_size, 10);
	(void)close(fd);
	spool_drop(&spool, 1);
	spool_close(&spool);
}

/* A file system of 256 KiB, full in the middle of a run; then there is place again. */
static void survives_a_full_disk(void **state)
{
	struct rig *rig = *state;
	struct spool spool;
	struct recorder recorder;
	const struct run_end end = { .exited = true };
	char filler[600];
	static char block[300000];
	int fd;

	assert_int_equal(mkdir(rig->spool, 0777), 0);
	/* In mounts of our own, which end with this program. */
	if (unshare(CLONE_NEWNS) < 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
	    mount("none", rig->spool, "tmpfs", 0, "size=256k") < 0)
		skip();
	open_spool(rig, &spool, 0);
	recorder = recorder_of(&spool);
	recorder.notice = rig_notice;
	recorder.notice_context = rig;
	assert_int_equal(recorder_start(&recorder, &rig->err), 0);
	put_snapshot(&recorder, 1);
	(void)snprintf(filler, sizeof(filler), "%s/filler", rig->spool);
	fd = open(filler, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
	assert_true(write(fd, block, sizeof(block)) > 0);
	(void)close(fd);
	for (uint64_t tick = 2; tick < 2000 && !rig->notices.len; tick++)
		put_snapshot(&recorder, tick);
	assert_true(rig_was_noticed(rig, "No space left on device"));
	put_snapshot(&recorder, 3000);
	(void)unlink(filler);
	put_at_last(&recorder, 7000);
	assert_true(recorder_finish(&recorder, &end) >= 2);
	tell_all(rig, &spool);
	spool_close(&spool);
	assert_int_equal(umount(rig->spool), 0);
	assert_true(rig_was_told(rig, "snapshot 1 "));
	assert_false(rig_was_told(rig, "snapshot 3000 "));
	assert_true(rig_was_told(rig, "snapshot 7000 "));
	assert_true(rig_was_told(rig, "snapshots found no place in the spool\n"));
	assert_true(rig_was_told(rig, "end 1 0 0 "));
}

static void finds_its_files_by_their_numbers(void **state)
{
	struct rig *rig = *state;
	struct spool spool;
	struct spool_segment *at;
	size_t count;
	char folder[400];

	open_spool(rig, &spool, 0);
	(void)snprintf(folder, sizeof(folder), "%s/" RIG_RUN, rig->spool);
	write_file(folder, "000010.open", "x", 1);
	write_file(folder, "000002.seg", "x", 1);
	write_file(folder, "000002.open", "x", 1);
	write_file(folder, "1000000.refused", "x", 1);
	write_file(folder, "000000.seg", "x", 1);
	write_file(folder, "99999999999.seg", "x", 1);
	write_file(folder, "notes", "x", 1);
	assert_int_equal(spool_list(&spool, &at, &count, &rig->err), 0);
	assert_int_equal(count, 3);
	assert_int_equal(at[0].sequence, 2);
	assert_true(at[0].sealed && at[0].open && !at[0].refused);
	assert_int_equal(at[1].sequence, 10);
	assert_true(at[1].open && !at[1].sealed);
	assert_int_equal(at[2].sequence, 1000000);
	assert_true(at[2].refused);
	free(at);
	spool_close(&spool);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, rig_setup, rig_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(locks_a_run_as_long_as_its_writer_lives),
		TEST(seals_an_open_segment),
		TEST(turns_to_a_fresh_segment_in_time),
		TEST(drops_and_counts_what_is_beyond_the_ceiling),
		TEST(goes_on_in_a_fresh_segment_when_there_is_place_again),
		TEST(takes_half_a_frame_back_when_the_disk_is_full),
		TEST(survives_a_full_disk),
		TEST(finds_its_files_by_their_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
