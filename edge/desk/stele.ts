#!/usr/bin/env node
/** The `stele` command. */
import { parseArgs } from 'node:util';
import { resolve } from 'node:path';
import type { JsonObject } from '../../wasm/instance.ts';

// node:sqlite and Ed25519 are fit for use in this Node, which still warns of them.
process.removeAllListeners('warning');
process.on('warning', (warning) => {
  if (warning.name !== 'ExperimentalWarning') process.stderr.write(`${warning.name}: ${warning.message}\n`);
});

const { commands, help } = await import('./commands/help.ts');
const { readArguments, readOptionTypes } = await import('./commands/read_options.ts');
const { DeskError, defaultFile } = await import('./open_desk.ts');

const optionTypes = {
  file: { type: 'string' },
  'allow-private': { type: 'boolean' },
  verbose: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  port: { type: 'string' },
  open: { type: 'boolean' },
  mode: { type: 'string' },
  key: { type: 'string' },
  ...readOptionTypes,
  'malformed-rows-to-skip': { type: 'string' },
  message: { type: 'string' },
  format: { type: 'string' },
  limit: { type: 'string' },
} as const;

const formats = ['table', 'json', 'csv'] as const;

/** A command line that cannot be understood. */
class UsageError extends Error {}

function wholeNumber(name: string, text: string, max: number): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || number > max)
    throw new UsageError(`--${name} takes a whole number up to ${max}, not ${text}.`);
  return number;
}

function oneOf<T extends string>(name: string, text: string, names: readonly T[]): T {
  const found = names.find((one) => one === text);
  if (!found) throw new UsageError(`--${name} is one of ${names.join(', ')}, not ${text}.`);
  return found;
}

function parse() {
  try {
    return parseArgs({ options: optionTypes, allowPositionals: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function importArguments(values: ReturnType<typeof parse>['values']): JsonObject {
  const args = readArguments(values, wholeNumber, oneOf);
  const { mode, key, message, 'malformed-rows-to-skip': malformed } = values;
  if (mode !== undefined) args.mode = mode;
  if (key !== undefined) args.key_columns = key.split(',').map((name) => name.trim());
  if (malformed !== undefined) args.malformed_rows_to_skip = wholeNumber('malformed-rows-to-skip', malformed, 1e9);
  if (message !== undefined) args.message = message;
  return args;
}

async function main(): Promise<number> {
  const { values, positionals } = parse();
  const [command, ...operands] = positionals;
  if (command === undefined || command === 'help' || values.help) {
    const about = command === 'help' ? operands[0] : command;
    if (about !== undefined && !commands[about]) throw new UsageError(`There is no command ${about}.`);
    process.stdout.write(help(about));
    return 0;
  }
  const wanted = commands[command];
  if (!wanted) throw new UsageError(`There is no command ${command}.`);
  const options = {
    file: values.file === undefined ? defaultFile() : resolve(values.file),
    allowPrivate: values['allow-private'] === true,
    verbose: values.verbose === true,
  };
  const operand = (index: number): string => {
    const given = operands[index];
    if (given === undefined) throw new UsageError(`Usage: ${wanted.usage}`);
    return given;
  };
  switch (command) {
    case 'serve': {
      const port = values.port === undefined ? undefined : wholeNumber('port', values.port, 65535);
      return (await import('./commands/serve.ts')).serve(options, port, values.open === true);
    }
    case 'mcp':
      return (await import('./commands/serve.ts')).mcp(options);
    case 'tools':
      return (await import('./commands/run.ts')).tools(options);
    case 'call':
      return (await import('./commands/run.ts')).call(options, operand(0), operands[1]);
    case 'inspect':
      return (await import('./commands/run.ts')).inspectFile(
        options,
        operand(0),
        readArguments(values, wholeNumber, oneOf),
      );
    case 'import':
      return (await import('./commands/run.ts')).importFile(options, operand(0), operand(1), importArguments(values));
    case 'query': {
      const format = oneOf('format', values.format ?? (process.stdout.isTTY ? 'table' : 'json'), formats);
      return (await import('./commands/run.ts')).query(
        options,
        operand(0),
        format,
        wholeNumber('limit', values.limit ?? '50', 500),
      );
    }
    case 'bundle':
      return (await import('./commands/bundle.ts')).writeBundle(options, operand(0), operand(1));
    case 'doctor':
      return (await import('./commands/doctor.ts')).doctor(options, operands[0]);
    default:
      return (await import('./commands/run.ts')).unshare(options, operand(0));
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  const told = error instanceof UsageError || error instanceof DeskError;
  process.stderr.write(`${told ? error.message : String((error as Error).stack)}\n`);
  if (error instanceof UsageError) process.stderr.write('stele --help tells more.\n');
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
