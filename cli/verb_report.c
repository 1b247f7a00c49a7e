/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cli/cli.h"
#include "cli/git.h"
#include "cli/place.h"
#include "lab/lab.h"

enum { FIRST_LONG = 256 };

static const struct flag flags[] = {
	{ 'a', "axis", "NAME", "The compared axis (default: in which the groups differ, else commit)." },
	{ 'r', "repo", "DIR", "A git work tree: titles and ids of the commits, its branch and address." },
	{ FIRST_LONG + 0, "tree", "NAME", "How the tree is called in the subject (default: the folder's name)." },
	{ FIRST_LONG + 1, "shape", "YEAR", "2024 (default), or 2016: how mails looked to 2022, with plots." },
	{ FIRST_LONG + 2, "mbox", "FROM", "With headers, from this address, to be sent or put into a mailbox." },
	{ FIRST_LONG + 3, "to", "ADDRESS", "To whom, with --mbox." },
	{ FIRST_LONG + 4, "rules", "NAME", "Whose rules decide: assay (default) or lkp." },
	{ FIRST_LONG + 5, "q", "Q", "The share of shown lines that may be false (default 0.05)." },
	{ 's', "store", "DIR", "Where the runs are." },
	{ 0 },
};

/* Texts that a mail only lends. */
struct letter {
	struct mail mail;
	struct buf base_id, base_title, head_id, head_title, branch, url;
	const char *repo;
};

static int ask_commit(const char *repo, const char *name, struct buf *id, struct buf *title, struct mail_commit *ret,
		      struct err *err)
{
	int r = git_read(repo, (const char *[]){ "log", "-1", "--format=%H", name, "--", NULL }, id, err);

	if (r == 0)
		r = git_read(repo, (const char *[]){ "log", "-1", "--format=%s", name, "--", NULL }, title, err);
	if (r < 0)
		return r;
	ret->id = id->len ? id->data : NULL;
	ret->title = title->len ? title->data : NULL;
	return 0;
}

static const char *text_or_null(const struct buf *b)
{
	return b->len ? b->data : NULL;
}

/* A tree without a remote has no address; that is no failure. */
static int ask_git(struct letter *l, char **names, struct err *err)
{
	struct err none;
	int r = ask_commit(l->repo, names[0], &l->base_id, &l->base_title, &l->mail.base, err);

	if (r == 0)
		r = ask_commit(l->repo, names[1], &l->head_id, &l->head_title, &l->mail.head, err);
	if (r == 0)
		r = git_read(l->repo, (const char *[]){ "rev-parse", "--abbrev-ref", "HEAD", NULL }, &l->branch, err);
	if (r < 0)
		return r;
	(void)git_read(l->repo, (const char *[]){ "config", "--default", "", "remote.origin.url", NULL }, &l->url,
		       &none);
	l->mail.branch = text_or_null(&l->branch);
	l->mail.url = text_or_null(&l->url);
	if (!l->mail.tree) {
		const char *slash = strrchr(l->repo, '/');

		l->mail.tree = slash && slash[1] ? slash + 1 : l->repo;
	}
	return 0;
}

static int take_option(struct letter *l, struct lab_options *o, int c, const char *value, struct err *err)
{
	switch (c) {
	case 'a':
		return lab_option_set(o, "axis", value, err);
	case 'r':
		l->repo = value;
		return 0;
	case FIRST_LONG + 0:
		l->mail.tree = value;
		return 0;
	case FIRST_LONG + 1:
		if (strcmp(value, "2024") != 0 && strcmp(value, "2016") != 0)
			return err_set(err, -EINVAL, "shape: '%.32s' is neither 2024 nor 2016", value);
		l->mail.shape = strcmp(value, "2016") == 0 ? MAIL_2016 : MAIL_2024;
		return 0;
	case FIRST_LONG + 2:
		l->mail.from = value;
		break;
	case FIRST_LONG + 3:
		l->mail.to = value;
		break;
	default:
		return lab_option_set(o, c == FIRST_LONG + 4 ? "rules" : "q", value, err);
	}
	return strpbrk(value, "\r\n") ? err_set(err, -EINVAL, "an address has no line breaks") : 0;
}

static int write_letter(const struct verb *self, struct letter *l, const struct lab_options *o, const char *where,
			char **names, size_t count)
{
	cleanup_buf struct buf text = { 0 };
	char date[64] = "Thu, 01 Jan 1970 00:00:00 +0000";
	time_t now = time(NULL);
	struct place place;
	struct err err = { 0 };
	struct tm utc;
	int r;

	if (gmtime_r(&now, &utc))
		(void)strftime(date, sizeof(date), "%a, %d %b %Y %H:%M:%S +0000", &utc);
	l->mail.date = date;
	if (l->repo && ask_git(l, names, &err) < 0)
		return failed(self, &err);
	if (place_open(&place, where, false, &err) < 0)
		return failed(self, &err);
	if (place.url)
		r = err_set(&err, -EINVAL, "a report is written where the runs are: --store DIR");
	else
		r = lab_mail(place.store, (const char *const *)names, count, o, &l->mail, &text, &err);
	place_close(&place);
	if (r < 0)
		return failed(self, &err);
	return print_out(&text) < 0 ? EXIT_FAILED : EXIT_DONE;
}

static int report_main(const struct verb *self, int argc, char **argv)
{
	struct lab_options o = { 0 };
	struct letter l = { 0 };
	const char *where = NULL;
	struct err err;
	int c, status;

	while ((c = next_option(self, argc, argv)) != -1) {
		if (c < 0)
			return option_status(c);
		if (c == 's')
			where = optarg;
		else if (take_option(&l, &o, c, optarg, &err) < 0)
			return usage_error(self, "%s", err.text);
	}
	if (argc - optind < 2)
		return usage_error(self, "two groups are needed: BASE and HEAD");
	status = write_letter(self, &l, &o, where, argv + optind, (size_t)(argc - optind));
	buf_free(&l.base_id);
	buf_free(&l.base_title);
	buf_free(&l.head_id);
	buf_free(&l.head_title);
	buf_free(&l.branch);
	buf_free(&l.url);
	return status;
}

const struct verb verb_report = {
	.name = "report",
	.summary = "Write a mail about what changed, as the kernel test robot does.",
	.usage = "report [OPTION]... BASE HEAD...",
	.flags = flags,
	.help = "What changed, on which machine, how it was run, the table, and plots of the results that changed.\n\n"
		"  assay report v6.11 v6.12\n"
		"  assay report --repo ~/linux --mbox lab@example.org v6.11 v6.12 >mail.mbox\n",
	.main = report_main,
};
