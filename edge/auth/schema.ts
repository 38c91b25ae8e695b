/** The Auth object's tables. Secrets are kept as SHA-256 digests alone; times are milliseconds since 1970 UTC. */

const statements = [
  // What the OAuth provider keeps: clients, grants, tokens, under the keys that it documents.
  `CREATE TABLE IF NOT EXISTS kv (
    key TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL,
    metadata TEXT,                       -- JSON
    expires_ms INTEGER                   -- null: never
  ) WITHOUT ROWID`,
  `CREATE INDEX IF NOT EXISTS kv_by_expiry ON kv (expires_ms) WHERE expires_ms IS NOT NULL`,

  `CREATE TABLE IF NOT EXISTS passkeys (
    id TEXT NOT NULL PRIMARY KEY,        -- the credential's, base64url
    public_key BLOB NOT NULL,            -- COSE
    counter INTEGER NOT NULL,
    transports TEXT NOT NULL,            -- JSON list
    made_ms INTEGER NOT NULL
  ) WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS challenges (challenge TEXT NOT NULL PRIMARY KEY, purpose TEXT NOT NULL, expires_ms INTEGER NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS used_setups (digest TEXT NOT NULL PRIMARY KEY, used_ms INTEGER NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS sessions (digest TEXT NOT NULL PRIMARY KEY, expires_ms INTEGER NOT NULL)`,

  `CREATE TABLE IF NOT EXISTS tokens (
    id TEXT NOT NULL PRIMARY KEY,
    digest TEXT NOT NULL,
    name TEXT NOT NULL,
    workspace TEXT NOT NULL,
    scopes TEXT NOT NULL,                -- JSON list
    made_ms INTEGER NOT NULL,
    expires_ms INTEGER                   -- null: never
  ) WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS workspaces (name TEXT NOT NULL PRIMARY KEY, made_ms INTEGER NOT NULL) WITHOUT ROWID`,
];

export function makeTables(sql: SqlStorage): void {
  for (const statement of statements) sql.exec(statement);
}
