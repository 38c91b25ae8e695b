/**
 * A column's type as the binary formats need it, read from the engine's spelling, and cells as the numbers that they stand for.
 * Nothing is rounded: what a format has no type for stays the text that answers have.
 */

export type TimeUnit = 's' | 'ms' | 'us' | 'ns';

export type Shape =
  | { kind: 'text' | 'bool' | 'blob' | 'uuid' | 'date' | 'time' | 'json' }
  | { kind: 'int'; bits: 8 | 16 | 32 | 64; signed: boolean }
  | { kind: 'float'; bits: 32 | 64 }
  | { kind: 'decimal'; precision: number; scale: number }
  | { kind: 'timestamp'; unit: TimeUnit; zoned: boolean }
  | { kind: 'list'; of: Shape }
  | { kind: 'struct'; fields: { name: string; of: Shape }[] }
  | { kind: 'map'; key: Shape; value: Shape };

const scalars: Record<string, Shape> = {
  BOOLEAN: { kind: 'bool' },
  BLOB: { kind: 'blob' },
  UUID: { kind: 'uuid' },
  DATE: { kind: 'date' },
  TIME: { kind: 'time' },
  JSON: { kind: 'json' },
  TINYINT: { kind: 'int', bits: 8, signed: true },
  SMALLINT: { kind: 'int', bits: 16, signed: true },
  INTEGER: { kind: 'int', bits: 32, signed: true },
  BIGINT: { kind: 'int', bits: 64, signed: true },
  UTINYINT: { kind: 'int', bits: 8, signed: false },
  USMALLINT: { kind: 'int', bits: 16, signed: false },
  UINTEGER: { kind: 'int', bits: 32, signed: false },
  UBIGINT: { kind: 'int', bits: 64, signed: false },
  FLOAT: { kind: 'float', bits: 32 },
  DOUBLE: { kind: 'float', bits: 64 },
  TIMESTAMP: { kind: 'timestamp', unit: 'us', zoned: false },
  TIMESTAMP_S: { kind: 'timestamp', unit: 's', zoned: false },
  TIMESTAMP_MS: { kind: 'timestamp', unit: 'ms', zoned: false },
  TIMESTAMP_NS: { kind: 'timestamp', unit: 'ns', zoned: false },
  'TIMESTAMP WITH TIME ZONE': { kind: 'timestamp', unit: 'us', zoned: true },
};

export function shapeOf(type: string): Shape {
  const list = /^(.*)\[\d*\]$/s.exec(type);
  if (list) return { kind: 'list', of: shapeOf(list[1]!) };
  const decimal = /^DECIMAL\((\d+),\s*(\d+)\)$/.exec(type);
  if (decimal) return { kind: 'decimal', precision: Number(decimal[1]), scale: Number(decimal[2]) };
  const nested = /^(STRUCT|MAP)\((.*)\)$/s.exec(type);
  if (nested) return nestedShape(nested[1]!, parts(nested[2]!)) ?? { kind: 'json' };
  if (/^UNION\(/.test(type)) return { kind: 'json' };
  return Object.hasOwn(scalars, type) ? scalars[type]! : { kind: 'text' };
}

function nestedShape(kind: string, inner: string[]): Shape | undefined {
  if (kind === 'MAP') return { kind: 'map', key: shapeOf(inner[0]!), value: shapeOf(inner[1] ?? '') };
  const fields = inner.map((field) => /^("(?:[^"]|"")*"|[A-Za-z_]\w*) (.*)$/s.exec(field));
  // A struct without names is answered as a list of values of several types.
  if (!fields.every((field) => field !== null)) return undefined;
  return { kind: 'struct', fields: fields.map(([, name, of]) => ({ name: unquoted(name!), of: shapeOf(of!) })) };
}

function unquoted(name: string): string {
  return name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name;
}

/** What stands between commas that are within no quotes and no parentheses. */
function parts(text: string): string[] {
  const found: string[] = [];
  let [depth, start, isQuoted] = [0, 0, false];
  for (let i = 0; i < text.length; ++i) {
    const character = text[i];
    if (character === '"') isQuoted = !isQuoted;
    if (isQuoted) continue;
    if (character === '(') ++depth;
    if (character === ')') --depth;
    if (character !== ',' || depth > 0) continue;
    found.push(text.slice(start, i).trim());
    start = i + 1;
  }
  return [...found, text.slice(start).trim()];
}

/** A map's entries, whichever way its keys let it be answered. */
export function entriesOf(value: unknown): [unknown, unknown][] {
  return Array.isArray(value) ? (value as [unknown, unknown][]) : Object.entries(value as object);
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export function bigOf(value: unknown): bigint {
  return BigInt(value as string | number);
}

/** A decimal without its point. */
export function unscaled(value: unknown, scale: number): bigint {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d*)(?:\.(\d*))?$/.exec(String(value)) ?? [];
  return BigInt(`${sign}${whole}${fraction.padEnd(scale, '0')}`);
}

export function bytesOfHex(hex: string): Uint8Array {
  const bytes = new Uint8Array(hex.length / 2);
  for (let i = 0; i < bytes.length; ++i) bytes[i] = Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16);
  return bytes;
}

export function bytesOfUuid(uuid: string): Uint8Array {
  return bytesOfHex(uuid.replaceAll('-', ''));
}

const daysInfinite = 2 ** 31 - 1;
const instantInfinite = 2n ** 63n - 1n;
const dayPattern = /^(\d+)-(\d\d)-(\d\d)( \(BC\))?/;

/** Days since 1970; an infinite one as the engine has it. */
export function daysOf(text: string): number {
  if (text === 'infinity') return daysInfinite;
  if (text === '-infinity') return -daysInfinite;
  const [, year, month, day, isBefore] = dayPattern.exec(text)!;
  return civilDays(isBefore ? 1 - Number(year) : Number(year), Number(month), Number(day));
}

/** In the proleptic Gregorian calendar, for years far beyond what a Date holds. */
function civilDays(year: number, month: number, day: number): number {
  // Years begin in March here, so that a leap day is a year's last.
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

const digitsOf: Record<TimeUnit, number> = { s: 0, ms: 3, us: 6, ns: 9 };

/** Of the unit since 1970; an infinite one as the engine has it. */
export function instantOf(text: string, unit: TimeUnit): bigint {
  if (text === 'infinity') return instantInfinite;
  if (text === '-infinity') return -instantInfinite;
  const day = dayPattern.exec(text)![0];
  const time = /^[ T](.*?)Z?$/.exec(text.slice(day.length))?.[1] ?? '00:00:00';
  return BigInt(daysOf(day)) * 86_400n * 10n ** BigInt(digitsOf[unit]) + timeOf(time, unit);
}

/** Of the unit since midnight. */
export function timeOf(text: string, unit: TimeUnit): bigint {
  const [, hours, minutes, seconds, fraction = ''] = /^(\d\d):(\d\d):(\d\d)(?:\.(\d+))?/.exec(text)!;
  const whole = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return BigInt(`${whole}${fraction.slice(0, digitsOf[unit]).padEnd(digitsOf[unit], '0')}`);
}
