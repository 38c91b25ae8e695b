/**
 * A CSV or JSON file beside the page as rows. Cells stay the text that the file has; a column is a number's only where every value
 * of it is written as one, so that codes keep their zeros.
 */
import type { ViewColumn } from '../../wasm/views.ts';
import { memoryBackend, narrowed, type Table } from './memory_rows.ts';
import type { Source } from './source.ts';

const bytesMax = 64 << 20;

export async function openText(
  url: URL,
  type: 'csv' | 'tsv' | 'json' | 'ndjson',
  columns: string[],
  label: string,
  signal: AbortSignal,
): Promise<Source> {
  const response = await fetch(url, { signal });
  if (!response.ok) throw new Error(`${url.host} answered ${response.status}.`);
  if (Number(response.headers.get('content-length') ?? 0) > bytesMax)
    throw new Error(`The file is larger than ${bytesMax >> 20} MB: as Parquet it would be read in parts.`);
  const text = (await response.text()).replace(/^\uFEFF/, '');
  const table = type === 'json' || type === 'ndjson' ? tableOfJson(text, type) : tableOfCsv(text, type);
  return { backend: memoryBackend(table, narrowed(table, columns), label), rows: table.rows.length };
}

export function tableOfCsv(text: string, type: 'csv' | 'tsv'): Table {
  const [names = [], ...records] = recordsOf(text, type === 'tsv' ? '\t' : delimiterOf(text));
  const rows = records.map((record) => names.map((_, i) => record[i] ?? null));
  return typed(
    names.map((name) => name ?? ''),
    rows,
  );
}

/** The one of the usual delimiters that the first line has most of, outside quotes. */
function delimiterOf(text: string): string {
  const first = (/^(?:"(?:[^"]|"")*"|[^\n"])*/.exec(text)?.[0] ?? '').replaceAll(/"(?:[^"]|"")*"/g, '');
  const counted = [',', ';', '\t', '|'].map((delimiter) => ({ delimiter, count: first.split(delimiter).length }));
  return counted.reduce((most, one) => (one.count > most.count ? one : most)).delimiter;
}

/** RFC 4180: an empty cell is null, an empty text stands in quotes. */
function recordsOf(text: string, delimiter: string): (string | null)[][] {
  const records: (string | null)[][] = [];
  let record: (string | null)[] = [];
  let at = 0;
  while (at < text.length) {
    if (text[at] === '"') {
      let cell = '';
      for (++at; at < text.length; ++at) {
        const end = text.indexOf('"', at);
        cell += text.slice(at, end < 0 ? text.length : end);
        at = end < 0 ? text.length : end + 1;
        if (text[at] !== '"') break;
        cell += '"';
      }
      record.push(cell);
    } else {
      const start = at;
      while (at < text.length && text[at] !== delimiter && text[at] !== '\n' && text[at] !== '\r') ++at;
      record.push(at === start ? null : text.slice(start, at));
    }
    if (text[at] === delimiter) {
      ++at;
      if (at === text.length || text[at] === '\n' || text[at] === '\r') record.push(null);
      else continue;
    }
    while (at < text.length && text[at] !== '\n' && text[at] !== '\r') ++at;
    at += text[at] === '\r' && text[at + 1] === '\n' ? 2 : 1;
    if (record.some((cell) => cell !== null)) records.push(record);
    record = [];
  }
  return records;
}

const wholeNumber = /^-?(0|[1-9]\d{0,17})$/;
const fraction = /^-?(0|[1-9]\d*)(\.\d+)?$/;
const day = /^\d{4}-\d\d-\d\d$/;
const moment = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/;

function typed(names: string[], rows: (string | null)[][]): Table {
  const columns = names.map((name, i): ViewColumn => {
    const values = rows.map((row) => row[i]).filter((value) => value !== null && value !== undefined);
    const all = (pattern: RegExp) => values.length > 0 && values.every((value) => pattern.test(value));
    const type = all(wholeNumber)
      ? 'BIGINT'
      : all(fraction)
        ? 'DOUBLE'
        : all(day)
          ? 'DATE'
          : all(moment)
            ? 'TIMESTAMP'
            : 'VARCHAR';
    return { name, type };
  });
  return { columns, rows };
}

/** A list of objects, an object a line, or what an api_url answers. */
export function tableOfJson(text: string, type: 'json' | 'ndjson'): Table {
  const parsed: unknown =
    type === 'ndjson'
      ? text.split('\n').flatMap((line) => (line.trim() ? [JSON.parse(line) as unknown] : []))
      : JSON.parse(text);
  const { columns, rows } = (parsed ?? {}) as { columns?: { name?: unknown; type?: unknown }[]; rows?: unknown[][] };
  if (Array.isArray(columns) && Array.isArray(rows) && rows.every((row) => Array.isArray(row)))
    return { columns: columns.map(({ name, type: of }) => ({ name: String(name), type: String(of) })), rows };
  if (!Array.isArray(parsed) || !parsed.every((row) => typeof row === 'object' && row !== null))
    throw new Error('The file holds no list of objects.');
  const objects = parsed as Record<string, unknown>[];
  const names = [...new Set(objects.flatMap((row) => Object.keys(row)))];
  const ofName = (name: string) => objects.map((row) => (Object.hasOwn(row, name) ? row[name] : null));
  return {
    columns: names.map((name) => ({ name, type: typeOfValues(ofName(name)) })),
    rows: objects.map((row) => names.map((name) => (Object.hasOwn(row, name) ? row[name] : null))),
  };
}

function typeOfValues(values: unknown[]): string {
  const kinds = new Set(values.filter((value) => value !== null).map((value) => typeof value));
  if (kinds.size !== 1) return kinds.size === 0 ? 'VARCHAR' : 'JSON';
  const [kind] = kinds;
  return kind === 'number' ? 'DOUBLE' : kind === 'boolean' ? 'BOOLEAN' : kind === 'string' ? 'VARCHAR' : 'JSON';
}
