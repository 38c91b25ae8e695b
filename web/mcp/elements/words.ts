/** The words that grants, questions and activity share. */
import type { AskedCall } from '../consent.ts';
import type { Party, Scope } from '../party.ts';

export const scopeWords: Record<Scope, { name: string; asked: string; means: string }> = {
  read: {
    name: 'Read',
    asked: 'read your tables',
    means: 'See the names and the contents of all tables, and query them.',
  },
  write: {
    name: 'Write',
    asked: 'change your tables',
    means: 'Make tables and new versions of them. Each change can be undone from the table’s history.',
  },
  share: {
    name: 'Share',
    asked: 'publish tables and receipts',
    means: 'Show tables and figures to anyone who has the link. What others have copied cannot be called back.',
  },
};

/** Whom a question is about, as its subject. */
export function subjectOf({ kind }: Party): string {
  return { origin: 'this site', extension: 'this extension', browser: 'this browser’s agents' }[kind];
}

/** A client’s name is its own claim, whatever it says. */
export function claim({ client }: Pick<AskedCall, 'client'>): string {
  return client ? `calls itself “${client}”` : 'does not say its name';
}

export function tableHref(path: string): string {
  return `/t/${path.split('/').map(encodeURIComponent).join('/')}`;
}

const counting = new Intl.NumberFormat('en');

export function counted(number: number, one: string): string {
  return `${counting.format(number)} ${number === 1 ? one : `${one}s`}`;
}
