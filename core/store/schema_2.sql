-- Version 2: what the homes' own pages tell of a table.

-- The key of the upsert that made a version, as column ids; by it two versions are compared.
ALTER TABLE versions ADD COLUMN key_columns TEXT NOT NULL DEFAULT '[]';
-- Since when the table is shared; of a share that is older than this column it is not known.
ALTER TABLE tables ADD COLUMN shared_ms INTEGER;
CREATE INDEX receipts_by_time ON receipts (made_ms);
