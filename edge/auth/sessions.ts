/** The owner's sessions in browsers: a secret in a cookie, kept here as a digest, for seven days. */
import { digestOf, randomText } from './secrets.ts';

export const sessionMs = 7 * 24 * 3600_000;

export class Sessions {
  #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  async begin(): Promise<string> {
    const secret = randomText(32);
    const digest = await digestOf(secret);
    const now = Date.now();
    this.#sql.exec('DELETE FROM sessions WHERE expires_ms <= ?', now);
    this.#sql.exec('INSERT INTO sessions (digest, expires_ms) VALUES (?, ?)', digest, now + sessionMs);
    return secret;
  }

  async isOpen(secret: string): Promise<boolean> {
    const digest = await digestOf(secret);
    return (
      this.#sql.exec('SELECT 1 FROM sessions WHERE digest = ? AND expires_ms > ?', digest, Date.now()).toArray()
        .length > 0
    );
  }

  async end(secret: string): Promise<void> {
    this.#sql.exec('DELETE FROM sessions WHERE digest = ?', await digestOf(secret));
  }
}
