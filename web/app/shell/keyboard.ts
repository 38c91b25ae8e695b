/** The app's keys: / searches, j and k go through rows, ? helps, Escape goes back a step. Fields keep their own keys. */
import { under } from '../../base.ts';

export const keys: [string, string][] = [
  ['/', 'Search'],
  ['j k', 'Next and previous row'],
  ['Enter', 'Open'],
  ['Esc', 'Close or leave what is open'],
  ['g t', 'Tables'],
  ['g q', 'Query'],
  ['g i', 'Import'],
  ['?', 'This help'],
  ['Arrows, Page, Home, End', 'Move in the grid; with Ctrl to its edges, with Shift to select'],
  ['Ctrl C', 'Copy what is selected in the grid, as TSV'],
  ['Ctrl Enter', 'Run the query'],
];

export interface KeyActions {
  help(): void;
  go(href: string): void;
}

const ways: Record<string, string> = { t: under(''), q: under('query'), i: under('import') };
const secondKeyMs = 1000;

export function listenToKeys(actions: KeyActions): void {
  let wentAt = 0;
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.composedPath()[0] as HTMLElement;
    if (isField(target)) {
      if (event.key === 'Escape') target.blur();
      return;
    }
    // What has just closed may still hold the focus.
    if (target.closest?.('dialog[open], [popover]:popover-open')) return;
    const way = event.timeStamp - wentAt < secondKeyMs ? ways[event.key] : undefined;
    if (way) actions.go(way);
    else if (event.key === 'g') wentAt = event.timeStamp;
    else if (event.key === '/') focusFirst('[data-search]');
    else if (event.key === 'j') step(1);
    else if (event.key === 'k') step(-1);
    else if (event.key === '?') actions.help();
    else return;
    event.preventDefault();
  });
}

function isField(element: HTMLElement): boolean {
  return (
    element.matches?.('input:not([type=radio]):not([type=checkbox]), textarea, select') || element.isContentEditable
  );
}

function focusFirst(selector: string): void {
  const field = document.querySelector<HTMLInputElement>(`main ${selector}`);
  field?.focus();
  field?.select();
}

/** Rows of a list; where there are none, the grid takes the focus and moves from there on by itself. */
function step(by: number): void {
  const rows = [...document.querySelectorAll<HTMLElement>('main [data-row]')];
  if (rows.length === 0) {
    document.querySelector<HTMLElement>('main st-grid')?.focus();
    return;
  }
  const at = rows.indexOf(document.activeElement as HTMLElement);
  const next = rows[Math.max(0, Math.min(rows.length - 1, at < 0 ? 0 : at + by))]!;
  next.focus();
  next.scrollIntoView({ block: 'nearest' });
}
