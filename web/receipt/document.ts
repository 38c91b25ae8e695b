/**
 * A receipt as it travels: the document as text, its digest, and a signature of the digest. Everything in it was written by
 * someone else, so it is parsed before it is believed to be even a receipt.
 */
import * as v from 'valibot';

const text = v.string();

const sealedSchema = v.object({
  id: v.optional(text),
  document: text,
  digest: text,
  algorithm: v.optional(text),
  public_key: v.optional(text),
  signature: v.optional(text),
  unsigned: v.optional(text),
});

const contentSchema = v.object({
  stele_receipt: v.literal(1),
  sql: text,
  reads: v.array(v.object({ table: text, table_id: v.optional(text), version: v.number(), digest: text })),
  columns: v.array(v.object({ name: text, type: text })),
  rows: v.array(v.array(v.unknown())),
  row_count: v.number(),
  truncated: v.optional(v.boolean(), false),
  notice: v.optional(text),
  made_at: text,
  made_by: text,
  message: v.optional(text),
  run: v.optional(text),
  engine: text,
});

export type Sealed = v.InferOutput<typeof sealedSchema>;
export type Content = v.InferOutput<typeof contentSchema>;

export interface Receipt {
  sealed: Sealed;
  content: Content;
}

export function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const plain = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(plain, (character) => character.charCodeAt(0));
}

/** The JSON of a receipt that a link carries in its fragment. Throws if it is none. */
export function receiptInFragment(fragment: string): unknown {
  return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytesOf(fragment)));
}

/** Throws if it is not a receipt. */
export function parseReceipt(value: unknown): Receipt {
  const sealed = v.parse(sealedSchema, value);
  return { sealed, content: v.parse(contentSchema, JSON.parse(sealed.document)) };
}
