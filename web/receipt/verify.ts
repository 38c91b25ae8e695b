/**
 * What this browser can check of a receipt by itself: that the document is the one that was digested, and that the key that it
 * names signed the digest. Who holds the key is another question, which a signature cannot answer: anyone can make a key.
 */
import { bytesOf, type Sealed } from './document.ts';

export type Verdict =
  /** Unchanged since this key signed it. */
  | { kind: 'signed'; key: string }
  /** Unchanged, but nobody signed it. */
  | { kind: 'unsigned'; why: string }
  /** The document is not the one that was digested. */
  | { kind: 'changed' }
  /** The key that it names did not sign this. */
  | { kind: 'forged'; key: string }
  /** The digest fits; this browser cannot check the signature. */
  | { kind: 'unchecked'; key: string };

export async function verify({
  document,
  digest,
  algorithm,
  public_key,
  signature,
  unsigned,
}: Sealed): Promise<Verdict> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(document));
  if (hexOf(hash) !== digest) return { kind: 'changed' };
  if (!signature || !public_key) return { kind: 'unsigned', why: unsigned ?? '' };
  const key = public_key;
  if (algorithm !== undefined && algorithm !== 'Ed25519') return { kind: 'unchecked', key };
  try {
    const imported = await crypto.subtle.importKey('raw', bytesOf(key), 'Ed25519', false, ['verify']);
    const isSigned = await crypto.subtle.verify(
      'Ed25519',
      imported,
      bytesOf(signature),
      new TextEncoder().encode(digest),
    );
    return isSigned ? { kind: 'signed', key } : { kind: 'forged', key };
  } catch (error) {
    return (error as Error).name === 'NotSupportedError' ? { kind: 'unchecked', key } : { kind: 'forged', key };
  }
}

function hexOf(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The start of a key or digest, enough to compare by eye. */
export function shortName(key: string): string {
  return key.slice(0, 8);
}
