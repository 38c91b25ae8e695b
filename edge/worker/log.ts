/**
 * Structured logs: one JSON object a line, of names, numbers and kinds of errors. Nothing that a table could hold goes in:
 * no argument, no message of an error, no path of a page.
 */

export type LogValue = string | number | boolean | undefined;

export function log(event: string, facts: Record<string, LogValue>): void {
  console.log(JSON.stringify({ event, ...facts }));
}

/** What the module's host logs: its events, without the messages, which may quote a value. */
export function logCoreLine(workspace: string, line: string): void {
  try {
    const { event, kind } = JSON.parse(line) as { event?: unknown; kind?: unknown };
    if (typeof event === 'string') log(event, { workspace, kind: typeof kind === 'string' ? kind : undefined });
  } catch {
    log('core_output', { workspace, characters: line.length });
  }
}
