/** The secrets of a deployment, made anew: the key that signs receipts and what the set-up link carries. */
import { randomBytes } from 'node:crypto';

/** How long a set-up link serves. */
const setupMs = 24 * 3600_000;

export async function newSigningKey(): Promise<string> {
  const { privateKey } = (await crypto.subtle.generateKey({ name: 'Ed25519' }, true, [
    'sign',
    'verify',
  ])) as CryptoKeyPair;
  const { kty, crv, d, x } = await crypto.subtle.exportKey('jwk', privateKey);
  return JSON.stringify({ kty, crv, d, x });
}

export function newSetupToken(now = Date.now()): string {
  return `${now + setupMs}.${randomBytes(32).toString('base64url')}`;
}

export function setupLink(origin: string, token: string): string {
  return `${origin}/setup#${token}`;
}
