/**
 * A table that a link carries whole in its fragment, which no server is sent: packed for the link and, at the other end, looked
 * at before it is believed to be a table, since anyone may have written it.
 */
import * as v from 'valibot';
import { bytesOf } from '../receipt/document.ts';

/**
 * How long a link may be, address and all: what RFC 9110 wants everyone to take of an address. Mail and most messengers keep
 * such a link whole; shortMessages tells who does not.
 */
export const linkCharsMax = 8000;

/** How long a message may be where it is less than that: beyond it a messenger cuts, splits or refuses it. */
export const messageCharsMax = { Telegram: 4096, Slack: 4000, Discord: 2000 };

/** Of the document before it is packed; beyond it neither side goes on. */
export const carriedCharsMax = 4 << 20;

const columnsMax = 500;

const columnSchema = v.object({
  name: v.string(),
  type: v.string(),
  /** What it means, if someone wrote it down. */
  description: v.optional(v.string()),
  /** By row, as answers give them. By column, since alike values side by side pack better. */
  values: v.array(v.unknown()),
});

const carriedSchema = v.object({
  stele_table: v.literal(1),
  table: v.string(),
  description: v.optional(v.string()),
  version: v.number(),
  /** When the version was made. */
  changed_at: v.optional(v.string()),
  /** How many rows the version has, where these are some of them. */
  rows_in_all: v.optional(v.number()),
  columns: v.pipe(v.array(columnSchema), v.minLength(1), v.maxLength(columnsMax)),
});

export type CarriedTable = v.InferOutput<typeof carriedSchema>;

/** What the rows are: everything of the document but the rows themselves. */
export interface CarriedFacts extends Omit<CarriedTable, 'stele_table' | 'columns'> {
  columns: { name: string; type: string; description?: string | undefined }[];
}

/** `rows`: cells by row, in the columns' order. */
export function carriedTable({ columns, ...facts }: CarriedFacts, rows: unknown[][]): CarriedTable {
  return {
    stele_table: 1,
    ...facts,
    columns: columns.map((column, at) => ({ ...column, values: rows.map((row) => row[at] ?? null) })),
  };
}

export async function fragmentOf(table: CarriedTable): Promise<string> {
  const text = new Blob([JSON.stringify(table)]).stream();
  // Not raw: its check sum is what tells a link that was altered.
  const packed = new Response(text.pipeThrough(new CompressionStream('deflate')));
  const bytes = new Uint8Array(await packed.arrayBuffer());
  let plain = '';
  for (const byte of bytes) plain += String.fromCharCode(byte);
  return btoa(plain).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Throws if it is cut, altered, or no table. */
export async function tableInFragment(fragment: string): Promise<CarriedTable> {
  // A sentence's end that was taken for the link's.
  const packed = bytesOf(fragment.replace(/[^\w-]+$/, ''));
  const table = v.parse(carriedSchema, JSON.parse(await unpacked(packed)));
  const rows = table.columns[0]!.values.length;
  if (table.columns.some(({ values }) => values.length !== rows)) throw new Error('the columns differ in length');
  return table;
}

/** A short link may unpack to more than a page bears, so that it is counted on the way. */
async function unpacked(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  for await (const chunk of chunksOf(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate')))) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > carriedCharsMax) throw new Error('the table is too large for a link');
  }
  return text + decoder.decode();
}

/** Not every browser iterates a stream by itself. */
async function* chunksOf<T>(stream: ReadableStream<T>): AsyncGenerator<T> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
