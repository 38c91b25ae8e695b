/** What homes' pages make of a column's type and of a number of bytes. Nothing here knows a page. */

export type ValueKind = 'number' | 'moment' | 'flag' | 'text' | 'nested';

/** By type, since numbers that JSON would bend come as text. */
export function kindOf(type: string): ValueKind {
  if (/^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL(\(.*\))?|BIGNUM)$/.test(type)) return 'number';
  if (/^(DATE|TIME)/.test(type)) return 'moment';
  if (type === 'BOOLEAN') return 'flag';
  if (type === 'JSON' || /\[\d*\]$|^(STRUCT|MAP|UNION)/.test(type)) return 'nested';
  return 'text';
}

/** A value as one line of text, whole. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const counting = new Intl.NumberFormat('en');

export function count(number: number): string {
  return counting.format(number);
}

const byteUnits = ['B', 'KB', 'MB', 'GB', 'TB'];

export function sizeText(bytes: number): string {
  let size = bytes;
  let unit = 0;
  for (; size >= 1000 && unit < byteUnits.length - 1; ++unit) size /= 1000;
  return `${unit === 0 || size >= 100 ? Math.round(size) : size.toFixed(1)} ${byteUnits[unit]}`;
}
