/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/leftover.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/take.h"
#include "collectors/collector.h"
#include "host/seen.h"

struct identity {
	dev_t device;
	ino_t number;
};

/* A collector that was opened and sampled. */
struct tried {
	const struct collector *collector;
	struct seen seen;
	struct identity *read; /* what it read, when that was asked for once */
	size_t read_count;
	struct err why; /* when it gives nothing; code 0: it gives values */
	struct err bad; /* what it said of a part that it could not read, while it gives the others */
};

struct search {
	struct tried *tried;
	size_t count;
	struct leftovers *found;
};

static bool has_values(const struct sample *s)
{
	for (size_t slot = 0; slot < shape_slots(s->shape); slot++)
		if (sample_has(s, slot))
			return true;
	return false;
}

static void try_one(struct tried *t, const struct collector *c, struct host host)
{
	struct collector_run run;
	struct err err = { 0 };

	t->collector = c;
	host.seen = &t->seen;
	if (collector_probe(c, &host, &t->why) < 0 || collector_run_open(&run, c, &host, NULL, &t->why) < 0)
		return;
	t->why.code = 0;
	(void)collector_run_sample(&run, &err);
	if (!has_values(&run.sample))
		t->why = err.code < 0 ? err : t->why;
	if (!has_values(&run.sample) && t->why.code == 0)
		(void)err_set(&t->why, -ENODATA, "there is no number in it");
	if (t->why.code == 0)
		t->bad = err;
	collector_run_close(&run);
}

/* Was it read, and by a collector that makes something of it? */
static bool is_read(const struct search *s, const char *path)
{
	for (size_t i = 0; i < s->count; i++)
		if (s->tried[i].why.code == 0 && seen_has(&s->tried[i].seen, path) &&
		    seen_find(&s->tried[i].seen, path) == 0)
			return true;
	return false;
}

static bool identity_of(const struct host *host, const char *path, struct identity *ret)
{
	cleanup_fd int fd = host_open(host, path);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return false;
	*ret = (struct identity){ st.st_dev, st.st_ino };
	return true;
}

/* By another name: cpu0/cpufreq is a link to cpufreq/policy0. */
static bool is_read_elsewhere(struct tried *t, const struct host *host, const char *path)
{
	bool known = t->read_count > 0;
	struct identity wanted;

	if (!t->read)
		t->read = calloc(t->seen.paths.count + 1, sizeof(*t->read));
	if (!t->read || !identity_of(host, path, &wanted))
		return false;
	for (size_t i = 0; i < t->seen.paths.count && !known; i++)
		if (t->seen.results[i] == 0)
			t->read_count += identity_of(host, t->seen.paths.at[i], &t->read[t->read_count]);
	for (size_t i = 0; i < t->read_count; i++)
		if (t->read[i].number == wanted.number && t->read[i].device == wanted.device)
			return true;
	return false;
}

/* With a pattern before it that has no file, a file of a fixed name tells nothing: a list of CPUs without clocks. */
static bool is_beside(const struct tried *t, const char *pattern)
{
	return t->why.code == -ENOENT && strchr(t->collector->source, '*') && !strchr(pattern, '*');
}

static bool is_folder(const struct host *host, const char *path)
{
	struct names entries = { 0 };
	struct err ignored;
	int r = host_list(host, path, &entries, &ignored);

	names_free(&entries);
	return r == 0;
}

static int add(struct leftovers *list, const char *collector, const char *reason, const char *path)
{
	struct leftover *at;

	for (size_t i = list->count; i-- > 0 && strcmp(list->at[i].collector, collector) == 0;)
		if (strcmp(list->at[i].reason, reason) == 0)
			return names_add(&list->at[i].files, text_of(path));
	at = realloc(list->at, (list->count + 1) * sizeof(*at));
	if (!at)
		return -ENOMEM;
	list->at = at;
	at[list->count] = (struct leftover){ .collector = collector, .reason = strdup(reason) };
	if (!at[list->count].reason)
		return -ENOMEM;
	return names_add(&at[list->count++].files, text_of(path));
}

static const char *reason_of(const struct tried *t, const char *path)
{
	int r = seen_find(&t->seen, path);

	if (seen_has(&t->seen, path) && r != 0)
		return r == SEEN_EMPTY ? "it is empty" : r == -EMSGSIZE ? "it is a text, no number" : err_name(r);
	if (t->why.code < 0)
		return t->why.text;
	return "not needed: another file tells it";
}

static int look_at(struct search *s, struct tried *t, const struct host *host, const char *path)
{
	if (is_read(s, path) || is_folder(host, path))
		return 0;
	if (t->why.code == 0 && !seen_has(&t->seen, path) && is_read_elsewhere(t, host, path))
		return 0;
	return add(s->found, t->collector->name, reason_of(t, path), path);
}

/* What it complained of, without the files that are listed anyway. */
static int look_at_complaint(struct search *s, const struct tried *t)
{
	struct text rest = text_of(t->bad.text), path;

	if (t->bad.code == 0 || !text_cut(&rest, ":", &path))
		return 0;
	cleanup_free char *file = text_copy(path);

	return file ? add(s->found, t->collector->name, rest.at + strspn(rest.at, " "), file) : -ENOMEM;
}

static int look_at_all(struct search *s, struct tried *t, const struct host *host, struct err *err)
{
	struct text rest = text_of(t->collector->source), pattern;
	struct names paths = { 0 };
	int r = look_at_complaint(s, t);

	while (r >= 0 && text_word(&rest, &pattern)) {
		cleanup_free char *one = text_copy(pattern);

		if (one && is_beside(t, one))
			continue;
		r = one ? host_glob(host, one, &paths, err) : -ENOMEM;
		for (size_t i = 0; i < paths.count && r >= 0; i++)
			if (host_has(host, paths.at[i]))
				r = look_at(s, t, host, paths.at[i]);
	}
	names_free(&paths);
	return r < 0 ? r : 0;
}

/* It works here, only not as a recording: counters of the processor. */
static bool needs_the_machine(const struct tried *t, const struct host *host)
{
	struct err ignored;

	return host->live && t->why.code < 0 && collector_probe(t->collector, host, &ignored) == 0;
}

int leftover_find(const struct host *host, struct leftovers *ret, struct err *err)
{
	struct host quiet = *host;
	struct search s = { .found = ret };
	size_t all = 0;
	int r = 0;

	quiet.live = false;
	quiet.seen = NULL;
	while (collectors[all])
		all++;
	s.tried = calloc(all, sizeof(*s.tried));
	if (!s.tried)
		return err_set(err, -ENOMEM, "no memory for what is left out");
	for (; s.count < all; s.count++)
		try_one(&s.tried[s.count], collectors[s.count], quiet);
	for (size_t i = 0; i < all && r == 0; i++)
		r = needs_the_machine(&s.tried[i], host) ? 0 :
		    s.tried[i].seen.failed		 ? -ENOMEM : look_at_all(&s, &s.tried[i], &quiet, err);
	for (size_t i = 0; i < all; i++) {
		seen_free(&s.tried[i].seen);
		free(s.tried[i].read);
	}
	free(s.tried);
	return r < 0 ? err_set(err, r, "no memory for what is left out") : 0;
}

void leftover_free(struct leftovers *list)
{
	for (size_t i = 0; i < list->count; i++) {
		free(list->at[i].reason);
		names_free(&list->at[i].files);
	}
	free(list->at);
	*list = (struct leftovers){ 0 };
}
