/**
 * A table as a folder for any static host: its page, the embed that the page shows it with, the rows as Parquet, and a word on
 * what to do with them. It knows no home: rows come in page by page, and files go out in parts, so that none is held whole.
 */
import type { TableFacts } from '../../wasm/table_facts.ts';
import { rowsPerPage } from '../../wasm/rows/rows_html.ts';
import { rowParquet } from '../../wasm/rows/row_parquet.ts';
import type { ViewColumn } from '../../wasm/views.ts';
import { bundlePage } from './bundle_page.ts';
import { readme } from './readme.ts';

/** What the page of a bundle loads, as web/vite/bundle_files.ts builds it. */
export interface PageFiles {
  /** The embed's parts by file name, embed.js among them. */
  scripts: Record<string, string>;
  style: string;
}

export interface BundleOptions {
  facts: TableFacts;
  /** Whether the rows are some of the table's and not all of them. */
  isPart: boolean;
  /** At least one page, be it without rows. */
  pages: AsyncIterable<{ columns: ViewColumn[]; rows: unknown[][] }>;
  files: PageFiles;
}

export interface BundleFile {
  name: string;
  /** To be read whole before the next file is asked for. */
  parts: AsyncIterable<Uint8Array>;
}

/** What the folder is called. */
export function bundleName(table: string): string {
  return (table.split('/').at(-1) ?? 'table').replaceAll(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[.-]+/, '') || 'table';
}

export async function* bundle({ facts, isPart, pages, files }: BundleOptions): AsyncGenerator<BundleFile> {
  const parquet = `${bundleName(facts.table)}.parquet`;
  const first: unknown[][] = [];
  let rows = 0;
  let bytes = 0;
  async function* parquetParts(): AsyncGenerator<Uint8Array> {
    let encoder: ReturnType<typeof rowParquet> | undefined;
    const counted = (part: Uint8Array) => {
      bytes += part.length;
      return part;
    };
    for await (const page of pages) {
      if (!encoder) {
        encoder = rowParquet(page.columns);
        yield counted(encoder.head);
      }
      if (first.length < rowsPerPage) first.push(...page.rows.slice(0, rowsPerPage - first.length));
      if (page.rows.length > 0) yield counted(encoder.rows(page.rows, rows));
      rows += page.rows.length;
    }
    if (encoder) yield counted(encoder.tail({}));
  }
  yield { name: parquet, parts: parquetParts() };
  const told = { facts, rows, isPart, bytes, parquet };
  yield { name: 'index.html', parts: text(bundlePage({ ...told, first }).text) };
  yield { name: 'README.md', parts: text(readme(told)) };
  for (const [name, script] of Object.entries(files.scripts)) yield { name: `embed/${name}`, parts: text(script) };
  yield { name: 'page.css', parts: text(files.style) };
}

async function* text(content: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(content);
}
