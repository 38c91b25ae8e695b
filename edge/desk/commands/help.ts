/** What `stele --help` and `stele COMMAND --help` say. */
import { readOptionHelp } from './read_options.ts';

export interface CommandHelp {
  usage: string;
  what: string;
  more: string;
}

const everywhere = `  --file PATH        the store; default: stele/stele.sqlite under $XDG_DATA_HOME or ~/.local/share
  --allow-private    let imports reach private addresses, as localhost
  --verbose          what the engine logs, on standard error
  --help             this text`;

export const commands: Record<string, CommandHelp> = {
  serve: {
    usage: 'stele serve [--port N] [--open]',
    what: 'Serve agents (MCP over HTTP) and pages on this machine',
    more: `Prints the address of the app and of MCP, and serves until it is stopped.

  --port N           default 7411, or a free one if that is taken; 0 for a free one
  --open             open the app in the browser`,
  },
  mcp: {
    usage: 'stele mcp',
    what: 'Serve one agent over standard input and output',
    more: `For clients that start their servers themselves:

  claude mcp add stele -- npx stele mcp

If another stele has the store open, the calls go through it.`,
  },
  tools: {
    usage: 'stele tools',
    what: 'List the tools with their parameters',
    more: 'Prints the definitions that agents get, as JSON.',
  },
  call: {
    usage: "stele call TOOL ['{json}']",
    what: 'Call one tool and print its answer',
    more: `The arguments are a JSON object; "-" reads it from standard input. Exits with 1 if the answer is an error.

  stele call list_tables
  stele call describe_table '{"table": "sales/2025"}'`,
  },
  inspect: {
    usage: 'stele inspect FILE_OR_URL',
    what: 'Show what an import would make of a file',
    more: `Prints the dialect, the columns with their types and what others would lose, the
first rows, malformed rows by line and every warning; writes nothing. Not on a
terminal it prints JSON.

${readOptionHelp}

  stele inspect sales.csv`,
  },
  import: {
    usage: 'stele import TABLE FILE_OR_URL',
    what: 'Load a file or URL into a table',
    more: `Takes CSV, TSV, JSON, NDJSON, Parquet and XLSX, also gzipped.

  --mode MODE        create (default), append, upsert or replace
  --key a,b          for upsert: the columns that identify a row
  --message TEXT     why, for the table's history
  --malformed-rows-to-skip N
                     leave out malformed rows, if there are exactly so many

How the file is read is found from its bytes; these say otherwise:

${readOptionHelp}

  stele import sales/2025 sales.csv
  stele import sales/2025 fixes.csv --mode upsert --key id`,
  },
  query: {
    usage: 'stele query SQL',
    what: 'Run one SELECT and print its rows',
    more: `Tables are named by path in double quotes.

  --limit N          the most rows, 50 by default, at most 500
  --format FORMAT    table, json or csv; default: table on a terminal, else json.
                     The csv is raw: exact, and so a spreadsheet that opens it
                     takes text that begins with = + - or @ for a formula.

  stele query 'SELECT region, sum(amount) FROM "sales/2025" GROUP BY 1'`,
  },
  bundle: {
    usage: 'stele bundle TABLE FOLDER',
    what: 'Write a table as a folder for any static host',
    more: `The folder has a page with the rows, which needs no Stele where it lies, and
the rows as Parquet. It follows no later change of the table. FOLDER is made;
if it is there, it is empty or holds an earlier bundle of the table. TABLE may
name a version, as in sales/2025@3.

  stele bundle sales/2025 ./public/sales`,
  },
  unshare: {
    usage: 'stele unshare TABLE',
    what: 'Make a shared table private again',
    more: 'Its links answer 404 from then on; a later share has new ones.',
  },
  doctor: {
    usage: 'stele doctor [URL]',
    what: 'Look for what is wrong with the set-up, here or of a deployment',
    more: `Without a URL it looks at this machine: Node, the module, the store, its key. With the URL of a deployed
Stele it looks at that, as an assistant meets it; with a token in STELE_TOKEN it tries the token too.
Exits with 1 if anything is wrong.

  stele doctor https://stele.example`,
  },
};

export function help(command?: string): string {
  const one = command === undefined ? undefined : commands[command];
  if (one) return `${one.what}.\n\nUsage: ${one.usage}\n\n${one.more}\n\nEverywhere:\n${everywhere}\n`;
  const width = Math.max(...Object.keys(commands).map((name) => name.length));
  const list = Object.entries(commands).map(([name, { what }]) => `  ${name.padEnd(width)}  ${what}`);
  return `Stele keeps tables for AI agents: durable, versioned, queried with DuckDB SQL.

Usage: stele COMMAND [options]

${list.join('\n')}

stele COMMAND --help tells more.

Everywhere:
${everywhere}
`;
}
