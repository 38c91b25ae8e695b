/**
 * The owner's passkeys: made once by a link that the deployer holds, then the only way to sign in. Each challenge serves
 * once, for five minutes.
 */
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';

const challengeMs = 5 * 60_000;

interface Passkey extends Record<string, SqlStorageValue> {
  id: string;
  public_key: ArrayBuffer;
  counter: number;
  transports: string;
}

export class Passkeys {
  #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  exist(): boolean {
    return this.#sql.exec('SELECT 1 FROM passkeys LIMIT 1').toArray().length > 0;
  }

  async creationOptions(origin: string): Promise<PublicKeyCredentialCreationOptionsJSON> {
    const options = await generateRegistrationOptions({
      rpName: 'Stele',
      rpID: new URL(origin).hostname,
      userName: 'owner',
      userDisplayName: 'Owner of this Stele',
      attestationType: 'none',
      excludeCredentials: this.#all().map(({ id }) => ({ id })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    this.#keepChallenge(options.challenge, 'create');
    return options;
  }

  /** Verifies the browser's answer. What it returns is not kept yet: keep() does that. */
  async verifyCreation(origin: string, response: RegistrationResponseJSON): Promise<(() => void) | undefined> {
    const verified = await verifyRegistrationResponse({
      response,
      expectedChallenge: (challenge) => this.#takeChallenge(challenge, 'create'),
      expectedOrigin: origin,
      expectedRPID: new URL(origin).hostname,
      requireUserVerification: true,
    }).catch(() => undefined);
    if (!verified?.verified) return undefined;
    const { id, publicKey, counter, transports } = verified.registrationInfo.credential;
    return () => {
      const columns = '(id, public_key, counter, transports, made_ms)';
      const key = publicKey.slice().buffer;
      this.#sql.exec(
        `INSERT INTO passkeys ${columns} VALUES (?, ?, ?, ?, ?)`,
        id,
        key,
        counter,
        JSON.stringify(transports ?? []),
        Date.now(),
      );
    };
  }

  async requestOptions(origin: string): Promise<PublicKeyCredentialRequestOptionsJSON> {
    const options = await generateAuthenticationOptions({
      rpID: new URL(origin).hostname,
      userVerification: 'required',
    });
    this.#keepChallenge(options.challenge, 'sign in');
    return options;
  }

  async verifySignIn(origin: string, response: AuthenticationResponseJSON): Promise<boolean> {
    const passkey = this.#all().find(({ id }) => id === response.id);
    if (!passkey) return false;
    const verified = await verifyAuthenticationResponse({
      response,
      expectedChallenge: (challenge) => this.#takeChallenge(challenge, 'sign in'),
      expectedOrigin: origin,
      expectedRPID: new URL(origin).hostname,
      requireUserVerification: true,
      credential: { id: passkey.id, publicKey: new Uint8Array(passkey.public_key), counter: passkey.counter },
    }).catch(() => undefined);
    if (!verified?.verified) return false;
    this.#sql.exec('UPDATE passkeys SET counter = ? WHERE id = ?', verified.authenticationInfo.newCounter, passkey.id);
    return true;
  }

  #all(): Passkey[] {
    return this.#sql.exec<Passkey>('SELECT id, public_key, counter, transports FROM passkeys').toArray();
  }

  #keepChallenge(challenge: string, purpose: string): void {
    const now = Date.now();
    this.#sql.exec('DELETE FROM challenges WHERE expires_ms <= ?', now);
    this.#sql.exec(
      'INSERT INTO challenges (challenge, purpose, expires_ms) VALUES (?, ?, ?)',
      challenge,
      purpose,
      now + challengeMs,
    );
  }

  #takeChallenge(challenge: string, purpose: string): boolean {
    const taken = this.#sql.exec(
      'DELETE FROM challenges WHERE challenge = ? AND purpose = ? AND expires_ms > ? RETURNING 1',
      challenge,
      purpose,
      Date.now(),
    );
    return taken.toArray().length > 0;
  }
}
