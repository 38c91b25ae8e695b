-- Stele's one schema, version 1, the same in every home. A later version is a new file of forward migrations beside this
-- one; a released file never changes. Statements are parted by ";" at a line's end. Times are milliseconds since 1970 UTC,
-- booleans 0 and 1, an open end is 9007199254740991 (2^53-1).

CREATE TABLE meta (key TEXT NOT NULL PRIMARY KEY, value) WITHOUT ROWID;

-- Bulk. A blob that is not published is not there: it is swept when a core opens the store.
CREATE TABLE blobs (
  id INTEGER PRIMARY KEY,
  kind INTEGER NOT NULL,               -- BlobKind
  size INTEGER NOT NULL DEFAULT 0,     -- bytes
  sha256 TEXT NOT NULL DEFAULT '',
  published INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX blobs_unpublished ON blobs (id) WHERE published = 0;
CREATE TABLE chunks (
  blob INTEGER NOT NULL,
  n INTEGER NOT NULL,                  -- 0, 1, 2, …; each 1 MiB but the last (spill: 256 KiB)
  bytes BLOB NOT NULL,
  PRIMARY KEY (blob, n)
);

CREATE TABLE tables (
  id TEXT NOT NULL PRIMARY KEY,        -- UUIDv7, unique across homes
  path TEXT NOT NULL,
  description TEXT NOT NULL DEFAULT '',
  version INTEGER NOT NULL,            -- the latest
  next_column INTEGER NOT NULL,        -- column ids are never used twice
  next_segment INTEGER NOT NULL DEFAULT 1,   -- segments.number of the next segment
  written_bytes INTEGER NOT NULL DEFAULT 0,  -- segments and deletions as first written
  merged_bytes INTEGER NOT NULL DEFAULT 0,   -- written again by merges, within a budget of the former
  created_ms INTEGER NOT NULL,
  trashed_ms INTEGER,
  share_token TEXT
) WITHOUT ROWID;
CREATE UNIQUE INDEX tables_by_path ON tables (path) WHERE trashed_ms IS NULL;
CREATE INDEX tables_in_trash ON tables (path, trashed_ms) WHERE trashed_ms IS NOT NULL;
CREATE UNIQUE INDEX tables_by_share ON tables (share_token) WHERE share_token IS NOT NULL;
CREATE TABLE column_descriptions (
  table_id TEXT NOT NULL,
  column_id INTEGER NOT NULL,
  description TEXT NOT NULL,
  PRIMARY KEY (table_id, column_id)
) WITHOUT ROWID;

-- One row a version, never changed. Its primary key is what makes two writers that raced see it.
CREATE TABLE versions (
  table_id TEXT NOT NULL,
  version INTEGER NOT NULL,
  kind TEXT NOT NULL,                  -- create, append, upsert, replace, restore
  tool TEXT NOT NULL,                  -- write, import, query, restore
  columns_id INTEGER NOT NULL,         -- column_lists
  rows INTEGER NOT NULL,
  bytes INTEGER NOT NULL,              -- of its live segments
  added INTEGER NOT NULL,
  updated INTEGER NOT NULL,
  removed INTEGER NOT NULL,
  columns_added TEXT NOT NULL DEFAULT '[]',
  columns_removed TEXT NOT NULL DEFAULT '[]',
  columns_retyped TEXT NOT NULL DEFAULT '[]',
  author TEXT NOT NULL,
  message TEXT NOT NULL DEFAULT '',
  run TEXT NOT NULL DEFAULT '',
  made_ms INTEGER NOT NULL,
  restored_from INTEGER,
  digest TEXT NOT NULL,                -- sha256 over columns, live segments' digests and deletions
  PRIMARY KEY (table_id, version)
) WITHOUT ROWID;

-- A table's logical columns [{"id", "name", "type"}] and its segments' stored ones, each list kept once.
CREATE TABLE column_lists (
  id INTEGER PRIMARY KEY,
  table_id TEXT NOT NULL,
  columns TEXT NOT NULL
);
CREATE INDEX column_lists_by_table ON column_lists (table_id);

-- `number` counts a table's segments and is how deletions name them, the same in every home. Rows are read in the order of
-- `place`, then `number`: a merged segment takes the place of the first one it stands for.
CREATE TABLE segments (
  blob INTEGER PRIMARY KEY,
  table_id TEXT NOT NULL,
  number INTEGER NOT NULL,
  place INTEGER NOT NULL,
  rows INTEGER NOT NULL,
  columns_id INTEGER NOT NULL          -- column_lists, as stored
);
-- When a segment is live: begin_version <= n < end_version. A segment can be live again after a restore. data_change = 0
-- marks a merge, which history and diff pass over.
CREATE TABLE segment_spans (
  table_id TEXT NOT NULL,
  end_version INTEGER NOT NULL,
  segment INTEGER NOT NULL,
  begin_version INTEGER NOT NULL,
  data_change INTEGER NOT NULL DEFAULT 1,
  PRIMARY KEY (table_id, end_version, segment, begin_version)
) WITHOUT ROWID;

-- Deleted rows: one document a version for all the segments it touches, with a life like a segment's.
CREATE TABLE deletions (
  id INTEGER PRIMARY KEY,
  table_id TEXT NOT NULL,
  n INTEGER NOT NULL DEFAULT 0,        -- a document over 1 MiB continues in rows of the same first id
  first INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  bytes BLOB NOT NULL
);
CREATE INDEX deletions_parts ON deletions (first, n);
CREATE TABLE deletion_spans (
  table_id TEXT NOT NULL,
  end_version INTEGER NOT NULL,
  deletion INTEGER NOT NULL,           -- deletions.first
  begin_version INTEGER NOT NULL,
  PRIMARY KEY (table_id, end_version, deletion, begin_version)
) WITHOUT ROWID;

-- Fingerprints of a key's values in one segment, sorted, in blocks of at most 64 KiB.
CREATE TABLE key_blocks (
  segment INTEGER NOT NULL,
  key TEXT NOT NULL,                   -- the key's column ids and types, "3 BIGINT,7 VARCHAR"
  first INTEGER NOT NULL,              -- the block's smallest fingerprint, 53 bits; of the first block always 0
  n INTEGER NOT NULL,
  bytes BLOB NOT NULL,
  PRIMARY KEY (segment, key, first, n)
);

-- What a call with an idempotency key was answered, stored in the commit that made its version.
CREATE TABLE answers (
  idempotency_key TEXT NOT NULL PRIMARY KEY,
  request_digest TEXT NOT NULL,
  answer TEXT NOT NULL,
  made_ms INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX answers_by_time ON answers (made_ms);

CREATE TABLE receipts (
  id TEXT NOT NULL PRIMARY KEY,
  document TEXT NOT NULL,
  made_ms INTEGER NOT NULL
) WITHOUT ROWID;
