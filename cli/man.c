/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Manual pages from the verbs' tables, in man(7): `assay --man` and `assay --man VERB`; the build installs them. */
#include "cli/man.h"

#include <stdio.h>
#include <string.h>

/* Lines that begin with '.' or ''' are requests, and '-' is a hyphen: both are shielded. */
static void text(const char *s)
{
	bool start = true;

	for (; *s; s++) {
		if (start && (*s == '.' || *s == '\''))
			fputs("\\&", stdout);
		if (*s == '\\')
			fputs("\\e", stdout);
		else if (*s == '-')
			fputs("\\-", stdout);
		else
			putchar(*s);
		start = *s == '\n';
	}
}

/* What is indented by two blanks is an example, laid out as it stands; an empty line parts paragraphs. */
static void body(const char *help)
{
	bool example = false;

	while (*help) {
		size_t len = strcspn(help, "\n");
		bool indented = len > 1 && help[0] == ' ' && help[1] == ' ';
		char line[512];

		(void)snprintf(line, sizeof(line), "%.*s", (int)len, help);
		if (indented != example)
			printf(indented ? ".SH EXAMPLES\n.nf\n" : ".fi\n");
		example = indented;
		if (len == 0 && !example)
			printf(".PP\n");
		else
			text(line), putchar('\n');
		help += len + (help[len] == '\n');
	}
	if (example)
		printf(".fi\n");
}

static void flags_of(const struct verb *verb)
{
	printf(".SH OPTIONS\n");
	for (const struct flag *f = verb->flags; f && f->letter; f++) {
		printf(".TP\n");
		if (f->letter < 256)
			printf("\\fB\\-%c\\fR%s", f->letter, f->name ? ", " : "");
		if (f->name) {
			printf("\\fB\\-\\-");
			text(f->name);
			printf("\\fR");
		}
		if (f->value) {
			printf(" \\fI");
			text(f->value);
			printf("\\fR");
		}
		putchar('\n');
		text(f->help);
		putchar('\n');
	}
	printf(".TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\nShow the options and an example.\n");
}

void man_verb(const struct verb *verb)
{
	char title[64];

	(void)snprintf(title, sizeof(title), "assay-%s", verb->name);
	printf(".TH \"%s\" 1 \"\" \"assay %s\" \"User Commands\"\n.SH NAME\n", title, ASSAY_VERSION);
	text(title);
	printf(" \\- ");
	text(verb->summary);
	printf("\n.SH SYNOPSIS\n\\fBassay\\fR ");
	text(verb->usage);
	printf("\n.SH DESCRIPTION\n");
	text(verb->summary);
	printf("\n.PP\n");
	/* Options come before the examples at the end of the help. */
	if (!strstr(verb->help, "\n\n")) {
		flags_of(verb);
		body(verb->help);
	} else {
		char words[4096];
		const char *examples = verb->help;

		for (const char *next; (next = strstr(examples, "\n\n"));)
			examples = next + 2;
		(void)snprintf(words, sizeof(words), "%.*s", (int)(examples - verb->help - 1), verb->help);
		body(words);
		flags_of(verb);
		body(examples);
	}
	printf(".SH SEE ALSO\n\\fBassay\\fR(1)\n");
}

void man_all(void)
{
	printf(".TH \"assay\" 1 \"\" \"assay %s\" \"User Commands\"\n.SH NAME\n"
	       "assay \\- wrap a benchmark, sample the machine, say what changed\n"
	       ".SH SYNOPSIS\n\\fBassay\\fR \\fIVERB\\fR [\\fIOPTION\\fR]... [\\fIARG\\fR]...\n.SH DESCRIPTION\n"
	       "Wraps any benchmark command, samples what the kernel and the processor count while it runs, keeps or "
	       "ships the\n"
	       "samples, turns every run into named numbers, and compares groups of runs.\n"
	       ".PP\nA run is named by its id or the beginning of it, by @0 (the last one), @1 (the one before), by a "
	       "folder that\n"
	       "holds its segments, or by a query such as commit=v6.12,testcase=hackbench.\n.SH VERBS\n",
	       ASSAY_VERSION);
	for (const struct verb *const *v = verbs; *v; v++) {
		printf(".TP\n\\fBassay\\-%s\\fR(1)\n", (*v)->name);
		text((*v)->summary);
		putchar('\n');
	}
	printf(".SH EXIT STATUS\n0 done, 1 failed, 2 wrong usage; \\fBassay run\\fR passes on that of the command.\n"
	       ".SH ENVIRONMENT\n.TP\n\\fBASSAY_STORE\\fR\nThe store's folder, or a server's URL "
	       "(default ~/.local/share/assay).\n"
	       ".TP\n\\fBASSAY_SPOOL\\fR\nWhere segments wait (default ~/.local/state/assay/spool).\n"
	       ".TP\n\\fBASSAY_BENCHMARKS\\fR\nA folder of benchmark files that is looked into first.\n"
	       ".SH SEE ALSO\n\\fBassay\\-server\\fR(1)\n");
}
