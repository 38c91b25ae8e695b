/**
 * Auth: the one object that knows who the owner is, which tokens there are and which workspaces. Its methods are the Worker's
 * to call; it holds no table and no secret that it could give away.
 */
import { DurableObject } from 'cloudflare:workers';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { Env } from '../worker/env.ts';
import { type KeyList, KeyValues, type ListOptions, type PutOptions } from './key_values.ts';
import { Passkeys } from './passkeys.ts';
import { type PersonalToken, PersonalTokens, type TokenRequest } from './personal_tokens.ts';
import { makeTables } from './schema.ts';
import { digestOf, sameText } from './secrets.ts';
import { Sessions } from './sessions.ts';

/** What every deployment has from the start. */
export const firstWorkspace = 'main';

export const workspaceName = /^[a-z0-9][a-z0-9-]{0,62}$/;

export class Auth extends DurableObject<Env> {
  #sql: SqlStorage;
  #keyValues: KeyValues;
  #passkeys: Passkeys;
  #sessions: Sessions;
  #tokens: PersonalTokens;

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    this.#sql = state.storage.sql;
    makeTables(this.#sql);
    this.#keyValues = new KeyValues(this.#sql);
    this.#passkeys = new Passkeys(this.#sql);
    this.#sessions = new Sessions(this.#sql);
    this.#tokens = new PersonalTokens(this.#sql);
    this.#sql.exec('INSERT OR IGNORE INTO workspaces (name, made_ms) VALUES (?, ?)', firstWorkspace, Date.now());
  }

  hasOwner(): boolean {
    return this.#passkeys.exist();
  }

  /** What the browser makes a passkey by; null if the link's token does not serve, or no longer. */
  async beginSetup(token: string, origin: string): Promise<PublicKeyCredentialCreationOptionsJSON | null> {
    return (await this.#setupDigest(token)) === undefined ? null : this.#passkeys.creationOptions(origin);
  }

  /** A session for who made the passkey, or null. The link has then served. */
  async finishSetup(token: string, origin: string, response: RegistrationResponseJSON): Promise<string | null> {
    const keep = await this.#passkeys.verifyCreation(origin, response);
    const digest = await this.#setupDigest(token);
    if (!keep || digest === undefined) return null;
    this.ctx.storage.transactionSync(() => {
      this.#sql.exec('INSERT INTO used_setups (digest, used_ms) VALUES (?, ?)', digest, Date.now());
      keep();
    });
    return this.#sessions.begin();
  }

  beginSignIn(origin: string): Promise<PublicKeyCredentialRequestOptionsJSON> {
    return this.#passkeys.requestOptions(origin);
  }

  async finishSignIn(origin: string, response: AuthenticationResponseJSON): Promise<string | null> {
    return (await this.#passkeys.verifySignIn(origin, response)) ? this.#sessions.begin() : null;
  }

  isSession(secret: string): Promise<boolean> {
    return this.#sessions.isOpen(secret);
  }

  endSession(secret: string): Promise<void> {
    return this.#sessions.end(secret);
  }

  createToken(request: TokenRequest): Promise<string> {
    return this.#tokens.create(request);
  }

  tokens(): PersonalToken[] {
    return this.#tokens.list();
  }

  revokeToken(id: string): void {
    this.#tokens.revoke(id);
  }

  async findToken(token: string): Promise<PersonalToken | null> {
    return (await this.#tokens.find(token)) ?? null;
  }

  workspaces(): string[] {
    return this.#sql
      .exec<{ name: string }>('SELECT name FROM workspaces ORDER BY name')
      .toArray()
      .map(({ name }) => name);
  }

  hasWorkspace(name: string): boolean {
    return this.#sql.exec('SELECT 1 FROM workspaces WHERE name = ?', name).toArray().length > 0;
  }

  /** False if the name is taken or cannot be one. */
  createWorkspace(name: string): boolean {
    if (!workspaceName.test(name) || this.hasWorkspace(name)) return false;
    this.#sql.exec('INSERT INTO workspaces (name, made_ms) VALUES (?, ?)', name, Date.now());
    return true;
  }

  kvGet(key: string): string | null {
    return this.#keyValues.get(key);
  }

  kvPut(key: string, value: string, options: PutOptions): void {
    this.#keyValues.put(key, value, options);
  }

  kvDelete(key: string): void {
    this.#keyValues.delete(key);
  }

  kvList(options: ListOptions): KeyList {
    return this.#keyValues.list(options);
  }

  /** The digest of a set-up token that serves: the deployment's own, not past its time, and not used. */
  async #setupDigest(token: string): Promise<string | undefined> {
    const expected = this.env.STELE_SETUP_TOKEN;
    const expiresMs = Number(expected?.split('.')[0]);
    if (!expected || !(expiresMs > Date.now())) return undefined;
    const digest = await digestOf(token);
    if (!sameText(digest, await digestOf(expected))) return undefined;
    const used = this.#sql.exec('SELECT 1 FROM used_setups WHERE digest = ?', digest).toArray().length > 0;
    return used ? undefined : digest;
  }
}
