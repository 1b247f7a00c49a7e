/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 *   device tmpfs mounted on /run with fstype tmpfs
 *   device server:/export mounted on /mnt/with\040blank with fstype nfs4 statvers=1.1
 *   	opts:	rw,vers=4.2,...
 *   	age:	13968
 *   	events:	52 226 0 0 1 13 398 0 0 331 0 47 ...
 *   	bytes:	1207640230 0 0 0 1210214218 0 295483 0
 *   	RPC iostats version: 1.1  p/v: 100003/4 (nfs)
 *   	xprt:	tcp 832 0 1 0 11 6428 6428 0 12154 0 24 26 5726
 *   	per-op statistics
 *   	        READ: 1298 1298 0 207680 1210292152 6 79386 79407 0
 *
 * An instance is a mount point; only mounts that have statistics are one, which are those of NFS. Lines without numbers
 * may change, and other mounts come and go, without a new generation. A mount over several connections has a line
 * "xprt" for each: "xprt", "xprt2" ... Of two mounts at one point the first counts.
 */
#include <errno.h>
#include <stdio.h>

#include "collectors/layout.h"

static const char *const event_names[] = {
	"inoderevalidate", "dentryrevalidate", "datainvalidate", "attrinvalidate", "vfsopen", "vfslookup", "vfsaccess",
	"vfsupdatepage", "vfsreadpage", "vfsreadpages", "vfswritepage", "vfswritepages", "vfsgetdents", "vfssetattr",
	"vfsflush", "vfsfsync", "vfslock", "vfsrelease", "congestionwait", "setattrtrunc", "extendwrite", "sillyrename",
	"shortread", "shortwrite", "delay", "pnfs_read", "pnfs_write", NULL,
};
static const char *const byte_names[] = {
	"normalreadbytes", "normalwrittenbytes", "directreadbytes", "directwrittenbytes", "serverreadbytes",
	"serverwrittenbytes", "readpages", "writepages", NULL,
};
static const char *const op_names[] = {
	"ops", "trans", "timeouts", "bytes_sent", "bytes_recv", "queue_ms", "rtt_ms", "execute_ms", "errors", NULL,
};
static const char *const tcp_names[] = {
	"port", "bind_count", "connect_count", "connect_time", "idle_time", "sends", "recvs", "bad_xids", "req_u",
	"bklog_u", "max_slots", "sending_u", "pending_u", NULL,
};
static const char *const udp_names[] = {
	"port", "bind_count", "sends", "recvs", "bad_xids", "req_u", "bklog_u", "max_slots", "sending_u", "pending_u",
	NULL,
};
static const char *const rdma_names[] = {
	"port", "bind_count", "connect_count", "connect_time", "idle_time", "sends", "recvs", "bad_xids", "req_u",
	"bklog_u", "read_chunk_count", "write_chunk_count", "reply_chunk_count", "total_rdma_request",
	"total_rdma_reply", "pullup_copy_count", "fixup_copy_count", "hardway_register_count", "failed_marshal_count",
	"bad_reply_count", "nomsg_call_count", NULL,
};
static const char *const no_names[] = { NULL };

static const struct {
	const char *name;
	const char *const *columns;
} transports[] = {
	{ "tcp", tcp_names }, { "udp", udp_names }, { "rdma", rdma_names }, { "local", tcp_names + 1 },
};

static const struct hint hints[] = {
	/* key                   kind     unit               help */
	{ "age",                   GAUGE,   UNIT_SECONDS,      "Time since the mount." },
	{ "events.pnfs_*",         COUNTER, UNIT_COUNT,        "Reads and writes done by the layout of a file (pNFS)." },
	{ "events.vfs*",           COUNTER, UNIT_COUNT,        "Calls of the file system by its operation." },
	{ "events.delay",          COUNTER, UNIT_COUNT,        "Times that the server asked to come again later." },
	{ "events.*",              COUNTER, UNIT_COUNT,        "Events of the client: caches looked after, short transfers, renames of open files." },
	{ "bytes.*pages",          COUNTER, UNIT_PAGES,        "Pages read and written through the page cache." },
	{ "bytes.server*",         COUNTER, UNIT_BYTES,        "Bytes read from and written to the server." },
	{ "bytes.direct*",         COUNTER, UNIT_BYTES,        "Bytes that programs read and wrote past the page cache (O_DIRECT)." },
	{ "bytes.*",               COUNTER, UNIT_BYTES,        "Bytes that programs read and wrote." },
	{ "xprt*.port",            GAUGE,   UNIT_NONE,         "Local port of the connection." },
	{ "xprt*.connect_time",    COUNTER, UNIT_SECONDS,      "Time in which the connection was being made." },
	{ "xprt*.idle_time",       GAUGE,   UNIT_SECONDS,      "Time since the connection was used last." },
	{ "xprt*.max_slots",       GAUGE,   UNIT_COUNT,        "Most requests that were on the way at once." },
	{ "xprt*.*_u",             COUNTER, UNIT_COUNT,        "Requests in a queue (on the way, waiting for a slot, sending, pending), added up at each one sent." },
	{ "xprt*",                 COUNTER, UNIT_COUNT,        "The connection to the server: made, sent, received, answers to no request." },
	{ "*.ops",                 COUNTER, UNIT_COUNT,        "Requests of the operation that were answered." },
	{ "*.trans",               COUNTER, UNIT_COUNT,        "Requests of the operation that were sent, those sent again with them." },
	{ "*.timeouts",            COUNTER, UNIT_COUNT,        "Requests of the operation that found no answer for the whole of the timeout." },
	{ "*.bytes_*",             COUNTER, UNIT_BYTES,        "Bytes of the operation's requests and answers, with their headers." },
	{ "*.queue_ms",            COUNTER, UNIT_MILLISECONDS, "Time in which the operation's requests waited to be sent, all together." },
	{ "*.rtt_ms",              COUNTER, UNIT_MILLISECONDS, "Time from sending the operation's requests to their answers, all together." },
	{ "*.execute_ms",          COUNTER, UNIT_MILLISECONDS, "Time from making the operation's requests to their end, all together." },
	{ "*.errors",              COUNTER, UNIT_COUNT,        "Requests of the operation that ended in an error." },
	{ "*",                     COUNTER, UNIT_COUNT,        "A number that no table knows, by its line and place." },
	{ 0 },
};

/* ---- lines ---- */

static bool is_mount(struct text line)
{
	return text_starts(line, "device ") || text_starts(line, "no device ");
}

/* The point of a mount that has statistics; escapes are left in. */
static bool cut_mount(struct text line, struct text *point)
{
	static const char on[] = " mounted on ";
	const char *at = memmem(line.at, text_len(line), on, strlen(on));
	struct text rest;

	if (!is_mount(line) || !at)
		return false;
	rest = (struct text){ at + strlen(on), line.end };
	return text_word(&rest, point) && memmem(rest.at, text_len(rest), " statvers=", strlen(" statvers="));
}

/* "\tbytes:\t1 2 3": what it is about, and its numbers. Of "xprt" the word before these is of the first part. */
static bool cut_numbers(struct text line, struct text *head, struct text *numbers)
{
	struct text rest = line, word;

	if (!text_word(&rest, &word) || is_mount(line) || !text_ends(word, ":") || text_len(word) < 2)
		return false;
	*head = (struct text){ word.at, word.end - 1 };
	if (text_is(*head, "xprt") && !text_word(&rest, &word))
		return false;
	text_skip_blanks(&rest);
	*numbers = rest;
	return text_len(rest) > 0 && *rest.at >= '0' && *rest.at <= '9';
}

static bool is_of_no_interest(struct text line)
{
	struct text one, other;

	return !cut_mount(line, &one) && !cut_numbers(line, &one, &other);
}

/* ---- open ---- */

struct learning {
	struct layout *layout;
	struct buf mount; /* the point that lines belong to; empty: to none */
	unsigned connections;
};

/* The kernel writes a blank, a tab, a newline, '\' and '#' as "\040". */
static int unescape(struct text t, struct buf *ret)
{
	buf_clear(ret);
	while (t.at < t.end) {
		unsigned char c = (unsigned char)*t.at++;

		if (c == '\\' && text_len(t) >= 3 && t.at[0] >= '0' && t.at[0] <= '3' && t.at[1] >= '0' &&
		    t.at[1] <= '7' && t.at[2] >= '0' && t.at[2] <= '7') {
			c = (unsigned char)((t.at[0] - '0') << 6 | (t.at[1] - '0') << 3 | (t.at[2] - '0'));
			t.at += 3;
		}
		(void)buf_putc(ret, (char)c);
	}
	return ret->failed;
}

static const char *const *names_of(struct text head, struct text line)
{
	struct text word;

	if (text_is(head, "events"))
		return event_names;
	if (text_is(head, "bytes"))
		return byte_names;
	if (!text_is(head, "xprt"))
		return *head.at >= 'A' && *head.at <= 'Z' ? op_names : no_names;
	(void)text_word(&line, &word);
	(void)text_word(&line, &word);
	for (size_t i = 0; i < sizeof(transports) / sizeof(*transports); i++)
		if (text_is(word, transports[i].name))
			return transports[i].columns;
	return no_names;
}

static int name_numbers(struct learning *l, struct text head, const char *const *names, struct text numbers,
			struct err *err)
{
	bool is_age = text_is(head, "age"), is_xprt = text_is(head, "xprt");
	struct text word;
	int r = 0;

	if (is_xprt)
		l->connections++;
	for (unsigned nth = 1; r == 0 && layout_next(&numbers, &word); nth++) {
		cleanup_buf struct buf name = { 0 };

		(void)buf_add_text(&name, head);
		if (is_xprt && l->connections > 1)
			(void)buf_printf(&name, "%u", l->connections);
		if (*names)
			(void)buf_printf(&name, ".%s", *names++);
		else if (!is_age || nth > 1)
			(void)buf_printf(&name, ".field%u", nth);
		if (name.failed)
			return err_set(err, -ENOMEM, "mountstats: no memory");
		r = layout_name(l->layout, l->mount.len ? name.data : NULL, l->mount.data, err);
	}
	return r;
}

static int learn_line(struct learning *l, struct text line, struct err *err)
{
	struct text point, head, numbers;
	int r;

	if (cut_mount(line, &point)) {
		if (unescape(point, &l->mount) < 0)
			return err_set(err, -ENOMEM, "mountstats: no memory");
		l->connections = 0;
		return layout_begin(l->layout, line, err);
	}
	if (is_mount(line))
		buf_clear(&l->mount);
	if (!cut_numbers(line, &head, &numbers))
		return 0;
	r = layout_begin(l->layout, (struct text){ line.at, numbers.at - 1 }, err);
	return r < 0 ? r : name_numbers(l, head, names_of(head, line), numbers, err);
}

static int mountstats_probe(const struct collector *self, const struct host *host, struct err *err)
{
	struct procfile file = { 0 };
	struct text rest, line, point;
	bool any = false;
	int r = procfile_open(&file, host, self->source, err);

	if (r < 0)
		return r;
	rest = procfile_first(&file);
	while (!any && text_line(&rest, &line))
		any = cut_mount(line, &point);
	procfile_close(&file);
	return any ? 0 : err_set(err, -ENOENT, "%s: no NFS is mounted", self->source);
}

static int mountstats_open(const struct collector *self, void *state, const struct host *host, struct err *err)
{
	struct layout *layout = state;
	struct learning l = { .layout = layout };
	struct text rest = { 0 }, line;
	int r = layout_open(layout, self, host, err);

	layout->skip = is_of_no_interest;
	if (r == 0)
		rest = procfile_first(&layout->file);
	while (r == 0 && text_line(&rest, &line))
		r = learn_line(&l, line, err);
	layout_end(layout);
	buf_free(&l.mount);
	return r;
}

const struct collector collector_mountstats = {
	.name = "mountstats",
	.description = "Requests, bytes and times of each NFS mount",
	.source = "proc/self/mountstats",
	.hints = hints,
	.state_size = sizeof(struct layout),
	.dear = true,
	.probe = mountstats_probe,
	.open = mountstats_open,
	LAYOUT_STATE,
};
