/** The frame's script: unpacks the table that the page around it has from its link, and shows it. Every value becomes text. */
import { html, nothing, render, type TemplateResult } from 'lit';
import { csvName } from '../app/download/csv_file.ts';
import { saveBlob } from '../app/base/download.ts';
import { count, counted } from '../app/base/words.ts';
import { memoryBackend } from '../embed/memory_rows.ts';
import '../share/rows_view.ts';
import { csvLine, spreadsheetLine } from '../../wasm/csv_text.ts';
import { type CarriedTable, tableInFragment } from './carried.ts';
import type { FromFrame, ToFrame } from './messages.ts';
import './view.css';

const tell = (message: FromFrame) => window.parent.postMessage(message, '*');

addEventListener('message', (event) => {
  if (event.source === window.parent) void show(event.data as ToFrame);
});
addEventListener('keydown', (event) => {
  const isTyping = (event.target as Element).closest('input, textarea, select');
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  document.querySelector<HTMLElement>('[data-search]')?.focus();
});
document.addEventListener('st-copied', (event) => {
  document.querySelector('#news')!.textContent = (event as CustomEvent<string>).detail || 'Copied.';
});
tell({ kind: 'ready' });

async function show({ fragment, host }: ToFrame): Promise<void> {
  const table = fragment ? await tableInFragment(fragment).catch(() => undefined) : undefined;
  document.body.replaceChildren();
  render(table ? tableShown(table, host) : problemShown(fragment), document.body);
  if (table) tell({ kind: 'title', title: table.table });
}

function problemShown(fragment: string): TemplateResult {
  return html`<main>
    <h1>No table</h1>
    <p role="alert">
      ${fragment ? 'The link is damaged, or holds no table.' : 'The link holds no table: it ends where one would begin.'}
    </p>
    <p class="quiet">Ask for it again. It is long, and some messengers cut it.</p>
  </main>`;
}

function tableShown(carried: CarriedTable, host: string): TemplateResult {
  const { table, description, version, changed_at: changedAt, rows_in_all: inAll, columns } = carried;
  const rows = columns[0]!.values.map((_, row) => columns.map(({ values }) => values[row]));
  const rowsText =
    inAll === undefined ? counted(rows.length, 'row') : `${count(rows.length)} of ${counted(inAll, 'row')}`;
  const held = { columns: columns.map(({ name, type }) => ({ name, type })), rows };
  return html`<main>
      <header id="head">
        <h1><bdi>${table}</bdi></h1>
        ${description ? html`<p class="lead">${description}</p>` : nothing}
        <p class="facts">
          <span>${rowsText}</span>
          <span>${counted(columns.length, 'column')}</span>
          <span>Version ${version}${changedAt ? html`, of ${dayShown(changedAt)}` : nothing}</span>
        </p>
      </header>
      <p id="news" role="status"></p>
      <section id="rows" aria-label="Rows">
        <st-rows-view .backend=${memoryBackend(held, held, table)} .rowsInAll=${rows.length}></st-rows-view>
      </section>
      <div class="more">
        <section id="columns">
          <h2>Columns</h2>
          <dl>
            ${columns.map(
              ({ name, type, description: meaning }) =>
                html`<div>
                  <dt><bdi>${name}</bdi> <small>${type}</small></dt>
                  ${meaning ? html`<dd>${meaning}</dd>` : nothing}
                </div>`,
            )}
          </dl>
        </section>
        <section id="downloads">
          <h2>Download</h2>
          ${downloads(table, held.columns, rows)}
        </section>
      </div>
    </main>
    <footer>
      The rows are in the link itself; ${host} only shows them and vouches for nothing. They do not follow later
      changes.
    </footer>`;
}

function dayShown(iso: string): TemplateResult {
  return html`<time datetime=${iso}>${iso.slice(0, 10)}</time>`;
}

/** Without it Excel takes UTF-8 for the machine's own encoding. */
const byteOrderMark = '\uFEFF';

function downloads(table: string, columns: { name: string }[], rows: unknown[][]): TemplateResult {
  const records = [columns.map(({ name }) => name), ...rows];
  const save = (text: string) => saveBlob(csvName(table), new Blob([text], { type: 'text/csv' }));
  return html`<ul>
    <li>
      <button type="button" @click=${() => save(byteOrderMark + records.map(spreadsheetLine).join(''))}>
        CSV for spreadsheets
      </button>
      <span class="quiet">formulas marked as text</span>
    </li>
    <li>
      <button type="button" @click=${() => save(records.map(csvLine).join(''))}>CSV</button>
      <span class="quiet">exact</span>
    </li>
  </ul>`;
}
