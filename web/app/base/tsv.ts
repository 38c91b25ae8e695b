/** Rows as tab-separated text, the clipboard's language between spreadsheets. */
import { cellText } from './words.ts';

/** Quoted as spreadsheets expect: a field with a tab, a line break or a quote stands in quotes. */
function field(value: unknown): string {
  const text = cellText(value);
  return /[\t\n\r"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function tsvOf(rows: unknown[][], names?: string[]): string {
  return [...(names ? [names] : []), ...rows].map((row) => row.map(field).join('\t')).join('\n');
}
