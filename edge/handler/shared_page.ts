/**
 * The page of a shared table: all of it in words and a plain table of its first rows, which is what there is without a script.
 * The script beside it puts the grid in the table's place and keeps the page at the latest version. It leads to nothing else.
 */
import { count, sizeText } from '../../wasm/value_words.ts';
import { documentOf } from './document.ts';
import { html, type Html } from '../../wasm/html.ts';
import { moment, type Rows, rowsShown } from '../../wasm/rows/rows_html.ts';
import type { TableFacts } from '../../wasm/table_facts.ts';

export interface SharedPage {
  facts: TableFacts;
  /** The first rows. */
  first: Rows;
  /** The link itself. */
  url: string;
  /** Who serves it, as a citation names it. */
  host: string;
  etag: string;
  allowsSql: boolean;
}

export function sharedPage({ facts, first, url, host, etag, allowsSql }: SharedPage): Html {
  const { table, description, columns, rows } = facts;
  const summary = description || `${count(rows)} rows: ${columns.map(({ name }) => name).join(', ')}`.slice(0, 200);
  return documentOf({
    title: table,
    styles: ['share'],
    head: html`<meta name="description" content="${summary}" />
      <meta property="og:type" content="website" />
      <meta property="og:title" content="${table}" />
      <meta property="og:description" content="${summary}" />
      <meta property="og:url" content="${url}" />
      <meta property="og:site_name" content="Stele at ${host}" />
      <meta name="twitter:card" content="summary" />
      <link rel="alternate" type="application/json" href="${url}/rows" />
      <link rel="alternate" type="text/csv" href="${url}/rows?format=csv" />
      <script type="module" src="/assets/share.js"></script>`,
    body: html`<main data-share="${url}" data-etag="${etag}" data-version="${facts.version}" data-rows="${rows}">
        <header id="head">
          <h1><bdi>${table}</bdi></h1>
          ${description ? html`<p class="lead">${description}</p>` : ''}
          <p class="facts">
            <span>${count(rows)} ${rows === 1 ? 'row' : 'rows'}</span>
            <span>${count(columns.length)} ${columns.length === 1 ? 'column' : 'columns'}</span>
            <span>${sizeText(facts.bytes)}</span>
            <span>Version ${facts.version}, last changed ${moment(facts.changed_at)}</span>
          </p>
        </header>
        <p id="news" role="status"></p>
        <section id="rows" aria-label="Rows">
          <div class="rows-tools">
            <input type="search" placeholder="Search rows" aria-label="Search rows" disabled /><span
              class="count"
            ></span>
          </div>
          ${rowsShown(first, rows)}
        </section>
        <div class="more">
          ${columnsShown(facts)} ${downloads(table, url)} ${citation(facts, url, host)}
          ${fromCode(url, allowsSql ? table : undefined)} ${embedding(url)}
        </div>
      </main>
      <footer>
        Shared with Stele. Cells are shown as they are stored. <a href="/openapi.json">The API as OpenAPI</a>
      </footer>`,
  });
}

/** Where a link led once, or never: which of the two is nobody's business. */
export function endedPage(): Html {
  return documentOf({
    title: 'No shared table',
    styles: ['share'],
    body: html`<main>
      <h1>No shared table</h1>
      <p>There is none at this address, or it is no longer shared. Ask whoever gave you the link.</p>
    </main>`,
  });
}

function columnsShown({ columns }: TableFacts): Html {
  return html`<section id="columns">
    <h2>Columns</h2>
    <dl>
      ${columns.map(
        ({ name, type, description }) =>
          html`<div>
            <dt><bdi>${name}</bdi> <small>${type}</small></dt>
            ${description ? html`<dd>${description}</dd>` : ''}
          </div>`,
      )}
    </dl>
  </section>`;
}

const formats: { format: string; name: string; about: string; search?: string }[] = [
  { format: 'csv', name: 'CSV for spreadsheets', about: 'formulas marked as text', search: '&escape=formulas' },
  { format: 'csv', name: 'CSV', about: 'exact' },
  { format: 'parquet', name: 'Parquet', about: 'exact, with types' },
  { format: 'arrow', name: 'Arrow', about: 'exact, with types, an IPC stream' },
  { format: 'json', name: 'JSON', about: 'exact' },
  { format: 'ndjson', name: 'NDJSON', about: 'exact, an object a line' },
];

function downloads(table: string, url: string): Html {
  const name = fileName(table);
  return html`<section id="downloads">
    <h2>Download</h2>
    <ul>
      ${formats.map(
        ({ format, name: named, about, search = '' }) =>
          html`<li>
            <a href="${url}/rows?format=${format}&limit=all${search}" download="${name}.${format}">${named}</a>
            <span class="quiet">${about}</span>
          </li>`,
      )}
    </ul>
  </section>`;
}

function citation({ table, version, changed_at: changedAt }: TableFacts, url: string, host: string): Html {
  return html`<section id="cite">
    <h2>Cite</h2>
    ${copied(`“${table}”, version ${version} (${changedAt.slice(0, 10)}), Stele at ${host}. ${url}`)}
    <p class="quiet">
      The link shows the latest version. To state a figure that stays checkable, ask its owner for a receipt.
    </p>
  </section>`;
}

/** `sqlTable`: the table's path, where readers may query it. */
function fromCode(url: string, sqlTable: string | undefined): Html {
  const rows = `${url}/rows`;
  return html`<section id="code">
    <h2>Use it from code</h2>
    <h3>curl</h3>
    ${copied(`curl '${rows}?format=csv&limit=all'`)}
    <h3>Python</h3>
    ${copied(`import pandas as pd\ntable = pd.read_parquet("${rows}?format=parquet&limit=all")`)}
    <h3>JavaScript</h3>
    ${copied(`const answer = await fetch("${rows}?limit=100");\nconst { columns, rows, next } = await answer.json();`)}
    ${
      sqlTable === undefined
        ? ''
        : html`<h3>SQL</h3>
            ${copied(`curl -G '${rows}' --data-urlencode 'sql=SELECT count(*) FROM "${sqlTable.replaceAll("'", "'\\''")}"'`)}`
    }
    <p class="quiet">
      <code>select</code>, <code>where</code>, <code>search</code>, <code>order</code>, <code>limit</code> and
      <code>offset</code> say which rows, <code>format</code> how. Any origin may ask; an <code>ETag</code> says when
      there is a new version.
    </p>
  </section>`;
}

function embedding(url: string): Html {
  const { origin } = new URL(url);
  return html`<section id="embed">
    <h2>Embed</h2>
    ${copied(`<script type="module" src="${origin}/assets/embed.js"></script>\n<stele-table src="${url}/rows"></stele-table>`)}
  </section>`;
}

function copied(text: string): Html {
  return html`<div class="copied"><pre tabindex="0">${text}</pre></div>`;
}

export function fileName(table: string): string {
  return (table.split('/').at(-1) ?? 'table').replaceAll(/[^\w.-]/g, '_');
}
