/** The command line's options of how a file is read, as the arguments of inspect_file and import_table. */
import type { JsonObject } from '../../../wasm/instance.ts';

export const readOptionTypes = {
  delimiter: { type: 'string' },
  header: { type: 'string' },
  encoding: { type: 'string' },
  'skip-rows': { type: 'string' },
  sheet: { type: 'string' },
  'records-path': { type: 'string' },
  'null-values': { type: 'string' },
  'decimal-comma': { type: 'boolean' },
} as const;

export const readOptionHelp = `\
  --delimiter C      what parts the cells; "tab" for tabs
  --header yes|no    whether the first row names the columns
  --encoding NAME    UTF-8, UTF-16LE, UTF-16BE or Windows-1252
  --skip-rows N      lines above the header
  --sheet NAME       of an XLSX workbook; default: the first visible one
  --records-path P   of JSON: the keys to the rows, e.g. data/items
  --null-values A,B  cells that are NULL, e.g. NA
  --decimal-comma    1.234,5 is a number`;

export interface ReadOptions {
  delimiter?: string | undefined;
  header?: string | undefined;
  encoding?: string | undefined;
  'skip-rows'?: string | undefined;
  sheet?: string | undefined;
  'records-path'?: string | undefined;
  'null-values'?: string | undefined;
  'decimal-comma'?: boolean | undefined;
}

/** What is given, named as the tools name it. `wholeNumber` and `oneOf` refuse what they cannot read. */
export function readArguments(
  given: ReadOptions,
  wholeNumber: (name: string, text: string, max: number) => number,
  oneOf: <T extends string>(name: string, text: string, names: readonly T[]) => T,
): JsonObject {
  const { delimiter, header, encoding, sheet } = given;
  const args: JsonObject = {};
  if (delimiter !== undefined) args.delimiter = delimiter;
  if (header !== undefined) args.header = oneOf('header', header, ['yes', 'no']) === 'yes';
  if (encoding !== undefined) args.encoding = encoding;
  if (given['skip-rows'] !== undefined) args.skip_rows = wholeNumber('skip-rows', given['skip-rows'], 10_000);
  if (sheet !== undefined) args.sheet = sheet;
  if (given['records-path'] !== undefined) args.records_path = given['records-path'];
  if (given['null-values'] !== undefined) args.null_values = given['null-values'].split(',');
  if (given['decimal-comma']) args.decimal_comma = true;
  return args;
}
