/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What this machine did as a client of NFS and as a server:
 *
 *   rpc 1218785755 374636 1218815394       proc/net/rpc/nfs
 *   proc3 22 0 1061909262 48906 ...        22 numbers follow, one a procedure
 *   th 8 0 0.000 0.000 ...                 proc/net/rpc/nfsd
 *
 * The files name lines only. What stands in them is called as nfsstat(8) does: "nfs.v4.open_noat" of the instance
 * "Client". A number whose name no table knows is called by its place, from 0: "nfs.v4.op76".
 */
#include <errno.h>

#include "collectors/layout.h"
#include "collectors/nfsstat_names.h"

enum { CLIENT, SERVER, SIDES };

struct side {
	struct procfile file;
	struct layout_part part;
	bool is_open, is_missing;
};

struct nfsstat {
	struct layout layout;
	const struct host *host;
	struct side sides[SIDES];
};

static const char *const paths[SIDES] = { "proc/net/rpc/nfs", "proc/net/rpc/nfsd" };
static const char *const instances[SIDES] = { "Client", "Server" };

static const struct hint hints[] = {
	/* key                     kind       unit          help                                                                           exponent */
	{ "nfs.v4.operations.*",   COUNTER32, UNIT_COUNT,   "Operations of NFS version 4 that were done, of which a request (\"compound\") holds several.", 0, FOLD_NONE },
	{ "nfs.*",                 COUNTER32, UNIT_COUNT,   "Requests of that version of NFS, by procedure.",                               0, FOLD_NONE },
	{ "rpc.calls",             COUNTER32, UNIT_COUNT,   "Calls made (Client) and received (Server).",                                   0, FOLD_NONE },
	{ "rpc.retrans",           COUNTER32, UNIT_COUNT,   "Calls that were sent again.",                                                  0, FOLD_NONE },
	{ "rpc.authrefrsh",        COUNTER32, UNIT_COUNT,   "Times that the credentials of a call were looked at anew.",                    0, FOLD_NONE },
	{ "rpc.bad*",              COUNTER32, UNIT_COUNT,   "Calls that were refused: all, by form, by authentication, by client.",         0, FOLD_NONE },
	{ "packet.*",              COUNTER32, UNIT_COUNT,   "Packets received: all, by UDP, by TCP; and connections by TCP that were taken.", 0, FOLD_NONE },
	{ "reply.cache.*",         COUNTER32, UNIT_COUNT,   "Requests found among the recent replies, not found, and not to be kept there.", 0, FOLD_NONE },
	{ "file.handle.cache.*",   COUNTER32, UNIT_COUNT,   "File handles looked up, by outcome; most are zero in newer kernels.",          0, FOLD_NONE },
	{ "io.*",                  COUNTER32, UNIT_BYTES,   "Bytes read from and written to files for clients.",                            0, FOLD_NONE },
	{ "threads.threads",       GAUGE,     UNIT_COUNT,   "Threads of the server.",                                                       0, FOLD_NONE },
	{ "threads.fullcnt",       COUNTER32, UNIT_COUNT,   "Times that all threads were busy; zero in newer kernels.",                     0, FOLD_NONE },
	{ "threads.*",             COUNTER,   UNIT_SECONDS, "Time in which that share of the threads was busy; zero in newer kernels.",     3, FOLD_NONE },
	{ "read.ahead.cache.size", GAUGE,     UNIT_COUNT,   "Places in the cache of files being read ahead.",                               0, FOLD_NONE },
	{ "read.ahead.cache.*",    COUNTER32, UNIT_COUNT,   "Files found in that part of the read-ahead cache, or not at all.",             0, FOLD_NONE },
	{ "wdeleg_getattr",        COUNTER32, UNIT_COUNT,   "Attributes asked for of a file that a client has leave to write.",             0, FOLD_NONE },
	{ "*",                     COUNTER32, UNIT_COUNT,   "A number that no table knows, by its line and place.",                         0, FOLD_NONE },
	{ 0 },
};

/* ---- open ---- */

static int no_memory(const struct nfsstat *n, struct err *err)
{
	return err_set(err, -ENOMEM, "%s: no memory", n->layout.collector->name);
}

/* What an unknown line's numbers are called: "proc5 2 0 7" -> nfs.v5.op0; "wdeleg_getattr 15" -> wdeleg_getattr;
 * "new 1 2" -> new.field0. */
static int unknown_name(struct text head, unsigned nth, bool is_only, struct buf *ret)
{
	if (text_skip(&head, "proc") && text_len(head) > 0)
		return buf_printf(ret, "nfs.v%.*s.op%u", TEXT_ARGS(head), nth);
	(void)buf_add_text(ret, head);
	return is_only ? ret->failed : buf_printf(ret, ".field%u", nth);
}

static int name_words(struct nfsstat *n, int side, struct text head, struct text rest, unsigned long count,
		      struct err *err)
{
	const struct nfsstat_record *record = nfsstat_record(side == SERVER, head);
	struct text behind = rest, word;
	bool is_only = layout_next(&behind, &word) && !layout_next(&behind, &word);
	int r = 0;

	for (unsigned nth = 0; r == 0 && layout_next(&rest, &word); nth++) {
		cleanup_buf struct buf name = { 0 };
		const char *known = record ? nfsstat_name(record, nth, count) : NULL;

		if (known)
			(void)buf_printf(&name, "%s.%s", record->section, known);
		else if (record)
			(void)buf_printf(&name, "%s.%s%u", record->section, record->counted ? "op" : "field", nth);
		else
			(void)unknown_name(head, nth, is_only, &name);
		if (name.failed)
			return no_memory(n, err);
		r = layout_name(&n->layout, name.data, instances[side], err);
	}
	return r;
}

/* A line of procedures tells first how many there are, which tells the kernel's age: it belongs to the beginning. */
static int learn_line(struct nfsstat *n, int side, struct text line, struct err *err)
{
	struct text rest = line, head, word;
	uint64_t count = 0;
	int r;

	if (!layout_next(&rest, &head))
		return layout_begin(&n->layout, line, err);
	if (text_starts(head, "proc")) {
		struct text behind = rest;

		if (layout_next(&behind, &word) && text_u64(&word, &count) && text_len(word) == 0)
			rest = behind;
	}
	r = layout_begin(&n->layout, (struct text){ line.at, count > 0 ? rest.at : head.end }, err);
	return r < 0 ? r : name_words(n, side, head, rest, count, err);
}

static int learn_side(struct nfsstat *n, int i, struct err *err)
{
	struct side *side = &n->sides[i];
	struct text rest, line;
	int r = procfile_open(&side->file, n->host, paths[i], err);

	side->is_missing = r == -ENOENT;
	if (r < 0)
		return r == -ENOMEM ? r : 0;
	side->is_open = true;
	side->part = (struct layout_part){ paths[i], n->layout.line_count, 0, n->layout.word_count };
	rest = procfile_first(&side->file);
	while (r == 0 && text_line(&rest, &line))
		r = learn_line(n, i, line, err);
	side->part.to = n->layout.line_count;
	return r;
}

static int nfsstat_probe(const struct collector *self, const struct host *host, struct err *err)
{
	for (int i = 0; i < SIDES; i++)
		if (host_has(host, paths[i]))
			return 0;
	return err_set(err, -ENOENT, "%s: no such file: there is no NFS, neither as client nor as server", paths[CLIENT]);
}

static int nfsstat_open(const struct collector *self, void *state, const struct host *host, struct err *err)
{
	struct nfsstat *n = state;
	int r = 0;

	n->layout.collector = self;
	n->host = host;
	for (int i = 0; i < SIDES && r == 0; i++)
		r = learn_side(n, i, err);
	layout_end(&n->layout);
	if (r == 0 && !n->sides[CLIENT].is_open && !n->sides[SERVER].is_open)
		r = err->code;
	return r;
}

/* ---- sample ---- */

/* A module that is loaded brings its file, one that is unloaded takes it away. */
static int sample_side(struct nfsstat *n, struct side *side, const char *path, struct sample *out, struct err *err)
{
	struct text text;
	int r;

	if (!side->is_open)
		return side->is_missing && host_has(n->host, path) ? err_set(err, -ESTALE, "%s: is there now", path) : 0;
	r = procfile_read(&side->file, &text, err);
	if (r < 0 && !host_has(n->host, path))
		return err->code = -ESTALE;
	return r < 0 ? r : layout_take(&n->layout, &side->part, text, out, err);
}

static int nfsstat_sample(void *state, struct sample *out, struct err *err)
{
	struct nfsstat *n = state;
	int failed = 0;

	for (int i = 0; i < SIDES && failed != -ESTALE; i++) {
		int r = sample_side(n, &n->sides[i], paths[i], out, err);

		failed = r < 0 ? r : failed;
	}
	return failed;
}

static void nfsstat_close(void *state)
{
	struct nfsstat *n = state;

	for (int i = 0; i < SIDES; i++)
		procfile_close(&n->sides[i].file);
	layout_close(&n->layout);
}

const struct collector collector_nfsstat = {
	.name = "nfsstat",
	.description = "Requests of NFS, as a client and as a server",
	.source = "proc/net/rpc/nfs proc/net/rpc/nfsd",
	.hints = hints,
	.state_size = sizeof(struct nfsstat),
	.probe = nfsstat_probe,
	.open = nfsstat_open,
	.shape = layout_shape,
	.sample = nfsstat_sample,
	.close = nfsstat_close,
};
