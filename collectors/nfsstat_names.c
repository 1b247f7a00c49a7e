/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collectors/nfsstat_names.h"

static const struct nfsstat_name packet[] = {
	{ "packets", 0 }, { "udp", 0 }, { "tcp", 0 }, { "tcpconn", 0 }, { NULL, 0 },
};
static const struct nfsstat_name client_rpc[] = {
	{ "calls", 0 }, { "retrans", 0 }, { "authrefrsh", 0 }, { NULL, 0 },
};
static const struct nfsstat_name server_rpc[] = {
	{ "calls", 0 }, { "badcalls", 0 }, { "badfmt", 0 }, { "badauth", 0 }, { "badclnt", 0 }, { NULL, 0 },
};
static const struct nfsstat_name reply_cache[] = {
	{ "hits", 0 }, { "misses", 0 }, { "nocache", 0 }, { NULL, 0 },
};
static const struct nfsstat_name file_handle_cache[] = {
	{ "stale", 0 }, { "lookup", 0 }, { "anon", 0 }, { "ncachedir", 0 }, { "ncachenondir", 0 }, { NULL, 0 },
};
static const struct nfsstat_name io[] = {
	{ "read", 0 }, { "write", 0 }, { NULL, 0 },
};
static const struct nfsstat_name threads[] = {
	{ "threads", 0 }, { "fullcnt", 0 }, { "0-10%", 0 }, { "10-20%", 0 }, { "20-30%", 0 }, { "30-40%", 0 },
	{ "40-50%", 0 }, { "50-60%", 0 }, { "60-70%", 0 }, { "70-80%", 0 }, { "80-90%", 0 }, { "90-100%", 0 },
	{ NULL, 0 },
};
static const struct nfsstat_name read_ahead_cache[] = {
	{ "size", 0 }, { "0-10%", 0 }, { "10-20%", 0 }, { "20-30%", 0 }, { "30-40%", 0 }, { "40-50%", 0 },
	{ "50-60%", 0 }, { "60-70%", 0 }, { "70-80%", 0 }, { "80-90%", 0 }, { "90-100%", 0 }, { "notfound", 0 },
	{ NULL, 0 },
};

static const struct nfsstat_name v2[] = {
	{ "null", 0 }, { "getattr", 0 }, { "setattr", 0 }, { "root", 0 }, { "lookup", 0 }, { "readlink", 0 },
	{ "read", 0 }, { "wrcache", 0 }, { "write", 0 }, { "create", 0 }, { "remove", 0 }, { "rename", 0 },
	{ "link", 0 }, { "symlink", 0 }, { "mkdir", 0 }, { "rmdir", 0 }, { "readdir", 0 }, { "fsstat", 0 },
	{ NULL, 0 },
};

static const struct nfsstat_name v3[] = {
	{ "null", 0 }, { "getattr", 0 }, { "setattr", 0 }, { "lookup", 0 }, { "access", 0 }, { "readlink", 0 },
	{ "read", 0 }, { "write", 0 }, { "create", 0 }, { "mkdir", 0 }, { "symlink", 0 }, { "mknod", 0 },
	{ "remove", 0 }, { "rmdir", 0 }, { "rename", 0 }, { "link", 0 }, { "readdir", 0 }, { "readdirplus", 0 },
	{ "fsstat", 0 }, { "fsinfo", 0 }, { "pathconf", 0 }, { "commit", 0 }, { NULL, 0 },
};

/* Procedures of the client, which are no procedures of the protocol: the order is that of the kernel. */
static const struct nfsstat_name client_v4[] = {
	{ "null", 0 }, { "read", 0 }, { "write", 0 }, { "commit", 0 }, { "open", 0 }, { "open_conf", 0 },
	{ "open_noat", 0 }, { "open_dgrd", 0 }, { "close", 0 }, { "setattr", 0 }, { "fsinfo", 0 }, { "renew", 0 },
	{ "setclntid", 0 }, { "confirm", 0 }, { "lock", 0 }, { "lockt", 0 }, { "locku", 0 }, { "access", 0 },
	{ "getattr", 0 }, { "lookup", 0 }, { "lookup_root", 0 }, { "remove", 0 }, { "rename", 0 }, { "link", 0 },
	{ "symlink", 0 }, { "create", 0 }, { "pathconf", 0 }, { "statfs", 0 }, { "readlink", 0 }, { "readdir", 0 },
	{ "server_caps", 0 }, { "delegreturn", 0 }, { "getacl", 0 }, { "setacl", 0 }, { "fs_locations", 0 },
	{ "rel_lkowner", 42 }, { "secinfo", 46 }, { "fsid_present", 54 }, { "exchange_id", 0 },
	{ "create_session", 0 }, { "destroy_session", 0 }, { "sequence", 0 }, { "get_lease_time", 0 },
	{ "reclaim_comp", 0 }, { "layoutget", 0 }, { "getdevinfo", 0 }, { "layoutcommit", 0 }, { "layoutreturn", 0 },
	{ "secinfo_no", 0 }, { "test_stateid", 0 }, { "free_stateid", 0 }, { "getdevicelist", 0 },
	{ "bind_conn_to_ses", 0 }, { "destroy_clientid", 0 }, { "seek", 0 }, { "allocate", 0 }, { "deallocate", 0 },
	{ "zero_range", 71 }, { "layoutstats", 0 }, { "clone", 0 }, { "copy", 0 }, { "offload_cancel", 62 },
	{ "lookupp", 0 }, { "layouterror", 0 }, { "copy_notify", 0 }, { "getxattr", 0 }, { "setxattr", 0 },
	{ "listxattrs", 0 }, { "removexattr", 0 }, { "read_plus", 0 }, { "offload_status", 0 }, { NULL, 0 },
};
static const struct nfsstat_name server_v4[] = {
	{ "null", 0 }, { "compound", 0 }, { NULL, 0 },
};

/* Operations by their number in the protocol (RFC 7530, 8881, 7862, 8276). */
static const struct nfsstat_name server_v4_operations[] = {
	{ "op0-unused", 0 }, { "op1-unused", 0 }, { "op2-future", 0 }, { "access", 0 }, { "close", 0 },
	{ "commit", 0 }, { "create", 0 }, { "delegpurge", 0 }, { "delegreturn", 0 }, { "getattr", 0 }, { "getfh", 0 },
	{ "link", 0 }, { "lock", 0 }, { "lockt", 0 }, { "locku", 0 }, { "lookup", 0 }, { "lookup_root", 0 },
	{ "nverify", 0 }, { "open", 0 }, { "openattr", 0 }, { "open_conf", 0 }, { "open_dgrd", 0 }, { "putfh", 0 },
	{ "putpubfh", 0 }, { "putrootfh", 0 }, { "read", 0 }, { "readdir", 0 }, { "readlink", 0 }, { "remove", 0 },
	{ "rename", 0 }, { "renew", 0 }, { "restorefh", 0 }, { "savefh", 0 }, { "secinfo", 0 }, { "setattr", 0 },
	{ "setcltid", 0 }, { "setcltidconf", 0 }, { "verify", 0 }, { "write", 0 }, { "rellockowner", 0 },
	{ "bc_ctl", 0 }, { "bind_conn", 0 }, { "exchange_id", 0 }, { "create_ses", 0 }, { "destroy_ses", 0 },
	{ "free_stateid", 0 }, { "getdirdeleg", 0 }, { "getdevinfo", 0 }, { "getdevlist", 0 }, { "layoutcommit", 0 },
	{ "layoutget", 0 }, { "layoutreturn", 0 }, { "secinfononam", 0 }, { "sequence", 0 }, { "set_ssv", 0 },
	{ "test_stateid", 0 }, { "want_deleg", 0 }, { "destroy_clid", 0 }, { "reclaim_comp", 0 }, { "allocate", 0 },
	{ "copy", 0 }, { "copy_notify", 0 }, { "deallocate", 0 }, { "ioadvise", 0 }, { "layouterror", 0 },
	{ "layoutstats", 0 }, { "offloadcancel", 0 }, { "offloadstatus", 0 }, { "readplus", 0 }, { "seek", 0 },
	{ "write_same", 0 }, { "clone", 0 }, { "getxattr", 0 }, { "setxattr", 0 }, { "listxattrs", 0 },
	{ "removexattr", 0 }, { NULL, 0 },
};

static const struct nfsstat_record records[] = {
	/* head     section                client server counted names */
	{ "net",      "packet",            true,  true,  false,  packet },
	{ "rpc",      "rpc",               true,  false, false,  client_rpc },
	{ "rpc",      "rpc",               false, true,  false,  server_rpc },
	{ "rc",       "reply.cache",       false, true,  false,  reply_cache },
	{ "fh",       "file.handle.cache", false, true,  false,  file_handle_cache },
	{ "io",       "io",                false, true,  false,  io },
	{ "th",       "threads",           false, true,  false,  threads },
	{ "ra",       "read.ahead.cache",  false, true,  false,  read_ahead_cache },
	{ "proc2",    "nfs.v2",            true,  true,  true,   v2 },
	{ "proc3",    "nfs.v3",            true,  true,  true,   v3 },
	{ "proc4",    "nfs.v4",            true,  false, true,   client_v4 },
	{ "proc4",    "nfs.v4",            false, true,  true,   server_v4 },
	{ "proc4ops", "nfs.v4.operations", false, true,  true,   server_v4_operations },
};

const struct nfsstat_record *nfsstat_record(bool server, struct text head)
{
	for (size_t i = 0; i < sizeof(records) / sizeof(*records); i++)
		if (text_is(head, records[i].head) && (server ? records[i].server : records[i].client))
			return &records[i];
	return NULL;
}

const char *nfsstat_name(const struct nfsstat_record *record, unsigned nth, unsigned long count)
{
	for (const struct nfsstat_name *n = record->names; n->name; n++)
		if (n->since <= count && nth-- == 0)
			return n->name;
	return NULL;
}
