/** The deployment's key: an Ed25519 key in a secret, outside every object and its backups. It signs digests only. */
import type { JsonObject } from '../../wasm/instance.ts';

const algorithm = { name: 'Ed25519' };

export interface SigningKey {
  /** The raw public key, base64url. */
  publicKey: string;
  /** Signs the UTF-8 text of a digest. */
  sign(digest: string): Promise<JsonObject>;
}

/** The key of a secret that holds a JWK; undefined if there is none. Throws if the secret holds something else. */
export async function signingKey(secret: string | undefined): Promise<SigningKey | undefined> {
  if (!secret) return undefined;
  const { kty, crv, d, x } = JSON.parse(secret) as JsonWebKey;
  if (kty !== 'OKP' || crv !== 'Ed25519' || !d || !x) throw new Error('STELE_SIGNING_KEY holds no Ed25519 key');
  const key = await crypto.subtle.importKey('jwk', { kty, crv, d, x }, algorithm, false, ['sign']);
  return {
    publicKey: x,
    async sign(digest) {
      const signature = await crypto.subtle.sign(algorithm, key, new TextEncoder().encode(digest));
      return { algorithm: 'Ed25519', public_key: x, signature: base64url(new Uint8Array(signature)) };
    },
  };
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
