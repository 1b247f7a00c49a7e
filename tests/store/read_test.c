/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/store/rig.h"

#define RUN "01JDZZ00000000000000000001"

/* What a listener heard, a word an event. */
struct heard {
	struct buf words;
	int refuse; /* what the output event returns */
};

static int on_header(void *context, const struct run_header *header, struct err *err)
{
	struct heard *h = context;

	return buf_printf(&h->words, "header %u\n", header->sequence);
}

static int on_output(void *context, const struct run_output *output, struct err *err)
{
	struct heard *h = context;

	if (h->refuse)
		return err_set(err, h->refuse, "enough");
	return buf_printf(&h->words, "output %.*s\n", (int)output->length, output->data);
}

static int on_log(void *context, const struct run_log *log, struct err *err)
{
	struct heard *h = context;

	return buf_printf(&h->words, "%s: %s\n", log->source, log->text);
}

static int on_facts(void *context, const struct pairs *axes, const struct pairs *facts, struct err *err)
{
	struct heard *h = context;

	return buf_printf(&h->words, "facts %s\n", axes->at[0].value);
}

static int on_end(void *context, const struct run_end *end, struct err *err)
{
	struct heard *h = context;

	return buf_printf(&h->words, "end %d\n", end->exit_code);
}

static const struct run_events all = {
	.header = on_header,
	.output = on_output,
	.log = on_log,
	.facts = on_facts,
	.end = on_end,
};

static const struct said first = { .axes = "commit=v1", .output = "one" };
static const struct said second = { .output = "two" };
static const struct said third = { .output = "three", .end = true, .exit_code = 3 };

static void three_segments(struct rig *rig)
{
	assert_int_equal(rig_put(rig, RUN, 3, &third), PUT_CREATED);
	assert_int_equal(rig_put(rig, RUN, 1, &first), PUT_CREATED);
	assert_int_equal(rig_put(rig, RUN, 2, &second), PUT_CREATED);
}

static void reads_segments_in_their_order(void **state)
{
	struct rig *rig = *state;
	struct ulid id = id_of(RUN);
	struct heard heard = { 0 };

	three_segments(rig);
	assert_int_equal(store_read(rig->store, &id, &all, &heard, &rig->err), 0);
	assert_string_equal(heard.words.data, "header 1\nfacts v1\noutput one\n"
					      "header 2\noutput two\n"
					      "header 3\noutput three\nend 3\n");
	buf_free(&heard.words);
}

static void tells_a_broken_segment_and_reads_on(void **state)
{
	struct rig *rig = *state;
	struct ulid id = id_of(RUN);
	struct heard heard = { 0 };

	three_segments(rig);
	write_file(rig->path, "runs/" RUN "/000002.seg", "garbage", 7);
	assert_int_equal(store_read(rig->store, &id, &all, &heard, &rig->err), 0);
	assert_non_null(strstr(heard.words.data, "output one\nstore: segment 2 cannot be read: "));
	assert_non_null(strstr(heard.words.data, "\nheader 3\noutput three\nend 3\n"));
	assert_null(strstr(heard.words.data, "two"));
	buf_free(&heard.words);
}

static void tells_a_segment_under_another_name(void **state)
{
	struct rig *rig = *state;
	struct ulid id = id_of(RUN);
	struct heard heard = { 0 };
	cleanup_buf struct buf sealed = segment_of(&id, 2, &second);

	three_segments(rig);
	write_file(rig->path, "runs/" RUN "/000004.seg", sealed.data, sealed.len);
	assert_int_equal(store_read(rig->store, &id, &all, &heard, &rig->err), 0);
	assert_non_null(strstr(heard.words.data, "end 3\nstore: segment 4 cannot be read: "));
	assert_non_null(strstr(heard.words.data, "its header says run " RUN ", segment 2\n"));
	buf_free(&heard.words);
}

static void a_listener_ends_the_reading(void **state)
{
	struct rig *rig = *state;
	struct ulid id = id_of(RUN);
	struct heard heard = { .refuse = -EBADMSG };

	three_segments(rig);
	assert_int_equal(store_read(rig->store, &id, &all, &heard, &rig->err), -EBADMSG);
	assert_non_null(strstr(rig->err.text, "enough"));
	assert_string_equal(heard.words.data, "header 1\nfacts v1\n");
	buf_free(&heard.words);
}

static void a_run_that_is_not_here_cannot_be_read(void **state)
{
	struct rig *rig = *state;
	struct ulid id = id_of(RUN);
	struct heard heard = { 0 };
	struct buf bytes = { 0 };

	assert_int_equal(store_read(rig->store, &id, &all, &heard, &rig->err), -ENOENT);
	assert_int_equal(store_get_segment(rig->store, &id, 1, &bytes, &rig->err), -ENOENT);
	three_segments(rig);
	assert_int_equal(store_get_segment(rig->store, &id, 4, &bytes, &rig->err), -ENOENT);
	assert_string_equal(rig->err.text, "run " RUN " has no segment 4");
}

static void a_pipe_in_the_folder_is_not_waited_for(void **state)
{
	struct rig *rig = *state;
	struct ulid id = id_of(RUN);
	struct heard heard = { 0 };
	char path[600];

	three_segments(rig);
	(void)snprintf(path, sizeof(path), "%s/runs/" RUN "/000004.seg", rig->path);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(store_read(rig->store, &id, &all, &heard, &rig->err), 0);
	assert_non_null(strstr(heard.words.data, "segment 4 cannot be read: read 000004.seg: not a regular file"));
	buf_free(&heard.words);
}

static void finds_its_place(void **state)
{
	char *path;

	assert_int_equal(setenv("ASSAY_STORE", "/a", 1), 0);
	assert_int_equal(setenv("XDG_DATA_HOME", "/b", 1), 0);
	assert_int_equal(setenv("HOME", "/c", 1), 0);
	path = store_default_path();
	assert_string_equal(path, "/a");
	free(path);
	assert_int_equal(unsetenv("ASSAY_STORE"), 0);
	path = store_default_path();
	assert_string_equal(path, "/b/assay");
	free(path);
	assert_int_equal(unsetenv("XDG_DATA_HOME"), 0);
	path = store_default_path();
	assert_string_equal(path, "/c/.local/share/assay");
	free(path);
	assert_int_equal(unsetenv("HOME"), 0);
	assert_null(store_default_path());
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, rig_setup, rig_teardown)
	const struct CMUnitTest tests[] = {
		TEST(reads_segments_in_their_order),
		TEST(tells_a_broken_segment_and_reads_on),
		TEST(tells_a_segment_under_another_name),
		TEST(a_listener_ends_the_reading),
		TEST(a_run_that_is_not_here_cannot_be_read),
		TEST(a_pipe_in_the_folder_is_not_waited_for),
		cmocka_unit_test(finds_its_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
