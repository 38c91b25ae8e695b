/** Where an embedded table's rows come from: an api_url, or a file beside the page, whose reader is loaded only then. */
import type { Filter, Order } from '../app/base/address.ts';
import type { RowsBackend } from '../share/rows_view.ts';
import type { DescribedColumn } from '../../wasm/answers.ts';
import { filterWords } from '../../wasm/filter_words.ts';
import { fetchAbout } from '../share/about.ts';
import { fetchRows } from '../share/rows_api.ts';

export interface Source {
  backend: RowsBackend;
  /** "version 3", where that is known. */
  version?: number;
  /** How many rows there are in all. */
  rows: number;
  /** What the columns hold, where that is told. */
  profiles?: Map<string, DescribedColumn>;
}

export type SourceType = 'api' | 'csv' | 'tsv' | 'json' | 'ndjson' | 'parquet';

const endings: Record<string, SourceType> = {
  csv: 'csv',
  tsv: 'tsv',
  json: 'json',
  ndjson: 'ndjson',
  jsonl: 'ndjson',
  parquet: 'parquet',
};

export function typeOfSource(url: URL, named: string | null): SourceType {
  const type = named ?? endings[/\.(\w+)$/.exec(url.pathname)?.[1]?.toLowerCase() ?? ''] ?? 'api';
  if (type === 'api' || Object.values(endings).includes(type as SourceType)) return type as SourceType;
  throw new Error(`There is no type ${type}: there are api, ${Object.keys(endings).join(', ')}.`);
}

/** `columns`: those to show, in this order; all if empty. Throws what went wrong. */
export async function openSource(
  url: URL,
  type: SourceType,
  columns: string[],
  label: string,
  signal: AbortSignal,
): Promise<Source> {
  if (type === 'api') return openApi(url, columns, label, signal);
  if (type === 'parquet') return (await import('./parquet_file.ts')).openParquet(url, columns, label, signal);
  return (await import('./text_file.ts')).openText(url, type, columns, label, signal);
}

async function openApi(url: URL, columns: string[], label: string, signal: AbortSignal): Promise<Source> {
  const isShare = url.pathname.endsWith('/rows');
  const [{ total_rows: rows, version, table }, about] = await Promise.all([
    fetchRows(url.href, { limit: 0 }, signal),
    isShare ? fetchAbout(shareUrlOf(url), signal).catch(() => undefined) : undefined,
  ]);
  const backend: RowsBackend = {
    label: label || table,
    async rows(wanted, aborting) {
      const page = await fetchRows(url.href, { ...wanted, columns }, aborting);
      return { columns: page.columns, rows: page.rows, total: page.total_rows };
    },
  };
  return { backend, version, rows, ...(about ? { profiles: about.profiles } : {}) };
}

/** The link of the table itself, which is for people. */
export function shareUrlOf(apiUrl: URL): string {
  return apiUrl.origin + apiUrl.pathname.replace(/\/rows$/, '');
}

/** "city.eq.Oslo; amount.ge.100", as the api_url's where has them; a semicolon within a value is written \;. */
export function filtersOf(text: string): Filter[] {
  return parted(text, ';').map((term) => {
    const [, column = '', operator = '', value] = /^((?:\\.|[^\\.])+)\.(\w+)(?:\.(.*))?$/s.exec(term) ?? [];
    const op = Object.hasOwn(filterWords, operator) ? filterWords[operator] : undefined;
    if (!op) throw new Error(`"${term}" is no filter: write COLUMN.OPERATOR.VALUE, as in amount.ge.100.`);
    return { column: unescaped(column), op, ...(value === undefined ? {} : { value: value.replaceAll('\\;', ';') }) };
  });
}

/** "-amount,city". */
export function orderOf(text: string): Order[] {
  return parted(text, ',').map((term) =>
    term.startsWith('-') ? { column: unescaped(term.slice(1)), descending: true } : { column: unescaped(term) },
  );
}

export function namesOf(text: string): string[] {
  return parted(text, ',').map(unescaped);
}

function parted(text: string, by: ',' | ';'): string[] {
  const pattern = by === ',' ? /(?:\\.|[^\\,])+/gs : /(?:\\.|[^\\;])+/gs;
  return [...text.matchAll(pattern)].map(([part]) => part.trim()).filter((part) => part !== '');
}

function unescaped(text: string): string {
  return text.replaceAll(/\\(.)/gs, '$1');
}
