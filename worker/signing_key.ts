/**
 * The workspace's key: an Ed25519 pair in IndexedDB whose private half no script can read out, this one included. It lies
 * outside the store and its backups, so a copied store signs with a key of its own.
 */
import { HomeError } from '../wasm/home.ts';
import type { JsonObject } from '../wasm/instance.ts';

const algorithm = { name: 'Ed25519' };
const keys = 'keys';

export class SigningKey {
  #workspace: string;
  #pair: Promise<CryptoKeyPair> | undefined;

  constructor(workspace: string) {
    this.#workspace = workspace;
  }

  /** Signs the UTF-8 text of a digest. Makes the key at the first use. */
  async sign(digest: string): Promise<JsonObject> {
    this.#pair ??= loadOrMake(this.#workspace);
    const { privateKey, publicKey } = await this.#pair.catch((error: unknown) => {
      this.#pair = undefined;
      throw new HomeError('unavailable', `This browser gave no key to sign with: ${String(error)}`, 'Call again.');
    });
    const signature = await crypto.subtle.sign(algorithm, privateKey, new TextEncoder().encode(digest));
    const raw = await crypto.subtle.exportKey('raw', publicKey);
    return { algorithm: 'Ed25519', public_key: base64url(raw), signature: base64url(signature) };
  }
}

/** The public half in base64url; undefined if no key was made yet, which this does not do. */
export async function publicKeyOf(workspace: string): Promise<string | undefined> {
  const database = await openDatabase();
  try {
    const pair = (await answered(database.transaction(keys).objectStore(keys).get(workspace))) as
      CryptoKeyPair | undefined;
    return pair && base64url(await crypto.subtle.exportKey('raw', pair.publicKey));
  } finally {
    database.close();
  }
}

async function loadOrMake(workspace: string): Promise<CryptoKeyPair> {
  const database = await openDatabase();
  try {
    const kept = await answered(database.transaction(keys).objectStore(keys).get(workspace));
    if (kept !== undefined) return kept as CryptoKeyPair;
    const made = (await crypto.subtle.generateKey(algorithm, false, ['sign', 'verify'])) as CryptoKeyPair;
    const writing = database.transaction(keys, 'readwrite', { durability: 'strict' });
    writing.objectStore(keys).add(made, workspace);
    await new Promise<void>((resolve, reject) => {
      writing.oncomplete = () => resolve();
      writing.onabort = () => reject(writing.error);
    });
    return made;
  } finally {
    database.close();
  }
}

function openDatabase(): Promise<IDBDatabase> {
  const opening = indexedDB.open('stele-keys', 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(keys);
  return answered(opening);
}

function answered<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function base64url(bytes: ArrayBuffer): string {
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes)));
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}
