/**
 * A Parquet file beside the page as rows: its end is read first, then only the parts in sight; sorting, filtering and searching
 * read it whole. Decimals and moments are shown to their last digit.
 */
import {
  type AsyncBuffer,
  asyncBufferFromUrl,
  cachedAsyncBuffer,
  type FileMetaData,
  parquetMetadataAsync,
  parquetReadObjects,
  type SchemaElement,
} from 'hyparquet';
import type { RowsBackend } from '../share/rows_view.ts';
import type { ViewColumn } from '../../wasm/views.ts';
import { memoryBackend, narrowed, type Table } from './memory_rows.ts';
import type { Source } from './source.ts';

const rowsInMemoryMax = 2_000_000;

export async function openParquet(url: URL, names: string[], label: string, signal: AbortSignal): Promise<Source> {
  const file = await bufferOf(url, signal);
  const read = await ParquetRows.open(file);
  const { columns } = narrowed({ columns: read.columns, rows: [] }, names);
  let whole: Promise<RowsBackend> | undefined;
  const backend: RowsBackend = {
    label,
    async rows(wanted, aborting) {
      const { filters, order, search, offset, limit } = wanted;
      if (filters.length === 0 && order.length === 0 && search === '')
        return { columns, rows: await read.rows(columns, offset, offset + limit), total: read.count };
      if (read.count > rowsInMemoryMax)
        throw new Error(`With more than ${rowsInMemoryMax} rows the file cannot be sorted or searched in a page.`);
      whole ??= read.whole().then((table) => memoryBackend(table, narrowed(table, names), label));
      whole.catch(() => (whole = undefined));
      return (await whole).rows(wanted, aborting);
    },
  };
  return { backend, rows: read.count };
}

/** Parts of the file where the host answers ranges of it, otherwise all of it at once. */
async function bufferOf(url: URL, signal: AbortSignal): Promise<AsyncBuffer> {
  const head = await fetch(url, { method: 'HEAD', signal });
  const length = Number(head.headers.get('content-length') ?? 0);
  // A length of what was compressed on the way is not the file's.
  const isPlain = !head.headers.get('content-encoding');
  if (head.ok && length > 0 && isPlain && head.headers.get('accept-ranges') === 'bytes')
    return cachedAsyncBuffer(await asyncBufferFromUrl({ url: url.href, byteLength: length, requestInit: { signal } }));
  const response = await fetch(url, { signal });
  if (!response.ok) throw new Error(`${url.host} answered ${response.status}.`);
  return response.arrayBuffer();
}

type Decompress = (input: Uint8Array, outputLength: number) => Uint8Array;

/** What the reader cannot unpack by itself, loaded where a file needs it. Throws for codecs that are hardly written. */
async function decompressors(codecs: Set<string>): Promise<Record<string, Decompress>> {
  const found: Record<string, Decompress> = {};
  for (const codec of codecs) {
    if (codec === 'SNAPPY' || codec === 'UNCOMPRESSED') continue;
    if (codec === 'ZSTD') {
      const { decompress } = await import('fzstd');
      found.ZSTD = (input, length) => decompress(input, new Uint8Array(length));
    } else if (codec === 'GZIP') {
      const { gunzipSync } = await import('fflate');
      found.GZIP = (input) => gunzipSync(input);
    } else throw new Error(`The file is compressed with ${codec}: write it with snappy, zstd or gzip.`);
  }
  return found;
}

class ParquetRows {
  readonly columns: ViewColumn[];
  readonly count: number;
  #file: AsyncBuffer;
  #metadata: FileMetaData;
  #compressors: Record<string, Decompress>;
  #decimals: Map<string, number>;

  private constructor(file: AsyncBuffer, metadata: FileMetaData, compressors: Record<string, Decompress>) {
    this.#file = file;
    this.#compressors = compressors;
    const top = topElements(metadata.schema);
    this.columns = top.map((element) => ({ name: element.name, type: typeOf(element) }));
    this.#decimals = new Map(
      top.flatMap((element) => (isDecimal(element) ? [[element.name, element.scale ?? 0] as const] : [])),
    );
    this.#metadata = { ...metadata, schema: metadata.schema.map(withoutDecimal) };
    this.count = Number(metadata.num_rows);
  }

  static async open(file: AsyncBuffer): Promise<ParquetRows> {
    const metadata = await parquetMetadataAsync(file);
    const codecs = metadata.row_groups.flatMap(({ columns }) =>
      columns.flatMap(({ meta_data: facts }) => (facts ? [facts.codec] : [])),
    );
    const compressors = await decompressors(new Set(codecs));
    return new ParquetRows(file, metadata, compressors);
  }

  async rows(columns: ViewColumn[], rowStart: number, rowEnd: number): Promise<unknown[][]> {
    if (rowStart >= this.count || rowEnd <= rowStart) return [];
    const objects = await parquetReadObjects({
      file: this.#file,
      metadata: this.#metadata,
      compressors: this.#compressors,
      columns: columns.map(({ name }) => name),
      rowStart,
      rowEnd: Math.min(rowEnd, this.count),
      utf8: false,
      parsers,
    });
    return objects.map((row) => columns.map(({ name }) => plain(row[name], this.#decimals.get(name))));
  }

  async whole(): Promise<Table> {
    return { columns: this.columns, rows: await this.rows(this.columns, 0, this.count) };
  }
}

/** The columns themselves, without what is nested in them. */
function topElements([root, ...rest]: SchemaElement[]): SchemaElement[] {
  const top: SchemaElement[] = [];
  let at = 0;
  const skip = (): void => {
    for (let children = rest[at++]?.num_children ?? 0; children > 0; --children) skip();
  };
  for (let n = root?.num_children ?? 0; n > 0; --n) {
    top.push(rest[at]!);
    skip();
  }
  return top;
}

function isDecimal({ converted_type: converted, logical_type: logical }: SchemaElement): boolean {
  return converted === 'DECIMAL' || logical?.type === 'DECIMAL';
}

/** The reader would make doubles of decimals; as plain integers or bytes they stay whole. */
function withoutDecimal(element: SchemaElement): SchemaElement {
  if (!isDecimal(element)) return element;
  const { converted_type: _converted, logical_type: _logical, ...raw } = element;
  return raw as SchemaElement;
}

function typeOf(element: SchemaElement): string {
  const { type, converted_type: converted, logical_type: logical, precision, scale, num_children: children } = element;
  if (converted === 'LIST' || converted === 'MAP' || children) return 'JSON';
  if (isDecimal(element)) return `DECIMAL(${precision ?? 38},${scale ?? 0})`;
  if (converted === 'DATE') return 'DATE';
  if (logical?.type === 'TIMESTAMP') return logical.isAdjustedToUTC ? 'TIMESTAMP WITH TIME ZONE' : 'TIMESTAMP';
  if (converted?.startsWith('TIMESTAMP') || type === 'INT96') return 'TIMESTAMP';
  if (logical?.type === 'TIME' || converted?.startsWith('TIME_')) return 'TIME';
  if (logical?.type === 'UUID') return 'UUID';
  if (converted === 'JSON') return 'JSON';
  if (converted?.startsWith('UINT')) return 'UBIGINT';
  switch (type) {
    case 'BOOLEAN':
      return 'BOOLEAN';
    case 'INT32':
      return 'INTEGER';
    case 'INT64':
      return 'BIGINT';
    case 'FLOAT':
    case 'DOUBLE':
      return 'DOUBLE';
    default:
      return converted === 'UTF8' || logical?.type === 'STRING' ? 'VARCHAR' : 'BLOB';
  }
}

const moments = (digits: number) => (since: bigint) => instantText(BigInt(since), digits) as unknown as Date;
const decoder = new TextDecoder();

const parsers = {
  timestampFromMilliseconds: moments(3),
  timestampFromMicroseconds: moments(6),
  timestampFromNanoseconds: moments(9),
  dateFromDays: (days: number) => instantText(BigInt(days) * 86_400n, 0).slice(0, 10) as unknown as Date,
  stringFromBytes: (bytes: Uint8Array | undefined) => bytes && decoder.decode(bytes),
};

/** "2026-01-02 03:04:05.000001", without zeros at the end. */
function instantText(since: bigint, digits: number): string {
  const unit = 10n ** BigInt(digits);
  const fraction = ((since % unit) + unit) % unit;
  const seconds = Number((since - fraction) / unit);
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return `${since} since 1970`;
  const whole = date.toISOString().replace('.000Z', '').replace('T', ' ');
  return fraction === 0n ? whole : `${whole}.${String(fraction).padStart(digits, '0').replace(/0+$/, '')}`;
}

function plain(value: unknown, scale?: number): unknown {
  if (value === null || value === undefined) return null;
  if (scale !== undefined) return decimalText(bigOf(value), scale);
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (value instanceof Uint8Array) return Array.from(value, (byte) => byte.toString(16).padStart(2, '0')).join('');
  if (Array.isArray(value)) return value.map((item) => plain(item));
  if (typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([name, of]) => [name, plain(of)]));
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
}

/** Big-endian and signed, as Parquet has wide decimals. */
function bigOf(value: unknown): bigint {
  if (!(value instanceof Uint8Array)) return BigInt(value as number | bigint);
  const whole = value.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  return BigInt.asIntN(8 * value.length, whole);
}

function decimalText(unscaled: bigint, scale: number): string {
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0');
  const [whole, rest] = [digits.slice(0, digits.length - scale), digits.slice(digits.length - scale)];
  return `${unscaled < 0n ? '-' : ''}${whole}${rest ? `.${rest}` : ''}`;
}
