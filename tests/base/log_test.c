/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/log.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

struct caught {
	FILE *file;
	int kept;
	char text[4096];
};

static void catch_stderr(struct caught *c)
{
	c->file = tmpfile();
	assert_non_null(c->file);
	c->kept = dup(2);
	(void)dup2(fileno(c->file), 2);
}

static void release_stderr(struct caught *c)
{
	(void)dup2(c->kept, 2);
	(void)close(c->kept);
	rewind(c->file);
	c->text[fread(c->text, 1, sizeof(c->text) - 1, c->file)] = '\0';
	(void)fclose(c->file);
}

static void says_who_and_how_bad(void **state)
{
	struct caught c;

	catch_stderr(&c);
	log_setup("assay", LOG_NOTICE);
	log_error("%s: %d", "a", 1);
	log_warning("b");
	log_notice("c");
	log_debug("not asked for");
	release_stderr(&c);
	assert_string_equal(c.text, "assay: error: a: 1\nassay: warning: b\nassay: c\n");
}

static void drops_what_is_above_its_level(void **state)
{
	struct caught c;

	catch_stderr(&c);
	log_setup("assay-server", LOG_ERROR);
	log_warning("no");
	log_error("yes");
	log_setup("assay-server", LOG_DEBUG);
	log_debug("now");
	release_stderr(&c);
	assert_string_equal(c.text, "assay-server: error: yes\nassay-server: debug: now\n");
}

static void cuts_a_line_that_is_too_long(void **state)
{
	struct caught c;
	char many[3000];

	memset(many, 'x', sizeof(many) - 1);
	many[sizeof(many) - 1] = '\0';
	catch_stderr(&c);
	log_setup("assay", LOG_NOTICE);
	log_error("%s", many);
	release_stderr(&c);
	assert_int_equal(strlen(c.text), 1023);
	assert_int_equal(c.text[1022], '\n');
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(says_who_and_how_bad),
		cmocka_unit_test(drops_what_is_above_its_level),
		cmocka_unit_test(cuts_a_line_that_is_too_long),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
