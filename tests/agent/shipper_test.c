/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/agent/stub.h"

#include <time.h>

#include "agent/courier.h"
#include "agent/recorder.h"
#include "agent/shipper.h"
#include "base/take.h"

#define SECOND UINT64_C(1000000000)

static const struct ulid run = { RIG_RUN };

/* ---- one PUT ---- */

struct answered {
	int code;
	uint64_t retry_ns;
	struct err err;
	struct stub_request request;
};

static struct answered put_once(struct stub_answer answer)
{
	struct answered a = { 0 };
	struct stub stub;
	struct shipper *shipper;

	stub_start(&stub, &answer, 1);
	assert_int_equal(shipper_open(&shipper, stub.url, &a.err), 0);
	a.code = shipper_put(shipper, &run, 7, text_of("twelve bytes"), &a.retry_ns, &a.err);
	shipper_close(shipper);
	stub_stop(&stub);
	a.request = stub.request[0];
	return a;
}

static void puts_the_bytes_under_run_and_sequence(void **state)
{
	struct answered a = put_once((struct stub_answer){ .status = 201 });

	assert_int_equal(a.code, 0);
	assert_string_equal(a.request.line, "PUT /v1/runs/" RIG_RUN "/segments/7 HTTP/1.1");
	assert_int_equal(a.request.length, 12);
	assert_true(a.request.octets);
}

static void tells_answers_apart(void **state)
{
	static const struct {
		int status, code;
	} rows[] = {
		{ 200, 0 },	    { 201, 0 },	      { 204, 0 },	{ 409, -EEXIST }, { 400, -EBADMSG },
		{ 401, -EBADMSG },  { 404, -EBADMSG }, { 413, -EBADMSG }, { 422, -EBADMSG }, { 429, -EAGAIN },
		{ 408, -EAGAIN },   { 500, -EAGAIN },  { 503, -EAGAIN },  { 302, -EAGAIN },  { 0, -EAGAIN },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		assert_int_equal(shipper_verdict(rows[i].status), rows[i].code);
}

static void shows_what_the_other_side_said(void **state)
{
	struct answered a = put_once((struct stub_answer){ .status = 422, .body = "\r\n no \033[31msegment\nmore" });

	assert_int_equal(a.code, -EBADMSG);
	assert_non_null(strstr(a.err.text, "/segments/7: 422 no  [31msegment"));
	assert_null(strstr(a.err.text, "more"));
}

static void waits_as_long_as_it_is_asked_to(void **state)
{
	struct answered a = put_once((struct stub_answer){ .status = 429, .headers = "Retry-After: 2\r\n" });

	assert_int_equal(a.code, -EAGAIN);
	assert_int_equal(a.retry_ns, 2 * SECOND);
	a = put_once((struct stub_answer){ .status = 503, .headers = "Retry-After: 99999999\r\n" });
	assert_int_equal(a.retry_ns, 3600 * SECOND);
	a = put_once((struct stub_answer){ .status = 503, .headers = "Retry-After: soon\r\n" });
	assert_int_equal(a.retry_ns, 0);
	a = put_once((struct stub_answer){ .status = 503, .headers = "Retry-After: -5\r\n" });
	assert_int_equal(a.retry_ns, 0);
}

static void waits_until_the_date_it_is_told(void **state)
{
	char header[100];
	time_t then = time(NULL) + 100;
	struct tm tm;
	struct answered a;

	assert_non_null(gmtime_r(&then, &tm));
	assert_true(strftime(header, sizeof(header), "Retry-After: %a, %d %b %Y %H:%M:%S GMT\r\n", &tm) > 0);
	a = put_once((struct stub_answer){ .status = 503, .headers = header });
	assert_true(a.retry_ns > 40 * SECOND && a.retry_ns <= 100 * SECOND);
}

static void follows_nobody_elsewhere(void **state)
{
	struct answered a = put_once((struct stub_answer){ .status = 302, .headers = "Location: file:///etc/passwd\r\n" });

	assert_int_equal(a.code, -EAGAIN);
}

static void takes_a_cut_connection_as_later(void **state)
{
	assert_int_equal(put_once((struct stub_answer){ .status = 0 }).code, -EAGAIN);
}

static void takes_no_server_as_later(void **state)
{
	struct shipper *shipper;
	struct err err;
	uint64_t retry_ns;

	assert_int_equal(shipper_open(&shipper, "http://127.0.0.1:1", &err), 0);
	assert_int_equal(shipper_put(shipper, &run, 1, text_of("x"), &retry_ns, &err), -EAGAIN);
	assert_int_equal(retry_ns, 0);
	shipper_close(shipper);
}

static void gives_a_silent_server_up_at_its_deadline(void **state)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } };
	socklen_t length = sizeof(address);
	cleanup_fd int silent = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	_Atomic uint64_t deadline = 0;
	struct shipper *shipper;
	struct err err;
	uint64_t retry_ns;
	char url[64];

	assert_int_equal(bind(silent, (struct sockaddr *)&address, length), 0);
	assert_int_equal(listen(silent, 1), 0); /* the kernel takes the connection, nobody answers */
	assert_int_equal(getsockname(silent, (struct sockaddr *)&address, &length), 0);
	(void)snprintf(url, sizeof(url), "http://127.0.0.1:%u", (unsigned)ntohs(address.sin_port));
	assert_int_equal(shipper_open(&shipper, url, &err), 0);
	deadline = clock_monotonic() + SECOND / 10;
	shipper_obey(shipper, &deadline);
	assert_int_equal(shipper_put(shipper, &run, 1, text_of("x"), &retry_ns, &err), -EAGAIN);
	assert_true(clock_monotonic() < deadline + 15 * SECOND); /* and not after its own 20 s */
	shipper_close(shipper);
}

static void keeps_one_connection(void **state)
{
	const struct stub_answer ok = { .status = 201 };
	struct stub stub;
	struct shipper *shipper;
	struct err err;
	uint64_t retry_ns;

	stub_start(&stub, &ok, 1);
	assert_int_equal(shipper_open(&shipper, stub.url, &err), 0);
	for (uint32_t sequence = 1; sequence <= 3; sequence++)
		assert_int_equal(shipper_put(shipper, &run, sequence, text_of("x"), &retry_ns, &err), 0);
	shipper_close(shipper);
	stub_stop(&stub);
	assert_int_equal(stub.requests, 3);
	assert_true(stub.request[0].fresh);
	assert_false(stub.request[1].fresh);
	assert_false(stub.request[2].fresh);
}

static void refuses_what_is_no_address_of_a_server(void **state)
{
	static const char *const urls[] = { "",	     "lab:8080",	"ftp://lab",	"http://",	   "https:///",
					    "http://lab/?x", "http://lab/#x", "http://la b", "http://lab\r\nX: y", "file:///x" };
	struct shipper *shipper;
	struct err err;

	for (size_t i = 0; i < sizeof(urls) / sizeof(*urls); i++)
		assert_int_equal(shipper_open(&shipper, urls[i], &err), -EINVAL);
}

static void joins_the_address_with_or_without_slash(void **state)
{
	struct buf a = { 0 }, b = { 0 };
	struct err err;

	assert_int_equal(shipper_address("https://lab/assay", &run, 12, &a, &err), 0);
	assert_int_equal(shipper_address("https://lab/assay//", &run, 12, &b, &err), 0);
	assert_string_equal(a.data, "https://lab/assay/v1/runs/" RIG_RUN "/segments/12");
	assert_string_equal(a.data, b.data);
	buf_free(&a);
	buf_free(&b);
}

static void pauses_longer_each_time_and_never_as_another_does(void **state)
{
	struct pause pause = { 0 };
	const uint64_t some = UINT64_C(0x123456789abcdef);
	uint64_t before = 0;

	for (int i = 0; i < 9; i++) {
		uint64_t ns = pause_next(&pause, 0, some);

		assert_true(ns >= (SECOND / 10) << i && ns < (SECOND / 5) << i);
		assert_true(ns > before);
		before = ns;
	}
	for (int i = 0; i < 100; i++) {
		uint64_t ns = pause_next(&pause, 0, some * (uint64_t)i);

		assert_true(ns >= 30 * SECOND && ns < 60 * SECOND);
	}
	assert_int_equal(pause_next(&pause, 90 * SECOND, some), 90 * SECOND);
}

/* ---- a run against a server ---- */

static int run_against(struct rig *rig, struct stub *stub, const struct stub_answer *script, size_t answers)
{
	int r;

	stub_start(stub, script, answers);
	rig->plan.deliver = NULL;
	rig->plan.url = stub->url;
	r = rig_run(rig, "true");
	rig->plan.url = NULL;
	stub_stop(stub);
	return r;
}

static void delivers_after_trouble(void **state)
{
	static const struct stub_answer script[] = {
		/* Closed, since libcurl itself repeats at once what it sent on a kept connection that dies. */
		{ .status = 503, .close = true }, { .status = 0 }, { .status = 503 }, { .status = 201 },
	};
	struct rig *rig = *state;
	struct stub stub;

	rig->plan.grace_ns = 60 * SECOND;
	assert_int_equal(run_against(rig, &stub, script, 4), 0);
	assert_int_equal(stub.requests, 4);
	assert_int_equal(rig->outcome.undelivered, 0);
	assert_true(stub.request[1].at_ns - stub.request[0].at_ns >= SECOND / 10);
	assert_true(stub.request[2].at_ns - stub.request[1].at_ns >= SECOND / 5);
	assert_true(rig_spool_is_empty(rig));
}

static void comes_no_sooner_than_it_is_asked_to(void **state)
{
	static const struct stub_answer script[] = {
		{ .status = 429, .headers = "Retry-After: 2\r\n" }, { .status = 200 },
	};
	struct rig *rig = *state;
	struct stub stub;

	rig->plan.grace_ns = 60 * SECOND;
	assert_int_equal(run_against(rig, &stub, script, 2), 0);
	assert_int_equal(stub.requests, 2);
	assert_true(stub.request[1].at_ns - stub.request[0].at_ns >= 2 * SECOND);
}

static void never_sends_again_what_is_refused(void **state)
{
	static const struct stub_answer script[] = { { .status = 413, .body = "too large" } };
	struct rig *rig = *state;
	struct stub stub;
	char path[400];

	assert_int_equal(run_against(rig, &stub, script, 1), 0);
	assert_int_equal(stub.requests, 1);
	assert_int_equal(rig->outcome.undelivered, 1);
	assert_non_null(strstr(rig->outcome.delivery.text, "413 too large"));
	assert_true(rig_was_noticed(rig, "segment 1 was refused and is kept in the spool"));
	(void)snprintf(path, sizeof(path), "%s/" RIG_RUN "/000001.refused", rig->spool);
	assert_int_equal(access(path, R_OK), 0);
}

static void leaves_in_the_spool_what_cannot_be_delivered_in_time(void **state)
{
	static const struct stub_answer script[] = { { .status = 503, .headers = "Retry-After: 600\r\n" } };
	struct rig *rig = *state;
	struct stub stub;
	uint64_t begin = clock_monotonic();
	char path[400];

	assert_int_equal(run_against(rig, &stub, script, 1), 0);
	assert_true(clock_monotonic() - begin < 9 * SECOND); /* it is of no use to wait for the grace to be over */
	assert_int_equal(rig->outcome.end.exit_code, 0);
	assert_int_equal(rig->outcome.undelivered, 1);
	assert_string_equal(rig->outcome.undelivered_why, "not delivered in time");
	(void)snprintf(path, sizeof(path), "%s/" RIG_RUN "/000001.seg", rig->spool);
	assert_int_equal(access(path, R_OK), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, rig_setup, rig_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(puts_the_bytes_under_run_and_sequence),
		cmocka_unit_test(tells_answers_apart),
		cmocka_unit_test(shows_what_the_other_side_said),
		cmocka_unit_test(waits_as_long_as_it_is_asked_to),
		cmocka_unit_test(waits_until_the_date_it_is_told),
		cmocka_unit_test(follows_nobody_elsewhere),
		cmocka_unit_test(takes_a_cut_connection_as_later),
		cmocka_unit_test(takes_no_server_as_later),
		cmocka_unit_test(gives_a_silent_server_up_at_its_deadline),
		cmocka_unit_test(keeps_one_connection),
		cmocka_unit_test(refuses_what_is_no_address_of_a_server),
		cmocka_unit_test(joins_the_address_with_or_without_slash),
		cmocka_unit_test(pauses_longer_each_time_and_never_as_another_does),
		TEST(delivers_after_trouble),
		TEST(comes_no_sooner_than_it_is_asked_to),
		TEST(never_sends_again_what_is_refused),
		TEST(leaves_in_the_spool_what_cannot_be_delivered_in_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
