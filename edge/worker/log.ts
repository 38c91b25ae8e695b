/**
 * Structured logs: one JSON object a line, of names, numbers and kinds of errors. Nothing that a table could hold goes in:
 * no argument, no message of an error, no path of a page.
 */

export type LogValue = string | number | boolean | undefined;

export function log(event: string, facts: Record<string, LogValue>): void {
  console.log(JSON.stringify({ event, ...facts }));
}

/** What the module's host logs: its events and where in the code they arose, without the messages, which may quote a value. */
export function logCoreLine(workspace: string, line: string): void {
  try {
    const { event, ...facts } = JSON.parse(line) as Record<string, unknown>;
    const named = (name: string) => (typeof facts[name] === 'string' ? facts[name] : undefined);
    if (typeof event === 'string') log(event, { workspace, kind: named('kind'), at: named('at') });
  } catch {
    log('core_output', { workspace, characters: line.length });
  }
}
