/** Where the engine's words about a mistake point to. The words end with the line and a caret below it. */

export interface SqlPlace {
  /** From 1. */
  line: number;
  /** From 0. */
  column: number;
}

export interface SqlMistake {
  message: string;
  at?: SqlPlace;
}

export function mistakeOf(message: string, sql: string): SqlMistake {
  const found = /\n+LINE (\d+): (.*)\n( *)\^/.exec(message);
  if (!found) return { message };
  const [all, number, excerpt, blanks] = found as unknown as [string, string, string, string];
  const text = message.replace(all, '').trim();
  const line = Number(number);
  const column = blanks.length - `LINE ${number}: `.length;
  const whole = sql.split('\n')[line - 1];
  if (whole === undefined || column < 0) return { message: text };
  // A long line is shown from its middle on, after three dots.
  const shown = excerpt.replace(/^\.\.\.|\.\.\.$/g, '');
  const start = whole.indexOf(shown);
  const cut = excerpt.startsWith('...') && start >= 0 ? start - 3 : 0;
  return { message: text, at: { line, column: Math.min(whole.length, Math.max(0, column + cut)) } };
}
