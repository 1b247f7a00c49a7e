/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/server/rig.h"

/* A whole run of one segment with one result. */
static void put_run(struct rig *rig, const char *run, const char *commit, const char *testcase, double value)
{
	struct pairs axes = { 0 };
	struct buf sent;

	assert_int_equal(pairs_set(&axes, "commit", commit), 0);
	assert_int_equal(pairs_set(&axes, "testcase", testcase), 0);
	sent = segment_with(run, 1, &axes, "hackbench.throughput", value, true, "");
	assert_int_equal(rig_put_status(rig, run, 1, buf_text(&sent)), 201);
	buf_free(&sent);
	pairs_free(&axes);
}

static void put_two_groups(struct rig *rig)
{
	char run[27];

	for (int i = 0; i < 8; i++) {
		(void)snprintf(run, sizeof(run), "01ARZ3NDEKTSV4RRFFQ69G5FA%d", i);
		put_run(rig, run, i < 4 ? "v6.12" : "v6.13", "hackbench", (i < 4 ? 100000 : 150000) + i);
	}
}

static void lists_runs_by_their_axes(void **state)
{
	struct rig *rig = *state;

	rig_start(rig, (struct server_options){ 0 });
	put_run(rig, RUN_A, "v6.12", "hackbench", 1);
	put_run(rig, RUN_B, "v6.13", "hackbench", 2);
	assert_reply(rig_get(rig, "/v1/runs?query=commit%3Dv6.13"), 200,
		     "{\"runs\":[{\"id\":\"" RUN_B "\",\"axes\":{\"commit\":\"v6.13\",\"testcase\":\"hackbench\"},");
	assert_reply(rig_get(rig, "/v1/runs?limit=1"), 200, "{\"runs\":[{\"id\":\"" RUN_B "\"");
	assert_reply(rig_get(rig, "/v1/runs?query=commit%3Dv7"), 200, "{\"runs\":[]}\n");
	assert_reply(rig_get(rig, "/v1/runs?query=nonsense"), 400, "nonsense");
	assert_reply(rig_get(rig, "/v1/runs?limit=0"), 400, "limit");
	assert_reply(rig_get(rig, "/v1/runs?limit=many"), 400, "limit");
}

static void tells_one_run_with_its_segments(void **state)
{
	struct rig *rig = *state;
	struct buf second = segment_of(RUN_A, 3, "");
	struct reply reply;
	char wanted[128];

	rig_start(rig, (struct server_options){ 0 });
	put_run(rig, RUN_A, "v6.12", "hackbench", 1);
	assert_reply(rig_get(rig, "/v1/runs/" RUN_A), 200, "\"complete\":true,\"exit_code\":0,\"signal\":0}");
	assert_int_equal(rig_put_status(rig, RUN_A, 3, buf_text(&second)), 201);
	reply = rig_get(rig, "/v1/runs/" RUN_A);
	assert_status(reply, 200);
	(void)snprintf(wanted, sizeof(wanted), ",{\"segment\":3,\"bytes\":%zu}]}\n", second.len);
	assert_says(reply, "\"facts\":{");
	assert_says(reply, "\"host\":\"lab-1\"");
	assert_says(reply, "\"segments\":[{\"segment\":1,\"bytes\":");
	assert_says(reply, wanted);
	assert_says(reply, "\"complete\":false"); /* the second is missing */
	buf_free(&reply.body);
	buf_free(&second);
	assert_reply(rig_get(rig, "/v1/runs/@0"), 200, RUN_A);
	assert_reply(rig_get(rig, "/v1/runs/01ARZ"), 200, RUN_A);
	assert_reply(rig_get(rig, "/v1/runs/" RUN_B), 404, RUN_B);
	assert_reply(rig_get(rig, "/v1/runs/no-run"), 400, "no-run");
}

static void gives_the_stats_of_a_run(void **state)
{
	struct rig *rig = *state;
	struct buf more = segment_with(RUN_A, 2, NULL, "hackbench.late", 7, false, "");
	char kept[400];

	rig_start(rig, (struct server_options){ 0 });
	put_run(rig, RUN_A, "v6.12", "hackbench", 123.5);
	for (int i = 0; i < 2; i++) /* reduced, then kept */
		assert_reply(rig_get(rig, "/v1/runs/" RUN_A "/stats"), 200,
			     "{\"run\":\"" RUN_A "\",\"stats\":{\"hackbench.throughput\":123.5}}\n");
	(void)snprintf(kept, sizeof(kept), "%s/runs/%s/stats", rig->folder, RUN_A);
	assert_int_equal(access(kept, R_OK), 0);
	assert_int_equal(rig_put_status(rig, RUN_A, 2, buf_text(&more)), 201);
	assert_reply(rig_get(rig, "/v1/runs/" RUN_A "/stats"), 200, "\"hackbench.late\":7");
	buf_free(&more);
	assert_reply(rig_get(rig, "/v1/runs/" RUN_B "/stats"), 404, "{\"error\":");
}

static void stats_of_other_rules_or_torn_are_made_anew(void **state)
{
	static const char *const bad[] = { "assay-stats 0\nhackbench.throughput 1\n", "assay-stats 2\nhackbench.thr",
					   "", "\xff" };
	struct rig *rig = *state;

	rig_start(rig, (struct server_options){ 0 });
	put_run(rig, RUN_A, "v6.12", "hackbench", 123.5);
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		write_file(rig->folder, "runs/" RUN_A "/stats", bad[i], strlen(bad[i]));
		assert_reply(rig_get(rig, "/v1/runs/" RUN_A "/stats"), 200, "{\"hackbench.throughput\":123.5}");
	}
}

static void compares_as_text_and_as_json(void **state)
{
	struct rig *rig = *state;
	struct reply reply;

	rig_start(rig, (struct server_options){ 0 });
	put_two_groups(rig);
	reply = rig_get(rig, "/v1/compare?base=v6.12&head=v6.13");
	assert_status(reply, 200);
	assert_non_null(strstr(reply.head, "Content-Type: text/plain; charset=utf-8\r\n"));
	assert_non_null(strstr(reply.head, "Vary: Accept\r\n"));
	assert_says(reply, "commit: \n  v6.12\n  v6.13\n\n");
	assert_says(reply, "    100001           +50.0%     150005        hackbench.throughput\n");
	buf_free(&reply.body);
	reply = rig_ask_with(rig, "GET", "/v1/compare?base=commit%3Dv6.12&head=commit%3Dv6.13,testcase%3Dhackbench",
			     "Accept: application/json\r\n");
	assert_status(reply, 200);
	assert_non_null(strstr(reply.head, "Content-Type: application/json\r\n"));
	assert_says(reply, "\"key\":\"hackbench.throughput\"");
	buf_free(&reply.body);
	assert_reply(rig_get(rig, "/v1/compare?base=v6.12&head=v6.13&format=json"), 200,
		     "{\"rules\":\"assay\",\"axis\":\"commit\"");
	assert_reply(rig_get(rig, "/v1/compare?base=v6.12&head=v6.13&rules=lkp&format=json"), 200,
		     "{\"rules\":\"lkp\",\"axis\":\"commit\"");
	assert_reply(rig_ask_with(rig, "GET", "/v1/compare?base=v6.12&head=v6.13&format=text",
				  "Accept: application/json\r\n"),
		     200, "commit: \n");
	assert_reply(rig_get(rig, "/v1/compare?base=v6.12&head=v6.13&filter=nothing*&format=json"), 200, "\"rows\":[]");
}

static void says_what_is_wrong_with_a_comparison(void **state)
{
	struct rig *rig = *state;

	rig_start(rig, (struct server_options){ 0 });
	put_two_groups(rig);
	assert_reply(rig_get(rig, "/v1/history?key=hackbench.throughput&query=testcase%3Dhackbench"), 200,
		     "hackbench.throughput: 8 runs in 2 points by commit\n");
	assert_reply(rig_get(rig, "/v1/history?key=hackbench.throughput&format=json"), 200, "{\"key\":\"hackbench.throughput\"");
	assert_reply(rig_get(rig, "/v1/history?key=hackbench.throughput&format=svg"), 200, "<svg ");
	assert_reply(rig_get(rig, "/v1/history"), 400, "key=");
	assert_reply(rig_get(rig, "/v1/history?key=nothing"), 404, "nothing");
	assert_reply(rig_get(rig, "/v1/history?key=a&colour=b"), 400, "no argument 'colour'");
	assert_reply(rig_get(rig, "/v1/plot?key=hackbench.throughput&base=v6.12&head=v6.13"), 200, "hackbench.throughput");
	assert_reply(rig_get(rig, "/v1/plot?key=hackbench.throughput&base=v6.12&format=svg"), 200, "<svg ");
	assert_reply(rig_get(rig, "/v1/plot?key=hackbench.throughput"), 400, "base=");
	assert_reply(rig_get(rig, "/v1/plot?key=a&base=v6.12&format=pdf"), 400, "pdf");
	assert_reply(rig_get(rig, "/v1/compare"), 400, "base=");
	assert_reply(rig_get(rig, "/v1/compare?base=v6.12"), 400, "head");
	assert_reply(rig_get(rig, "/v1/compare?base=v6.12&head=v5"), 404, "v5");
	assert_reply(rig_get(rig, "/v1/compare?base=v6.12&head=v6.12"), 400, "is in v6.12 and in v6.12");
	assert_reply(rig_get(rig, "/v1/compare?base=v6.12&head=a,b=c"), 400, "{\"error\":");
	assert_reply(rig_get(rig, "/v1/compare?base=v6.12&head=v6.13&all=maybe"), 400, "maybe");
	assert_reply(rig_get(rig, "/v1/compare?base=v6.12&head=v6.13&q=7"), 400, "between 0 and 1");
	assert_reply(rig_get(rig, "/v1/compare?base=v6.12&head=v6.13&gap=0.5"), 400, "rules lkp");
	assert_reply(rig_get(rig, "/v1/compare?base=v6.12&head=v6.13&colour=red"), 400, "no option 'colour'");
	assert_reply(rig_get(rig, "/v1/compare?base=v6.12&head=v6.13&format=pdf"), 400, "pdf");
	assert_reply(rig_get(rig, "/v1/compare?base=&head="), 400, "no name");
}

static void other_methods_are_told_which_are_allowed(void **state)
{
	static const struct {
		const char *method, *target, *allow;
	} wrong[] = {
		{ "DELETE", "/v1/runs/" RUN_A, "Allow: GET, HEAD\r\n" },
		{ "POST", "/v1/compare", "Allow: GET, HEAD\r\n" },
		{ "OPTIONS", "/v1/runs/" RUN_A "/segments/1", "Allow: GET, HEAD, PUT\r\n" },
		{ "PUT", "/healthz", "Allow: GET, HEAD\r\n" },
		{ "get", "/healthz", "Allow: GET, HEAD\r\n" },
		{ "BREW", "/", "Allow: GET, HEAD\r\n" },
	};
	struct rig *rig = *state;

	rig_start(rig, (struct server_options){ 0 });
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		struct reply reply = rig_ask_with(rig, wrong[i].method, wrong[i].target, "");

		assert_status(reply, 405);
		assert_non_null(strstr(reply.head, wrong[i].allow));
		buf_free(&reply.body);
	}
}

static void head_is_get_without_a_body(void **state)
{
	struct rig *rig = *state;
	struct reply reply;

	rig_start(rig, (struct server_options){ 0 });
	reply = rig_ask_with(rig, "HEAD", "/healthz", "");
	assert_status(reply, 200);
	assert_non_null(strstr(reply.head, "Content-Length: 3\r\n"));
	assert_int_equal(reply.body.len, 0);
	buf_free(&reply.body);
	reply = rig_ask_with(rig, "HEAD", "/v1/runs/" RUN_A, "");
	assert_status(reply, 404);
	buf_free(&reply.body);
}

static void unknown_addresses_are_not_found_and_not_repeated_raw(void **state)
{
	static const char *const unknown[] = { "/v1",
					       "/v1/",
					       "/v2/runs",
					       "/v1/runs/",
					       "/index.html",
					       "/../etc/passwd",
					       "/v1/runs/../../etc/passwd",
					       "/a/b/c/d/e/f/g/h/i/j" };
	struct rig *rig = *state;
	struct reply reply;

	rig_start(rig, (struct server_options){ 0 });
	for (size_t i = 0; i < sizeof(unknown) / sizeof(*unknown); i++)
		assert_reply(rig_get(rig, unknown[i]), 404, "{\"error\":");
	reply = rig_get(rig, "/v1/runs/%22%7D%3Cscript%3E%0A%FF");
	assert_status(reply, 400);
	assert_non_null(strstr(reply.head, "Content-Type: application/json\r\n"));
	assert_non_null(strstr(reply.head, "X-Content-Type-Options: nosniff\r\n"));
	assert_says(reply, "'\\\"}<script>\\u000a\xef\xbf\xbd'");
	buf_free(&reply.body);
}

static void the_page_escapes_what_clients_sent(void **state)
{
	struct rig *rig = *state;
	struct reply reply;

	rig_start(rig, (struct server_options){ 0 });
	assert_reply(rig_get(rig, "/"), 200, "None yet");
	put_run(rig, RUN_A, "<script>alert('1')</script>&\"", "hackbench", 1);
	reply = rig_get(rig, "/");
	assert_status(reply, 200);
	assert_non_null(strstr(reply.head, "Content-Security-Policy: default-src 'none'"));
	assert_says(reply, "commit=&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;&quot;");
	assert_null(strstr(reply.body.data, "<script>"));
	assert_says(reply, "<a href=\"v1/runs/" RUN_A "/stats\">stats</a>");
	buf_free(&reply.body);
}

static void the_page_stays_short_whatever_axes_runs_have(void **state)
{
	static char value[120001];
	struct rig *rig = *state;
	struct pairs axes = { 0 };
	struct buf sent;
	struct reply reply;
	char name[16];

	rig_start(rig, (struct server_options){ 0 });
	memset(value, '<', sizeof(value) - 1);
	assert_int_equal(pairs_set(&axes, "a0", value), 0);
	sent = segment_with(RUN_A, 1, &axes, NULL, 0, true, "");
	assert_reply(rig_put(rig, "/v1/runs/" RUN_A "/segments/1", "", buf_text(&sent)), 422,
		     "the axis 'a0' has a value of 120000 bytes; 1024 are allowed");
	buf_free(&sent);
	value[1024] = '\0';
	memcpy(value + 79, "\xc3\xa4", 2); /* a letter that stands across the end of what is shown */
	for (int i = 0; i < 64; i++) {
		(void)snprintf(name, sizeof(name), "a%d", i);
		assert_int_equal(pairs_set(&axes, name, value), 0);
	}
	sent = segment_with(RUN_A, 1, &axes, NULL, 0, true, "");
	assert_int_equal(rig_put_status(rig, RUN_A, 1, buf_text(&sent)), 201);
	buf_free(&sent);
	reply = rig_get(rig, "/");
	assert_status(reply, 200);
	assert_says(reply, "&lt;&hellip;</code> and 48 more<td>");
	assert_true(reply.body.len < 12000);
	buf_free(&reply.body);
	pairs_free(&axes);
}

static void arguments_that_no_one_knows_are_refused(void **state)
{
	struct rig *rig = *state;

	rig_start(rig, (struct server_options){ 0 });
	assert_reply(rig_get(rig, "/v1/runs?querry=a%3Db"), 400, "there is no argument 'querry' here, only: query limit");
	assert_reply(rig_get(rig, "/v1/runs?limit=1&limit=2"), 400, "'limit' is given twice");
	assert_reply(rig_get(rig, "/v1/runs/@0/stats?key=x"), 400, "there is no argument 'key' here\"");
	assert_reply(rig_get(rig, "/?page=2"), 400, "'page'");
	assert_reply(rig_get(rig, "/v1/compare?base=a&head=b&colour=1"), 400, "colour");
	assert_reply(rig_get(rig, "/v1/runs?"), 200, "");
}

static void one_connection_serves_many_requests(void **state)
{
	struct rig *rig = *state;
	int fd;

	rig_start(rig, (struct server_options){ 0 });
	fd = rig_connect(rig->port);
	for (int i = 0; i < 20; i++) {
		assert_true(rig_begin(fd, "GET", i % 2 ? "/healthz" : "/nowhere", ""));
		assert_reply(rig_read(fd, false), i % 2 ? 200u : 404u, i % 2 ? "ok" : "error");
	}
	(void)close(fd);
}

static void listens_on_loopback_only(void **state)
{
	static const char *const others[] = { "0.0.0.0", "::", "192.0.2.1" };
	struct rig *rig = *state;
	struct server_options options = { .store = rig->folder };
	struct server *server;

	fresh_folder(rig->folder, sizeof(rig->folder));
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		options.address = others[i];
		assert_int_equal(server_start(&server, &options, &rig->err), -EPERM);
		assert_non_null(strstr(rig->err.text, "TLS"));
	}
	options.address = "localhost.example";
	assert_int_equal(server_start(&server, &options, &rig->err), -EINVAL);
}

static void says_that_a_port_is_taken(void **state)
{
	struct rig *rig = *state;
	struct server_options options = { 0 };
	struct server *second;

	rig_start(rig, (struct server_options){ 0 });
	options.store = rig->folder;
	options.port = rig->port;
	assert_int_equal(server_start(&second, &options, &rig->err), -EADDRINUSE);
	assert_non_null(strstr(rig->err.text, "listen on 127.0.0.1"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(lists_runs_by_their_axes, rig_setup, rig_teardown),
		cmocka_unit_test_setup_teardown(tells_one_run_with_its_segments, rig_setup, rig_teardown),
		cmocka_unit_test_setup_teardown(gives_the_stats_of_a_run, rig_setup, rig_teardown),
		cmocka_unit_test_setup_teardown(stats_of_other_rules_or_torn_are_made_anew, rig_setup, rig_teardown),
		cmocka_unit_test_setup_teardown(compares_as_text_and_as_json, rig_setup, rig_teardown),
		cmocka_unit_test_setup_teardown(says_what_is_wrong_with_a_comparison, rig_setup, rig_teardown),
		cmocka_unit_test_setup_teardown(other_methods_are_told_which_are_allowed, rig_setup, rig_teardown),
		cmocka_unit_test_setup_teardown(head_is_get_without_a_body, rig_setup, rig_teardown),
		cmocka_unit_test_setup_teardown(unknown_addresses_are_not_found_and_not_repeated_raw, rig_setup,
						rig_teardown),
		cmocka_unit_test_setup_teardown(the_page_escapes_what_clients_sent, rig_setup, rig_teardown),
		cmocka_unit_test_setup_teardown(the_page_stays_short_whatever_axes_runs_have, rig_setup, rig_teardown),
		cmocka_unit_test_setup_teardown(arguments_that_no_one_knows_are_refused, rig_setup, rig_teardown),
		cmocka_unit_test_setup_teardown(one_connection_serves_many_requests, rig_setup, rig_teardown),
		cmocka_unit_test_setup_teardown(listens_on_loopback_only, rig_setup, rig_teardown),
		cmocka_unit_test_setup_teardown(says_that_a_port_is_taken, rig_setup, rig_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
