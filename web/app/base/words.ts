/** Words for numbers, sizes, moments and types, as a person reads them. Nothing here knows the page. */

const counting = new Intl.NumberFormat('en');

export function count(number: number): string {
  return counting.format(number);
}

export function counted(number: number, one: string, many = `${one}s`): string {
  return `${count(number)} ${number === 1 ? one : many}`;
}

const byteUnits = ['B', 'KB', 'MB', 'GB', 'TB'];

export function sizeText(bytes: number): string {
  let size = bytes;
  let unit = 0;
  for (; size >= 1000 && unit < byteUnits.length - 1; ++unit) size /= 1000;
  return `${unit === 0 || size >= 100 ? Math.round(size) : size.toFixed(1)} ${byteUnits[unit]}`;
}

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const spans: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

export function ago(iso: string, now = Date.now()): string {
  const seconds = (Date.parse(iso) - now) / 1000;
  for (const [unit, length] of spans)
    if (Math.abs(seconds) >= length) return relative.format(Math.round(seconds / length), unit);
  return 'just now';
}

const exact = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'long' });

export function exactTime(iso: string): string {
  return exact.format(new Date(iso));
}

/** Who made a change, as the history shows it: the person at this screen is "you". */
export const ownerName = 'owner';

export function who(author: string): string {
  return author === ownerName ? 'you' : author;
}

export type ValueKind = 'number' | 'moment' | 'flag' | 'text' | 'nested';

export function kindOf(type: string): ValueKind {
  if (/^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL(\(.*\))?|BIGNUM)$/.test(type)) return 'number';
  if (/^(DATE|TIME)/.test(type)) return 'moment';
  if (type === 'BOOLEAN') return 'flag';
  if (type === 'JSON' || /\[\d*\]$|^(STRUCT|MAP|UNION)/.test(type)) return 'nested';
  return 'text';
}

/** A column's type in one word; the engine's own name stands beside it where there is room. */
export function typeWord(type: string): string {
  if (/INT(EGER)?$/.test(type)) return 'integer';
  if (/^DECIMAL/.test(type)) return 'decimal';
  if (type.startsWith('TIMESTAMP')) return type.includes('ZONE') || type.endsWith('TZ') ? 'instant' : 'timestamp';
  switch (kindOf(type)) {
    case 'number':
      return 'number';
    case 'flag':
      return 'boolean';
    case 'nested':
      return type === 'JSON' ? 'json' : 'nested';
    case 'moment':
      return type.toLowerCase().split(' ')[0]!;
    default:
      return type === 'VARCHAR' ? 'text' : type.toLowerCase().split('(')[0]!;
  }
}

export type Cell = unknown;

/** A value as one line of text, whole. */
export function cellText(value: Cell): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** How a version came to be, as a verb. */
const verbs: Record<string, string> = {
  create: 'created',
  append: 'rows added',
  upsert: 'rows updated',
  replace: 'replaced',
  restore: 'restored',
  query: 'saved from a query',
  import: 'imported',
};

export function verb(kind: string): string {
  return verbs[kind] ?? kind;
}

export function changeCounts({ added, updated, removed }: { added: number; updated: number; removed: number }): string {
  const parts = [
    [added, '+'],
    [updated, '~'],
    [removed, '−'],
  ] as const;
  return parts
    .filter(([number]) => number > 0)
    .map(([number, sign]) => sign + count(number))
    .join(' ');
}
