/**
 * Pages as HTML for those who may read the workspace: tables, one table. They show what the tools answer and decide nothing. `at` is the
 * path under which the workspace lies, empty where it has a server to itself.
 */
import type { Described, ListedTable, VersionShown } from '../../wasm/answers.ts';
import { count, sizeText } from '../../wasm/value_words.ts';
import { documentOf } from './document.ts';
import { type Place, workspaceNav } from './workspace_nav.ts';
import { html, type Html } from '../../wasm/html.ts';
import { moment, type Rows, rowsShown } from '../../wasm/rows/rows_html.ts';

export function tablesPage(at: string, tables: ListedTable[], total: number, mcpUrl: string): Html {
  return page(
    at,
    'Tables',
    html`<h1>Tables</h1>
      ${
        tables.length === 0
          ? html`<p>No tables yet. Connect an agent and ask it to save something:</p>
              <pre>claude mcp add --transport http stele ${mcpUrl}</pre>
              ${at === '' ? html`<p>Or load a file: <code>npm run -s stele -- import sales/2025 ./sales.csv</code></p>` : ''}`
          : html`<div class="grid" tabindex="0">
              <table>
                <thead>
                  <tr>
                    <th scope="col">Path</th>
                    <th scope="col" class="number">Rows</th>
                    <th scope="col" class="number">Columns</th>
                    <th scope="col" class="number">Size</th>
                    <th scope="col">Last change</th>
                  </tr>
                </thead>
                <tbody>
                  ${tables.map((table) => tableRow(at, table))}
                </tbody>
              </table>
            </div>`
      }
      ${total > tables.length ? html`<p class="quiet">${tables.length} of ${total} tables are shown.</p>` : ''}
      ${tables.length > 0 ? html`<p class="quiet">Agents connect at <code>${mcpUrl}</code></p>` : ''}`,
    headerOf(at, 'tables'),
  );
}

function tableRow(at: string, table: ListedTable): Html {
  return html`<tr>
    <td>
      <a href="${tableHref(at, table.path)}">${table.path}</a
      >${table.description ? html`<br /><span class="quiet">${table.description}</span>` : ''}
    </td>
    <td class="number">${count(table.rows)}</td>
    <td class="number">${count(table.columns)}</td>
    <td class="number">${sizeText(table.bytes)}</td>
    <td>Version ${table.version}, by ${table.changed_by}<br />${moment(table.changed_at)}</td>
  </tr>`;
}

export function tableHref(at: string, path: string): string {
  return `${at}/t/${path.split('/').map(encodeURIComponent).join('/')}`;
}

export function tablePage(at: string, described: Described, first: Rows, versions: VersionShown[]): Html {
  return page(
    at,
    described.table,
    html`<h1>${described.table}</h1>
      ${described.description ? html`<p>${described.description}</p>` : ''}
      <p class="quiet">
        ${count(described.rows)} rows, ${count(described.columns.length)} columns, ${sizeText(described.bytes)}, version
        ${described.version}
      </p>
      ${rowsShown(first, described.rows)}
      <h2>Columns</h2>
      <div class="grid" tabindex="0">
        <table>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Type</th>
              <th scope="col">Class</th>
              <th scope="col" class="number">Nulls</th>
              <th scope="col">Meaning</th>
            </tr>
          </thead>
          <tbody>
            ${described.columns.map(
              (column) =>
                html`<tr>
                  <td>${column.name}</td>
                  <td>${column.type}</td>
                  <td>${column.class}</td>
                  <td class="number">${column.nulls === undefined ? '' : count(column.nulls)}</td>
                  <td>${column.description ?? ''}</td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
      <h2>History</h2>
      <ol class="history" reversed>
        ${versions.map(
          (version) =>
            html`<li>
              Version ${version.version}: ${version.kind} (+${version.added} ~${version.updated} −${version.removed},
              ${version.rows} rows), by ${version.made_by}
              <span class="quiet">${moment(version.made_at)}</span
              >${version.message ? html`<br />${version.message}` : ''}
            </li>`,
        )}
      </ol>`,
    headerOf(at),
  );
}

export function messagePage(at: string, title: string, message: string, hint: string): Html {
  return page(
    at,
    title,
    html`<h1>${title}</h1>
      <p>${message}</p>
      <p class="quiet">${hint}</p>
      <p><a href="${at}/">All tables</a></p>`,
  );
}

/** For whoever may read: at the edge, where the path names the workspace, the way to its other pages and to the account. */
function headerOf(at: string, here?: Place): Html {
  if (at === '') return bareHeader(at);
  return html`<header>
    <a href="/account"><strong>Stele</strong></a>
    ${workspaceNav(at.slice('/w/'.length), here)}
  </header>`;
}

function bareHeader(at: string): Html {
  return html`<header><strong>Stele</strong><a href="${at}/">Tables</a></header>`;
}

function page(at: string, title: string, body: Html, header = bareHeader(at)): Html {
  return documentOf({
    title: `${title} · Stele`,
    styles: ['tokens', 'base', 'stele'],
    body: html`${header}
      <main>${body}</main>
      <footer>Cell values are shown as they are stored.</footer>`,
  });
}
