/** Rows for people and programs: an aligned table, JSON, CSV. It changes no value; a terminal's table may cut long ones. */
import { csvLine } from '../../../wasm/csv_text.ts';

export interface Shown {
  columns: { name: string; type: string }[];
  rows: unknown[][];
}

export type Format = 'table' | 'json' | 'csv';

const cellCharsMax = 60;

export function formatRows({ columns, rows }: Shown, format: Exclude<Format, 'json'>): string {
  return format === 'csv' ? csv(columns, rows) : aligned(columns, rows);
}

function csv(columns: Shown['columns'], rows: unknown[][]): string {
  return [columns.map(({ name }) => name), ...rows].map(csvLine).join('');
}

function aligned(columns: Shown['columns'], rows: unknown[][]): string {
  const head = columns.map(({ name }) => oneLine(name));
  const body = rows.map((row) => row.map(cellText));
  const widths = head.map((name, i) => Math.max(name.length, ...body.map((row) => row[i]!.length)));
  const numeric = columns.map(
    (_, i) => rows.length > 0 && rows.every((row) => row[i] === null || typeof row[i] === 'number'),
  );
  const line = (cells: string[]) =>
    `${cells.map((cell, i) => (numeric[i] ? cell.padStart(widths[i]!) : cell.padEnd(widths[i]!))).join('  ')}`.trimEnd();
  return `${[line(head), line(widths.map((width) => '─'.repeat(width))), ...body.map(line)].join('\n')}\n`;
}

function cellText(value: unknown): string {
  if (value === null) return '∅';
  const text = oneLine(typeof value === 'string' ? value : JSON.stringify(value));
  return text.length > cellCharsMax ? `${text.slice(0, cellCharsMax - 1)}…` : text;
}

/** Control characters could move the cursor or worse; they are shown, not sent. */
export function oneLine(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, (character) => {
    if (character === '\n') return '⏎';
    if (character === '\t') return ' ';
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** A bar on a terminal's standard error, nothing elsewhere. */
export function progressBar(stream: NodeJS.WriteStream): {
  show(done: number, total: number, what: string): void;
  clear(): void;
} {
  let drawnAt = 0;
  const width = 24;
  return {
    show(done, total, what) {
      if (!stream.isTTY || Date.now() - drawnAt < 100) return;
      drawnAt = Date.now();
      const share = total > 0 ? Math.min(done / total, 1) : 0;
      const full = Math.round(share * width);
      const bar =
        total > 0
          ? `${'█'.repeat(full)}${'░'.repeat(width - full)} ${Math.floor(share * 100)} %`
          : done.toLocaleString('en');
      stream.write(`\r\u001b[K${bar} ${what}`);
    },
    clear() {
      if (stream.isTTY && drawnAt > 0) stream.write('\r\u001b[K');
    },
  };
}
