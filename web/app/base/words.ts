/** Words for numbers, sizes, moments and types, as a person reads them. Nothing here knows the page. */

import { count, kindOf } from '../../../wasm/value_words.ts';

export { cellText, count, kindOf, sizeText, type ValueKind } from '../../../wasm/value_words.ts';

export function counted(number: number, one: string, many = `${one}s`): string {
  return `${count(number)} ${number === 1 ? one : many}`;
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
