/** The key-value table under the OAuth provider, strongly consistent since it lies in one object. */

export interface PutOptions {
  expiration?: number;
  expirationTtl?: number;
  metadata?: unknown;
}

export interface ListOptions {
  prefix?: string | null;
  limit?: number;
  cursor?: string | null;
}

export interface KeyList {
  keys: { name: string; expiration?: number; metadata?: unknown }[];
  list_complete: boolean;
  cursor?: string;
}

const keysMax = 1000;

interface Row extends Record<string, SqlStorageValue> {
  key: string;
  metadata: string | null;
  expires_ms: number | null;
}

export class KeyValues {
  #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  get(key: string): string | null {
    const [row] = this.#sql.exec<{ value: string }>(
      'SELECT value FROM kv WHERE key = ? AND (expires_ms IS NULL OR expires_ms > ?)',
      key,
      Date.now(),
    );
    return row?.value ?? null;
  }

  put(key: string, value: string, { expiration, expirationTtl, metadata }: PutOptions): void {
    const now = Date.now();
    const expiresMs =
      expirationTtl !== undefined ? now + expirationTtl * 1000 : expiration !== undefined ? expiration * 1000 : null;
    this.#sql.exec(
      `INSERT INTO kv (key, value, metadata, expires_ms) VALUES (?, ?, ?, ?)
       ON CONFLICT (key) DO UPDATE SET value = excluded.value, metadata = excluded.metadata, expires_ms = excluded.expires_ms`,
      key,
      value,
      metadata === undefined ? null : JSON.stringify(metadata),
      expiresMs,
    );
    this.#sql.exec('DELETE FROM kv WHERE expires_ms <= ?', now);
  }

  delete(key: string): void {
    this.#sql.exec('DELETE FROM kv WHERE key = ?', key);
  }

  /** In the order of keys; the cursor is the last key of the page before. */
  list({ prefix, limit = keysMax, cursor }: ListOptions): KeyList {
    const from = prefix ?? '';
    const rows = [
      ...this.#sql.exec<Row>(
        `SELECT key, metadata, expires_ms FROM kv
         WHERE key >= ? AND key > ? AND substr(key, 1, ?) = ? AND (expires_ms IS NULL OR expires_ms > ?)
         ORDER BY key LIMIT ?`,
        from,
        cursor ?? '',
        from.length,
        from,
        Date.now(),
        Math.min(limit, keysMax) + 1,
      ),
    ];
    const page = rows.slice(0, Math.min(limit, keysMax));
    const keys = page.map(({ key, metadata, expires_ms: expiresMs }) => ({
      name: key,
      ...(expiresMs === null ? {} : { expiration: Math.floor(expiresMs / 1000) }),
      ...(metadata === null ? {} : { metadata: JSON.parse(metadata) as unknown }),
    }));
    const last = page.at(-1);
    return rows.length > page.length && last
      ? { keys, list_complete: false, cursor: last.key }
      : { keys, list_complete: true };
  }
}
