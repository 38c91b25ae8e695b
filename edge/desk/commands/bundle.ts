/** `stele bundle`: a table as a folder for any static host. */
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Answer } from '../../../wasm/core.ts';
import type { JsonObject } from '../../../wasm/instance.ts';
import { type AskTool, askFacts } from '../../../wasm/table_facts.ts';
import type { RowsAnswer } from '../../../wasm/views.ts';
import { bundle, bundleName, type PageFiles } from '../../../web/bundle/bundle.ts';
import { DeskError, type OpenedDesk } from '../open_desk.ts';
import { deskCaller } from '../server.ts';
import { progressBar } from './output.ts';
import { type Options, withDesk } from './run.ts';

const filesFolder = new URL('../../../build/bundle/', import.meta.url);

export async function writeBundle(options: Options, named: string, folder: string): Promise<number> {
  const [, table = named, version] = /^([\s\S]*)@(\d+)$/.exec(named) ?? [];
  const target = resolve(folder);
  await checkFolder(target, table);
  return withDesk(options, async (desk) => {
    const caller = deskCaller('stele command', desk.url ?? '');
    const ask: AskTool = async <T>(tool: string, args: object) =>
      accepted<T>(await desk.tools.call(tool, args as JsonObject, caller));
    const { latest } = await ask<{ latest: number }>('table_history', { table, limit: 1 });
    const facts = await askFacts(ask, table, version === undefined ? latest : Number(version));
    const pages = rowsOf(desk, table, facts.version);
    for await (const { name, parts } of bundle({ facts, isPart: false, pages, files: await pageFiles() })) {
      const path = join(target, name);
      await mkdir(dirname(path), { recursive: true });
      await pipeline(Readable.from(parts), createWriteStream(path));
    }
    process.stdout.write(`${target} has ${table}, version ${facts.version}, for any static host.\n`);
    return 0;
  });
}

/** Nothing of anyone else's is written over. */
async function checkFolder(folder: string, table: string): Promise<void> {
  const ours = ['index.html', 'README.md', 'page.css', 'embed', `${bundleName(table)}.parquet`];
  const there = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new DeskError(`${folder} is no folder that can be read.`);
  });
  const other = there.find((name) => !ours.includes(name));
  if (other !== undefined)
    throw new DeskError(
      `${folder} holds ${other}, which is of no bundle of ${table}. Name an empty folder or a new one.`,
    );
}

const rowsPerPage = 10_000;

async function* rowsOf({ tools, url }: OpenedDesk, table: string, version: number): AsyncGenerator<RowsAnswer> {
  const bar = progressBar(process.stderr);
  const caller = deskCaller('stele command', url ?? '');
  try {
    for (let offset = 0; ;) {
      const wanted = { table, version, offset, limit: rowsPerPage };
      const page = accepted<RowsAnswer>(await tools.view('read_rows', wanted, caller));
      yield page;
      offset += page.rows.length;
      bar.show(offset, page.total_rows, 'Writing the rows');
      if (page.rows.length === 0 || offset >= page.total_rows) return;
    }
  } finally {
    bar.clear();
  }
}

function accepted<T>({ value, isError }: Answer): T {
  if (isError) throw new DeskError([value.message, value.hint].filter(Boolean).join('\n'));
  return value as T;
}

async function pageFiles(): Promise<PageFiles> {
  const text = (name: string) => readFile(new URL(name, filesFolder), 'utf8');
  const names = await readdir(new URL('embed/', filesFolder));
  const scripts = await Promise.all(names.map(async (name) => [name, await text(`embed/${name}`)] as const));
  return { scripts: Object.fromEntries(scripts), style: await text('page.css') };
}
