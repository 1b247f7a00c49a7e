/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/html.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void escapes_what_a_page_would_take_for_its_own(void **state)
{
	struct buf b = { 0 };

	assert_int_equal(html_text(&b, "<a href=\"x\">'&amp;' ü"), 0);
	assert_string_equal(b.data, "&lt;a href=&quot;x&quot;&gt;&#39;&amp;amp;&#39; ü");
	buf_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(escapes_what_a_page_would_take_for_its_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
