/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A process that puts segments is killed at random instants. What store_sync() confirmed is there byte for byte, and
 * all that is there is whole.
 */
#include "tests/store/rig.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#define INSTANTS 60 /* at least 50 of them in the time below */
#define SECONDS  20
#define RUNS     4 /* that one process writes */

/* What the child tells before it takes the next batch: durable. */
struct confirmed {
	uint32_t run, sequence;
};

static uint64_t random_next(uint64_t *x)
{
	*x ^= *x << 13;
	*x ^= *x >> 7;
	*x ^= *x << 17;
	return *x;
}

static uint64_t now_ns(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * SECOND + (uint64_t)t.tv_nsec;
}

static void run_name(struct ulid *ret, uint32_t instant, uint32_t run)
{
	(void)snprintf(ret->text, sizeof(ret->text), "01JDZZ0000000000%05u%05u", instant, run);
}

static struct buf made(const struct ulid *run, uint32_t sequence)
{
	struct said said = { .axes = "commit=v1", .noise = sequence * 7919 % 20000 + 1 };

	return segment_of(run, sequence, &said);
}

/* Puts batches of 1 to 12 until it is killed. */
static void child(struct rig *rig, uint32_t instant, uint64_t seed, int out)
{
	uint32_t next[RUNS] = { 0 };
	struct store_batch *batch = store_batch_new();
	enum put_result results[12];
	struct confirmed told[12];

	rig_open(rig);
	for (;;) {
		size_t n = random_next(&seed) % 12 + 1;

		for (size_t i = 0; i < n; i++) {
			uint32_t run = (uint32_t)(random_next(&seed) % RUNS);
			struct ulid id;
			struct buf sealed;

			run_name(&id, instant, run);
			told[i] = (struct confirmed){ run, ++next[run] };
			sealed = made(&id, next[run]);
			if (store_put_segment(rig->store, &id, next[run], buf_text(&sealed), batch, &results[i],
					      &rig->err) < 0)
				_exit(3);
			buf_free(&sealed);
		}
		if (store_sync(rig->store, batch, &rig->err) < 0)
			_exit(4);
		if (write(out, told, n * sizeof(*told)) != (ssize_t)(n * sizeof(*told)))
			_exit(5);
	}
}

static void assert_whole(struct rig *rig, const struct ulid *id, uint32_t sequence)
{
	cleanup_buf struct buf is = { 0 }, should = made(id, sequence);

	if (store_get_segment(rig->store, id, sequence, &is, &rig->err) < 0)
		fail_msg("%s", rig->err.text);
	assert_int_equal(is.len, should.len);
	assert_memory_equal(is.data, should.data, is.len);
}

/* All confirmed ones are there; all there are are whole, and the catalog knows them. Returns how many there are. */
static size_t check(struct rig *rig, uint32_t instant, const uint32_t last[RUNS])
{
	size_t all = 0;

	for (uint32_t run = 0; run < RUNS; run++) {
		cleanup_free uint32_t *sequences = NULL;
		char query[64];
		struct store_query q;
		struct store_runs found;
		struct ulid id;
		size_t count = 0;
		int r;

		run_name(&id, instant, run);
		r = store_sequences(rig->store, &id, &sequences, &count, &rig->err);
		assert_true(r == 0 || (r == -ENOENT && last[run] == 0));
		assert_true(count >= last[run]);
		for (size_t i = 0; i < count; i++) {
			if (i < last[run])
				assert_int_equal(sequences[i], i + 1); /* confirmed in order, so all up to the last */
			assert_whole(rig, &id, sequences[i]);
		}
		(void)snprintf(query, sizeof(query), "id=%s", id.text);
		assert_int_equal(store_query_parse(&q, query, &rig->err), 0);
		assert_int_equal(store_find(rig->store, &q, &found, &rig->err), 0);
		assert_int_equal(found.count, count > 0);
		if (count)
			assert_int_equal(found.at[0].segments, count);
		store_runs_free(&found);
		store_query_free(&q);
		all += count;
	}
	return all;
}

/* Kill a child after `wait_ns`; returns how many segments it had been told are durable. */
static size_t instant_of(struct rig *rig, uint32_t instant, uint64_t seed, uint64_t wait_ns, uint32_t last[RUNS])
{
	const struct timespec wait = { .tv_nsec = (long)wait_ns };
	struct confirmed told[64];
	size_t confirmed = 0;
	int fds[2], status;
	ssize_t n;
	pid_t pid;

	assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		(void)close(fds[0]);
		child(rig, instant, seed, fds[1]);
	}
	(void)close(fds[1]);
	(void)nanosleep(&wait, NULL);
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status)); /* it had not failed by itself */
	while ((n = read(fds[0], told, sizeof(told))) > 0) {
		assert_int_equal((size_t)n % sizeof(*told), 0);
		for (size_t i = 0; i < (size_t)n / sizeof(*told); i++, confirmed++)
			if (told[i].sequence > last[told[i].run])
				last[told[i].run] = told[i].sequence;
	}
	(void)close(fds[0]);
	return confirmed;
}

static void what_was_confirmed_outlives_a_kill(void **state)
{
	struct rig *rig = *state;
	const char *given = getenv("ASSAY_SEED");
	struct text text = text_of(given ? given : "");
	uint64_t seed = 20261130, x, end = now_ns() + SECONDS * SECOND;
	size_t confirmed = 0, there = 0, with_news = 0;
	uint32_t instant;

	(void)text_u64(&text, &seed);
	x = seed | 1;
	rig_close(rig);
	for (instant = 0; instant < INSTANTS && now_ns() < end; instant++) {
		uint32_t last[RUNS] = { 0 };
		size_t n;

		n = instant_of(rig, instant, random_next(&x) | 1, random_next(&x) % (150 * 1000 * 1000), last);
		rig_open(rig);
		there += check(rig, instant, last);
		rig_close(rig);
		confirmed += n;
		with_news += n > 0;
	}
	print_message("# seed %llu: killed at %u instants, %zu segments confirmed, %zu there\n",
		      (unsigned long long)seed, instant, confirmed, there);
	assert_true(instant >= 50);
	assert_true(with_news >= 20); /* or it was killed too early to say anything */
	assert_true(there >= confirmed);
	rig_open(rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(what_was_confirmed_outlives_a_kill, rig_setup, rig_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
