/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/catalog.h"

#include <errno.h>
#include <time.h>

#include "base/take.h"

/* Counted up with every change of the tables: an older catalog is made anew. */
#define SCHEMA_VERSION 1
#define SCHEMA_TEXT    "1"
#define PAUSE_MS       20

static const char schema[] =
	"CREATE TABLE meta(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;"
	"CREATE TABLE run("
	" id TEXT PRIMARY KEY,"
	" host TEXT NOT NULL,"                /* of the first segment's header */
	" realtime_ns INTEGER NOT NULL,"      /* the same */
	" first_sequence INTEGER NOT NULL,"
	" last_sequence INTEGER NOT NULL,"
	" segments INTEGER NOT NULL,"
	" bytes INTEGER NOT NULL,"
	" start_ns INTEGER,"                  /* monotonic, marks command.start and command.end */
	" stop_ns INTEGER,"
	" end_sequence INTEGER,"              /* of the last End frame */
	" exited INTEGER, exit_code INTEGER, signal INTEGER"
	") WITHOUT ROWID;"
	"CREATE TABLE segment("
	" run TEXT NOT NULL, sequence INTEGER NOT NULL, bytes INTEGER NOT NULL,"
	" hash INTEGER NOT NULL,"             /* XXH3, 64 bits, of the file */
	" refused INTEGER NOT NULL,"
	" PRIMARY KEY(run, sequence)) WITHOUT ROWID;"
	"CREATE TABLE pair("
	" run TEXT NOT NULL, kind INTEGER NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL,"
	" sequence INTEGER NOT NULL,"
	" PRIMARY KEY(run, kind, name)) WITHOUT ROWID;"
	"CREATE INDEX pair_by_value ON pair(name, value, run) WHERE kind = 0;"
	"CREATE TABLE result("
	" run TEXT NOT NULL, key TEXT NOT NULL, value REAL, unit TEXT NOT NULL, direction INTEGER NOT NULL,"
	" sequence INTEGER NOT NULL,"
	" PRIMARY KEY(run, key)) WITHOUT ROWID;"
	"CREATE TABLE derived(run TEXT NOT NULL, name TEXT NOT NULL, PRIMARY KEY(run, name)) WITHOUT ROWID;"
	"PRAGMA user_version = " SCHEMA_TEXT ";";

static const char drop[] =
	"DROP TABLE IF EXISTS meta; DROP TABLE IF EXISTS run; DROP TABLE IF EXISTS segment; DROP TABLE IF EXISTS pair;"
	"DROP TABLE IF EXISTS result; DROP TABLE IF EXISTS derived;";

static const char *const texts[CATALOG_STATEMENTS] = {
	[CATALOG_BEGIN] = "BEGIN IMMEDIATE",
	[CATALOG_COMMIT] = "COMMIT",
	[CATALOG_ROLLBACK] = "ROLLBACK",
	[CATALOG_META_GET] = "SELECT value FROM meta WHERE name = ?1",
	[CATALOG_META_SET] = "INSERT OR REPLACE INTO meta(name, value) VALUES(?1, ?2)",
	[CATALOG_SEGMENT_ADD] = "INSERT OR IGNORE INTO segment(run, sequence, bytes, hash, refused) "
				"VALUES(?1, ?2, ?3, ?4, ?5)",
	[CATALOG_SEGMENT_GET] = "SELECT sequence, bytes, hash, refused FROM segment WHERE run = ?1 AND sequence = ?2",
	[CATALOG_SEGMENTS] = "SELECT sequence, bytes, hash, refused FROM segment WHERE run = ?1 ORDER BY sequence",
	/* the lowest sequence names host and time, the highest with an End names the end */
	[CATALOG_RUN_ADD] =
		"INSERT INTO run(id, host, realtime_ns, first_sequence, last_sequence, segments, bytes, start_ns,"
		" stop_ns, end_sequence, exited, exit_code, signal)"
		" VALUES(?1, ?2, ?3, ?4, ?4, 1, ?5, ?6, ?7, ?8, ?9, ?10, ?11)"
		" ON CONFLICT(id) DO UPDATE SET"
		" host = iif(excluded.first_sequence < first_sequence, excluded.host, host),"
		" realtime_ns = iif(excluded.first_sequence < first_sequence, excluded.realtime_ns, realtime_ns),"
		" first_sequence = min(first_sequence, excluded.first_sequence),"
		" last_sequence = max(last_sequence, excluded.last_sequence),"
		" segments = segments + 1,"
		" bytes = bytes + excluded.bytes,"
		" start_ns = min(ifnull(start_ns, excluded.start_ns), ifnull(excluded.start_ns, start_ns)),"
		" stop_ns = max(ifnull(stop_ns, excluded.stop_ns), ifnull(excluded.stop_ns, stop_ns)),"
		" exited = iif(excluded.end_sequence >= ifnull(end_sequence, 0), excluded.exited, exited),"
		" exit_code = iif(excluded.end_sequence >= ifnull(end_sequence, 0), excluded.exit_code, exit_code),"
		" signal = iif(excluded.end_sequence >= ifnull(end_sequence, 0), excluded.signal, signal),"
		" end_sequence = max(ifnull(end_sequence, excluded.end_sequence),"
		"                    ifnull(excluded.end_sequence, end_sequence))",
	[CATALOG_RUN_IDS] = "SELECT id FROM run ORDER BY id",
	[CATALOG_PAIR_ADD] =
		"INSERT INTO pair(run, kind, name, value, sequence) VALUES(?1, ?2, ?3, ?4, ?5)"
		" ON CONFLICT(run, kind, name) DO UPDATE SET value = excluded.value, sequence = excluded.sequence"
		" WHERE excluded.sequence >= sequence",
	[CATALOG_PAIRS] = "SELECT kind, name, value FROM pair WHERE run = ?1 ORDER BY kind, name",
	[CATALOG_RESULT_ADD] =
		"INSERT INTO result(run, key, value, unit, direction, sequence) VALUES(?1, ?2, ?3, ?4, ?5, ?6)"
		" ON CONFLICT(run, key) DO UPDATE SET value = excluded.value, unit = excluded.unit,"
		" direction = excluded.direction, sequence = excluded.sequence WHERE excluded.sequence >= sequence",
	[CATALOG_DERIVED_ADD] = "INSERT OR IGNORE INTO derived(run, name) VALUES(?1, ?2)",
	[CATALOG_DERIVED] = "SELECT name FROM derived WHERE run = ?1",
	[CATALOG_DERIVED_DROP] = "DELETE FROM derived WHERE run = ?1",
	[CATALOG_NEWEST] = "SELECT id FROM run ORDER BY id DESC LIMIT 1 OFFSET ?1",
	[CATALOG_PREFIX] = "SELECT id FROM run WHERE id >= ?1 AND id < ?1 || '~' ORDER BY id LIMIT 2",
	[CATALOG_DROP_RUN] = "DELETE FROM run WHERE id = ?1",
	[CATALOG_DROP_SEGMENTS] = "DELETE FROM segment WHERE run = ?1",
	[CATALOG_DROP_PAIRS] = "DELETE FROM pair WHERE run = ?1",
	[CATALOG_DROP_RESULTS] = "DELETE FROM result WHERE run = ?1",
};

int catalog_failed(struct catalog *c, struct err *err)
{
	const char *path = c->path ? c->path : "the catalog in memory";
	int code = c->db ? sqlite3_errcode(c->db) & 0xff : SQLITE_NOMEM;
	const char *words = c->db ? sqlite3_errmsg(c->db) : "no memory";

	switch (code) {
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return err_set(err, -EBUSY, "%s: another process is writing it; try again", path);
	case SQLITE_FULL:
		return err_set(err, -ENOSPC, "%s: %s", path, words);
	case SQLITE_CORRUPT:
	case SQLITE_NOTADB:
		return err_set(err, -EUCLEAN, "%s: %s; remove it, it is made anew from the segments", path, words);
	case SQLITE_READONLY:
		return err_set(err, -EROFS, "%s: %s", path, words);
	case SQLITE_NOMEM:
		return err_set(err, -ENOMEM, "%s: %s", path, words);
	default:
		return err_set(err, -EIO, "%s: %s", path, words);
	}
}

sqlite3_stmt *catalog_prepare(struct catalog *c, enum catalog_statement which, struct err *err)
{
	sqlite3_stmt **s = &c->statements[which];

	if (!c->db) {
		err_set(err, -EIO, "the catalog is not open");
		return NULL;
	}
	if (!*s && sqlite3_prepare_v3(c->db, texts[which], -1, SQLITE_PREPARE_PERSISTENT, s, NULL) != SQLITE_OK) {
		catalog_failed(c, err);
		return NULL;
	}
	(void)sqlite3_reset(*s);
	(void)sqlite3_clear_bindings(*s);
	return *s;
}

int catalog_run(struct catalog *c, sqlite3_stmt *statement, struct err *err)
{
	int r = sqlite3_step(statement) == SQLITE_DONE ? 0 : catalog_failed(c, err);

	(void)sqlite3_reset(statement);
	return r;
}

static int simple(struct catalog *c, enum catalog_statement which, struct err *err)
{
	sqlite3_stmt *s = catalog_prepare(c, which, err);

	return s ? catalog_run(c, s, err) : err->code;
}

void catalog_patience(struct catalog *c, int milliseconds)
{
	(void)sqlite3_busy_timeout(c->db, milliseconds);
}

int catalog_begin(struct catalog *c, struct err *err)
{
	return simple(c, CATALOG_BEGIN, err);
}

int catalog_commit(struct catalog *c, struct err *err)
{
	int r = simple(c, CATALOG_COMMIT, err);

	if (r < 0)
		catalog_rollback(c);
	return r;
}

void catalog_rollback(struct catalog *c)
{
	struct err ignored;

	if (!sqlite3_get_autocommit(c->db)) /* some failures have rolled back by themselves */
		(void)simple(c, CATALOG_ROLLBACK, &ignored);
}

/* globs(pattern, value): the pattern of a query, not SQLite's own GLOB, which knows classes. */
static void sql_globs(sqlite3_context *context, int count, sqlite3_value **values)
{
	const char *pattern = (const char *)sqlite3_value_text(values[0]);
	const char *value = (const char *)sqlite3_value_text(values[1]);

	sqlite3_result_int(context, pattern && value && text_glob(text_of(value), pattern));
}

static int version_of(struct catalog *c, int *ret, struct err *err)
{
	sqlite3_stmt *s = NULL;
	int r = 0;

	if (sqlite3_prepare_v2(c->db, "PRAGMA user_version", -1, &s, NULL) == SQLITE_OK &&
	    sqlite3_step(s) == SQLITE_ROW)
		*ret = sqlite3_column_int(s, 0);
	else
		r = catalog_failed(c, err);
	(void)sqlite3_finalize(s);
	return r;
}

/* Two processes that turn a new database to WAL at once do not wait for each other inside SQLite. */
static int use_wal(struct catalog *c, struct err *err)
{
	const struct timespec pause = { .tv_nsec = PAUSE_MS * 1000 * 1000 };
	int r;

	for (int i = 0; i < CATALOG_PATIENCE_MS / PAUSE_MS; i++) {
		r = sqlite3_exec(c->db, "PRAGMA journal_mode = WAL", NULL, NULL, NULL);
		if ((r & 0xff) != SQLITE_BUSY)
			break;
		(void)nanosleep(&pause, NULL);
	}
	return r == SQLITE_OK ? 0 : catalog_failed(c, err);
}

static int make_tables(struct catalog *c, struct err *err)
{
	int version = 0;
	int r = catalog_begin(c, err);

	if (r < 0)
		return r;
	r = version_of(c, &version, err); /* again: another process may have been faster */
	if (r == 0 && version < SCHEMA_VERSION) {
		if (sqlite3_exec(c->db, drop, NULL, NULL, NULL) != SQLITE_OK ||
		    sqlite3_exec(c->db, schema, NULL, NULL, NULL) != SQLITE_OK)
			r = catalog_failed(c, err);
	}
	if (r == 0)
		return catalog_commit(c, err);
	catalog_rollback(c);
	return r;
}

int catalog_open(struct catalog *c, const char *path, bool read_only, struct err *err)
{
	/* synchronous NORMAL: a commit does not wait for the disk. What a power cut takes is learnt anew. */
	static const char settings[] = "PRAGMA synchronous = NORMAL; PRAGMA trusted_schema = OFF;";
	int flags = read_only ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
	int version = 0, r;

	*c = (struct catalog){ .frozen = read_only };
	if (path && !(c->path = text_copy(text_of(path))))
		return err_set(err, -ENOMEM, "%s: no memory", path);
	if (sqlite3_open_v2(path ? path : ":memory:", &c->db, flags | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
		return catalog_failed(c, err);
	catalog_patience(c, CATALOG_PATIENCE_MS);
	if (sqlite3_create_function(c->db, "globs", 2, SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL, sql_globs, NULL,
				    NULL) != SQLITE_OK ||
	    sqlite3_exec(c->db, settings, NULL, NULL, NULL) != SQLITE_OK)
		return catalog_failed(c, err);
	r = version_of(c, &version, err);
	if (r == 0 && version > SCHEMA_VERSION)
		return err_set(err, -EPROTO, "%s was made by a newer assay (tables %d, this one knows %d)", c->path,
			       version, SCHEMA_VERSION);
	if (r == 0 && read_only)
		return version == SCHEMA_VERSION ? 0 : err_set(err, -EUCLEAN, "%s: not made yet", c->path);
	if (r == 0)
		r = use_wal(c, err);
	if (r == 0 && version < SCHEMA_VERSION)
		r = make_tables(c, err);
	return r;
}

void catalog_close(struct catalog *c)
{
	for (size_t i = 0; i < CATALOG_STATEMENTS; i++)
		(void)sqlite3_finalize(c->statements[i]);
	(void)sqlite3_close(c->db);
	free(c->path);
	*c = (struct catalog){ 0 };
}
