/**
 * The script of a shared table's page: puts the grid in the place of the first rows, adds what columns hold, and keeps the page
 * at the latest version while someone looks at it. All words are the server's page's own; a new version is that page again.
 */
import { hrefOfRows, type RowsView, rowsViewOf } from '../app/base/address.ts';
import { fetchAbout } from './about.ts';
import { fetchRows } from './rows_api.ts';
import './rows_view.ts';
import type { RowsBackend, SharedRowsView } from './rows_view.ts';
import './page.css';

const main = document.querySelector<HTMLElement>('main[data-share]')!;
const url = main.dataset.share!;
const apiUrl = `${url}/rows`;
const lookMs = 15_000;
const sections = ['head', 'columns', 'downloads', 'cite', 'code'];

function backend(): RowsBackend {
  return {
    label: document.querySelector('h1')!.textContent,
    async rows(wanted, signal) {
      const { columns, rows, total_rows: total, version } = await fetchRows(apiUrl, wanted, signal);
      if (String(version) !== main.dataset.version) void look();
      return { columns, rows, total };
    },
  };
}

const rowsView: SharedRowsView = document.createElement('st-rows-view');
rowsView.backend = backend();
rowsView.profiles = new Map();
rowsView.rowsInAll = Number(main.dataset.rows);
rowsView.view = rowsViewOf(new URLSearchParams(location.search));
rowsView.addEventListener('st-view', (event) => {
  const href = hrefOfRows(location.pathname, (event as CustomEvent<RowsView>).detail);
  history.pushState(null, '', href);
});
addEventListener('popstate', () => (rowsView.view = rowsViewOf(new URLSearchParams(location.search))));

// The first rows stay until the grid has its own.
const place = document.querySelector<HTMLElement>('#rows')!;
place.querySelector('.rows-tools')!.remove();
const firstRows = [...place.children];
place.prepend(rowsView);
rowsView.addEventListener('st-opened', () => firstRows.forEach((element) => element.remove()), { once: true });

async function loadProfiles(): Promise<void> {
  const { profiles } = await fetchAbout(url);
  rowsView.profiles = profiles;
}

let looking: Promise<void> | undefined;

/** Asks whether there is a new version; nothing travels if there is none. */
function look(): Promise<void> {
  looking ??= lookNow().finally(() => (looking = undefined));
  return looking;
}

async function lookNow(): Promise<void> {
  const headers = { 'if-none-match': main.dataset.etag! };
  const response = await fetch(location.pathname, { headers, cache: 'no-store' });
  if (response.status === 404) return end();
  if (response.status !== 200) return;
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const fresh = page.querySelector<HTMLElement>('main[data-share]');
  if (!fresh) return;
  for (const id of sections) document.getElementById(id)?.replaceWith(page.getElementById(id)!);
  const { etag, version, rows } = fresh.dataset;
  Object.assign(main.dataset, { etag, version, rows });
  rowsView.rowsInAll = Number(rows);
  document.title = page.title;
  addCopyButtons();
  rowsView.backend = backend();
  tell(`Now at version ${main.dataset.version}.`);
  await loadProfiles();
}

function end(): void {
  clearInterval(timer);
  const words = document.createElement('p');
  words.className = 'lead';
  words.textContent = 'This table is no longer shared. Its link has ended.';
  main.replaceChildren(...[document.getElementById('head')!.querySelector('h1')!, words]);
  words.tabIndex = -1;
  words.focus();
}

const timer = setInterval(() => {
  if (document.visibilityState === 'visible') void look().catch(() => {});
}, lookMs);
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') void look().catch(() => {});
});

function tell(text: string): void {
  document.querySelector('#news')!.textContent = text;
}

/** A button beside each text that is there to be copied; without a script it can still be selected. */
function addCopyButtons(): void {
  for (const text of document.querySelectorAll<HTMLElement>('.copied:not(:has(button)) pre')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Copy';
    const title = text.closest('.copied')!.previousElementSibling?.textContent ?? '';
    button.setAttribute('aria-label', `Copy: ${title}`);
    button.addEventListener('click', () => {
      void navigator.clipboard.writeText(text.textContent).then(() => {
        button.textContent = 'Copied';
        setTimeout(() => (button.textContent = 'Copy'), 2000);
      });
    });
    text.after(button);
  }
}

addEventListener('keydown', (event) => {
  const isTyping = (event.target as Element).closest('input, textarea, select');
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  document.querySelector<HTMLElement>('[data-search]')?.focus();
});
main.addEventListener('st-copied', (event) => tell((event as CustomEvent<string>).detail || 'Copied.'));

addCopyButtons();
void loadProfiles().catch(() => {});
