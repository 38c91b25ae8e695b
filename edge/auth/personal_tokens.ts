/** Personal tokens: for one workspace, with scopes and an end, shown once and kept as a digest. */
import { type Scope, scopes as allScopes } from '../handler/access.ts';
import { digestOf, randomText, sameText } from './secrets.ts';

export interface TokenRequest {
  name: string;
  workspace: string;
  scopes: Scope[];
  /** Null: until it is revoked. */
  expiresMs: number | null;
}

export interface PersonalToken extends TokenRequest {
  id: string;
  madeMs: number;
}

interface Row extends Record<string, SqlStorageValue> {
  id: string;
  digest: string;
  name: string;
  workspace: string;
  scopes: string;
  made_ms: number;
  expires_ms: number | null;
}

const prefix = 'stele';

/** By its shape; whether it is a token that serves is find()'s to say. */
export function isPersonalToken(token: string): boolean {
  return token.startsWith(`${prefix}_`);
}

export class PersonalTokens {
  #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** The token itself, which is nowhere else from then on. */
  async create({ name, workspace, scopes, expiresMs }: TokenRequest): Promise<string> {
    const id = randomText(9).replaceAll('_', '-');
    const token = `${prefix}_${id}_${randomText(32)}`;
    this.#sql.exec(
      'INSERT INTO tokens (id, digest, name, workspace, scopes, made_ms, expires_ms) VALUES (?, ?, ?, ?, ?, ?, ?)',
      id,
      await digestOf(token),
      name,
      workspace,
      JSON.stringify(scopes),
      Date.now(),
      expiresMs,
    );
    return token;
  }

  list(): PersonalToken[] {
    return this.#sql.exec<Row>('SELECT * FROM tokens ORDER BY made_ms DESC').toArray().map(shown);
  }

  revoke(id: string): void {
    this.#sql.exec('DELETE FROM tokens WHERE id = ?', id);
  }

  /** What the token allows; undefined if there is no such token, or no longer. */
  async find(token: string): Promise<PersonalToken | undefined> {
    const digest = await digestOf(token);
    const [row] = this.#sql.exec<Row>('SELECT * FROM tokens WHERE id = ?', token.split('_')[1] ?? '');
    if (!row || !sameText(row.digest, digest)) return undefined;
    return row.expires_ms !== null && row.expires_ms <= Date.now() ? undefined : shown(row);
  }
}

function shown(row: Row): PersonalToken {
  const kept = JSON.parse(row.scopes) as string[];
  return {
    id: row.id,
    name: row.name,
    workspace: row.workspace,
    scopes: allScopes.filter((scope) => kept.includes(scope)),
    madeMs: row.made_ms,
    expiresMs: row.expires_ms,
  };
}
