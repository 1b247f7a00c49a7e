/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 *   0xffffa000-0xffffb000   20480 kernel_clone+0xb8/0x400 pages=4 vmalloc N0=3 N1=1
 *   0xffffb000-0xffffd000    8192 acpi_os_map_iomem+0x1bc/0x1e0 phys=0x00000000000a0000 ioremap
 *   0xffffd000-0xfffff000    8192 alloc_page_table [nvme_core] pages=1 vmalloc vpages N0=1
 *   0xfffff000-0xfffff800    4096 unpurged vm_area
 *
 * One area a line, hundreds of thousands on a large machine, so only totals: areas, bytes (guard pages included) and
 * pages; of all lines, and of those with each of the kernel's words. An area with two words counts for both. N<n> has
 * the pages on that node. A word that was not there at open is a new generation.
 */
#include <errno.h>
#include <stdlib.h>

#include "collectors/digits.h"
#include "collectors/only_root.h"
#include "host/procfile.h"

enum { AREAS, BYTES, PAGES, METRICS };

#define INSTANCES_MOST 2048 /* nodes are 1024 at most */

struct total {
	uint64_t areas, bytes, pages;
	bool is_node, told_pages;
};

struct vmallocinfo {
	struct procfile file;
	struct names instances; /* "" first, which is all of them */
	struct total *totals;   /* one an instance */
	int guess;              /* the word of the line before: most lines have the same few */
	struct metric metrics[METRICS];
	struct shape shape;
};

static const char *const names[METRICS] = { "areas", "bytes", "pages" };

static const struct hint hints[] = {
	/* key      kind   unit        help */
	{ "areas", GAUGE, UNIT_COUNT, "Areas of the kernel's virtual memory; all, or those with that word." },
	{ "bytes", GAUGE, UNIT_BYTES, "What they span, guard pages included." },
	{ "pages", GAUGE, UNIT_PAGES, "Pages mapped there; of N<n> those on that node." },
	{ 0 },
};

#define UNPURGED 1 /* its row: the first of `words` */

/* Words that are there on any kernel, so that none of them is new; no area with one is 0 areas. */
static const char *const words[] = {
	"unpurged", "vmalloc", "ioremap", "vmap", "user", "vpages", "dma-coherent", "sparse", "vm_map_ram",
};

/* ---- a line ---- */

/* The next word behind blanks, up to the line's end. */
static bool next_word(const char **at, const char *end, struct text *word)
{
	const char *blank;

	word->at = skip_blanks(*at, end);
	if (word->at >= end)
		return false;
	blank = memchr(word->at, ' ', (size_t)(end - word->at));
	word->end = blank ? blank : end;
	*at = word->end;
	return word->end > word->at;
}

/* "N12=345" */
static bool is_node(struct text word, struct text *name, uint64_t *pages)
{
	uint64_t node;
	const char *equals = text_len(word) > 1 && *word.at == 'N' ? digits_u64(word.at + 1, word.end, &node) : NULL;

	if (!equals || equals == word.end || *equals != '=')
		return false;
	*name = (struct text){ word.at, equals };
	return digits_u64(equals + 1, word.end, pages) == word.end;
}

/* The instance of a name. -1: it is none. With `learn` a new one is added; without, it is -ESTALE. */
static int instance_of(struct vmallocinfo *v, struct text name, bool learn, bool node)
{
	int row = names_find(&v->instances, name, v->guess);
	struct total *totals;

	if (row >= 0 || v->instances.count == INSTANCES_MOST)
		return row;
	if (!learn)
		return -ESTALE;
	totals = realloc(v->totals, (v->instances.count + 1) * sizeof(*totals));
	if (!totals)
		return -ENOMEM;
	v->totals = totals;
	row = names_add(&v->instances, name);
	if (row >= 0)
		v->totals[row] = (struct total){ .is_node = node };
	return row;
}

static void add(struct total *t, const struct total *area)
{
	t->areas++;
	t->bytes += area->bytes;
	t->pages += area->pages;
	t->told_pages |= area->told_pages;
}

/* What stands behind the size. 0, -ESTALE, -ENOMEM. */
static int take_words(struct vmallocinfo *v, const char *at, const char *end, bool learn, struct total *area)
{
	struct text word, name;
	uint64_t pages = 0;

	for (bool first = true; next_word(&at, end, &word); first = false) {
		int row = -1;

		if (first && memchr(word.at, '+', text_len(word)))
			continue; /* the caller: "alloc_large+0x1f/0x30" */
		if (is_node(word, &name, &pages)) {
			row = instance_of(v, name, learn, true);
			if (row >= 0)
				v->totals[row].pages += pages;
		} else if (text_skip(&word, "pages=")) {
			area->told_pages = digits_u64(word.at, word.end, &area->pages) == word.end;
		} else if (*word.at != '[' && !memchr(word.at, '=', text_len(word))) {
			row = instance_of(v, word, learn && !first, false);
			if (row > 0)
				add(&v->totals[v->guess = row], area);
			if (row == -ESTALE && first)
				row = -1; /* the caller again: an address, or a name alone */
			if (row == UNPURGED)
				break; /* "unpurged vm_area" */
		}
		if (row < -1)
			return row;
	}
	return 0;
}

static int take_line(struct vmallocinfo *v, const char *at, const char *end, bool learn, struct err *err)
{
	struct total area = { 0 };
	struct text range;
	int r;

	if (!next_word(&at, end, &range))
		return 0;
	at = number_u64(at, end, &area.bytes);
	if (!at || !is_number_end(at, end))
		return err_set(err, -EBADMSG, "%s: no size after %.*s", v->file.path,
			       (int)(text_len(range) < 40 ? text_len(range) : 40), range.at);
	r = take_words(v, at, end, learn, &area);
	if (r < 0)
		return err_set(err, r, "%s: %s", v->file.path, r == -ESTALE ? "a new word" : "no memory");
	add(&v->totals[0], &area);
	return 0;
}

/* One pass over the lines. A bad one costs that one. */
static int take_file(struct vmallocinfo *v, struct text text, bool learn, struct err *err)
{
	int bad = 0;

	for (const char *at = text.at; at < text.end;) {
		const char *newline = memchr(at, '\n', (size_t)(text.end - at));
		int r = take_line(v, at, newline ? newline : text.end, learn, err);

		if (r == -ESTALE || r == -ENOMEM)
			return r;
		bad = r < 0 ? r : bad;
		at = newline ? newline + 1 : text.end;
	}
	return bad;
}

/* ---- the collector ---- */

static int vmallocinfo_open(const struct collector *self, void *state, const struct host *host, struct err *err)
{
	struct vmallocinfo *v = state;
	struct err ignored;
	int r = procfile_open(&v->file, host, self->source, err);

	for (size_t i = 0; i < METRICS; i++) {
		v->metrics[i].name = names[i];
		hint_apply(hints, &v->metrics[i]);
	}
	if (r == 0 && instance_of(v, text_of(""), true, false) < 0)
		r = err_set(err, -ENOMEM, "%s: no memory", self->name);
	for (size_t i = 0; i < sizeof(words) / sizeof(*words) && r == 0; i++)
		if (instance_of(v, text_of(words[i]), true, false) < 0)
			r = err_set(err, -ENOMEM, "%s: no memory", self->name);
	if (r == 0 && take_file(v, procfile_first(&v->file), true, &ignored) == -ENOMEM)
		r = err_set(err, -ENOMEM, "%s: no memory", self->name);
	v->shape = (struct shape){ .collector = self->name,
				   .metrics = v->metrics,
				   .metric_count = METRICS,
				   .instances = (const char *const *)v->instances.at,
				   .instance_count = v->instances.count };
	return only_root_explain(self, r, err);
}

static const struct shape *vmallocinfo_shape(const void *state)
{
	return &((const struct vmallocinfo *)state)->shape;
}

static int vmallocinfo_sample(void *state, struct sample *out, struct err *err)
{
	struct vmallocinfo *v = state;
	struct text text;
	int r = procfile_read(&v->file, &text, err);

	if (r < 0)
		return r;
	for (size_t i = 0; i < v->instances.count; i++)
		v->totals[i] = (struct total){ .is_node = v->totals[i].is_node };
	r = take_file(v, text, false, err);
	if (r == -ESTALE)
		return r;
	for (size_t i = 0; i < v->instances.count; i++) {
		const struct total *t = &v->totals[i];

		if (!t->is_node) {
			sample_put(out, AREAS, i, t->areas);
			sample_put(out, BYTES, i, t->bytes);
		}
		if (t->is_node || t->told_pages || t->areas == 0)
			sample_put(out, PAGES, i, t->pages);
	}
	return r;
}

static void vmallocinfo_close(void *state)
{
	struct vmallocinfo *v = state;

	procfile_close(&v->file);
	names_free(&v->instances);
	free(v->totals);
}

const struct collector collector_vmallocinfo = {
	.name = "vmallocinfo",
	.description = "The kernel's own virtual memory, by what it is for and by node",
	.source = "proc/vmallocinfo",
	.hints = hints,
	.state_size = sizeof(struct vmallocinfo),
	.interval_ms = 10000,
	.dear = true, /* the kernel walks all areas under their lock */
	.probe = only_root_probe,
	.open = vmallocinfo_open,
	.shape = vmallocinfo_shape,
	.sample = vmallocinfo_sample,
	.close = vmallocinfo_close,
};
