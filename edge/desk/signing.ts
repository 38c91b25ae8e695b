/** The workspace's key: an Ed25519 key in a file beside the store, outside SQLite and its backups. It signs digests only. */
import { chmod, readFile, writeFile } from 'node:fs/promises';
import type { JsonObject } from '../../wasm/instance.ts';

const algorithm = { name: 'Ed25519' };

export class SigningKey {
  #pair: Promise<CryptoKeyPair>;

  /** The key of a file, which is made at the first use if there is none. */
  constructor(file: string) {
    this.#pair = load(file);
    this.#pair.catch(() => {});
  }

  /** Signs the UTF-8 text of a digest. */
  async sign(digest: string): Promise<JsonObject> {
    const { privateKey, publicKey } = await this.#pair;
    const signature = await crypto.subtle.sign(algorithm, privateKey, new TextEncoder().encode(digest));
    const raw = await crypto.subtle.exportKey('raw', publicKey);
    return { algorithm: 'Ed25519', public_key: base64url(raw), signature: base64url(signature) };
  }
}

async function load(file: string): Promise<CryptoKeyPair> {
  const kept = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  return kept === undefined ? make(file) : fromJwk(JSON.parse(kept) as JsonWebKey);
}

async function make(file: string): Promise<CryptoKeyPair> {
  const pair = (await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as CryptoKeyPair;
  const jwk = await crypto.subtle.exportKey('jwk', pair.privateKey);
  try {
    await writeFile(file, `${JSON.stringify(jwk)}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    // Another process made it in the meantime.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return load(file);
    throw error;
  }
  await chmod(file, 0o600);
  return pair;
}

async function fromJwk({ kty, crv, d, x }: JsonWebKey): Promise<CryptoKeyPair> {
  if (d === undefined || x === undefined) throw new Error('the key file holds no Ed25519 key');
  const parts = { kty: kty ?? 'OKP', crv: crv ?? 'Ed25519', x };
  return {
    privateKey: await crypto.subtle.importKey('jwk', { ...parts, d }, algorithm, false, ['sign']),
    publicKey: await crypto.subtle.importKey('jwk', parts, algorithm, true, ['verify']),
  };
}

function base64url(bytes: ArrayBuffer): string {
  return Buffer.from(bytes).toString('base64url');
}
