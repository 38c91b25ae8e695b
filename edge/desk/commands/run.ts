/** The commands that call tools: each opens the desk or finds the running one, works, prints and ends. */
import { text as readAll } from 'node:stream/consumers';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Answer } from '../../../wasm/core.ts';
import type { JsonObject } from '../../../wasm/instance.ts';
import { parseExactJson } from '../../../wasm/exact_json.ts';
import { DeskGone } from '../cli_link.ts';
import { DeskError, openDesk, type OpenedDesk } from '../open_desk.ts';
import { deskCaller } from '../server.ts';
import { type Format, formatRows, progressBar, type Shown } from './output.ts';
import { reportImport, reportInspection } from './report.ts';

export interface Options {
  file: string;
  allowPrivate: boolean;
  verbose: boolean;
}

/** Opens the desk for the work and closes it after. */
export async function withDesk<T>(options: Options, work: (desk: OpenedDesk) => Promise<T>): Promise<T> {
  const desk = await openDesk(options);
  try {
    return await work(desk);
  } finally {
    await desk.own?.close();
  }
}

/** One call by the owner, with a bar while it runs; an interrupt cancels it. */
export async function callTool(desk: OpenedDesk, tool: string, args: JsonObject, trusted = false): Promise<Answer> {
  const bar = progressBar(process.stderr);
  const cancelling = new AbortController();
  const cancel = () => cancelling.abort();
  process.once('SIGINT', cancel);
  try {
    return await desk.tools.call(tool, args, deskCaller('stele command', desk.url ?? ''), {
      trusted,
      signal: cancelling.signal,
      onProgress: ({ done, total, what }) => bar.show(done, total, what),
    });
  } catch (error) {
    throw error instanceof DeskGone ? new DeskError(`${error.message} Call again.`) : error;
  } finally {
    process.off('SIGINT', cancel);
    bar.clear();
  }
}

function print(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, process.stdout.isTTY ? 2 : undefined)}\n`);
}

function printError({ value }: Answer): number {
  process.stderr.write(`${String(value.message)}\n${value.hint ? `${String(value.hint)}\n` : ''}`);
  return 1;
}

export async function tools(options: Options): Promise<number> {
  return withDesk(options, async (desk) => {
    print(await desk.tools.tools());
    return 0;
  });
}

export async function call(options: Options, tool: string, argumentText = '{}'): Promise<number> {
  const given = argumentText === '-' ? await readAll(process.stdin) : argumentText;
  let args: unknown;
  try {
    args = parseExactJson(given);
  } catch (error) {
    throw new DeskError(`The arguments are not JSON: ${(error as Error).message}`);
  }
  if (typeof args !== 'object' || args === null || Array.isArray(args))
    throw new DeskError('The arguments must be a JSON object.');
  return withDesk(options, async (desk) => {
    const answer = await callTool(desk, tool, args as JsonObject);
    print(answer.value);
    return answer.isError ? 1 : 0;
  });
}

/** A URL as it is, a path as the file: URL that the person at the keyboard may name. */
function sourceUrl(source: string): string {
  return /^https?:/i.test(source) ? source : pathToFileURL(resolve(source)).href;
}

export async function inspectFile(options: Options, source: string, reading: JsonObject): Promise<number> {
  return reported(options, 'inspect_file', { source_url: sourceUrl(source), ...reading }, reportInspection);
}

export async function importFile(options: Options, table: string, source: string, more: JsonObject): Promise<number> {
  return reported(options, 'import_table', { table, source_url: sourceUrl(source), ...more }, reportImport);
}

async function reported(
  options: Options,
  tool: string,
  args: JsonObject,
  inWords: (answer: JsonObject) => string,
): Promise<number> {
  return withDesk(options, async (desk) => {
    const answer = await callTool(desk, tool, args, true);
    if (answer.isError) return printError(answer);
    if (process.stdout.isTTY) process.stdout.write(inWords(answer.value));
    else print(answer.value);
    return 0;
  });
}

export async function query(options: Options, sql: string, format: Format, limit: number): Promise<number> {
  return withDesk(options, async (desk) => {
    const answer = await callTool(desk, 'query', { sql, limit });
    if (answer.isError) return printError(answer);
    if (format === 'json') {
      print(answer.value);
      return 0;
    }
    process.stdout.write(formatRows(answer.value as unknown as Shown, format));
    if (answer.value.notice) process.stderr.write(`${String(answer.value.notice)}\n`);
    return 0;
  });
}

export async function unshare(options: Options, table: string): Promise<number> {
  return withDesk(options, async (desk) => {
    await desk.tools.makePrivate(table).catch((error: Error) => {
      throw new DeskError(error.message);
    });
    process.stdout.write(`${table} is private.\n`);
    return 0;
  });
}
