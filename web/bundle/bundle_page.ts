/** A bundle's page. All of it is there without a script, the first rows too; the embed puts the grid in their place. */
import { html, type Html } from '../../wasm/html.ts';
import { moment, rowsShown } from '../../wasm/rows/rows_html.ts';
import type { TableFacts } from '../../wasm/table_facts.ts';
import { cellText, count, sizeText } from '../../wasm/value_words.ts';

export interface Told {
  facts: TableFacts;
  /** How many rows the Parquet file has. */
  rows: number;
  isPart: boolean;
  /** Of the Parquet file. */
  bytes: number;
  /** The Parquet file's name. */
  parquet: string;
}

/** Nothing but what lies beside it. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

export function bundlePage({ facts, rows, isPart, bytes, parquet, first }: Told & { first: unknown[][] }): Html {
  const { table, description, columns, version, changed_at: changedAt } = facts;
  const summary = description || `${count(rows)} rows: ${columns.map(({ name }) => name).join(', ')}`.slice(0, 200);
  const file = encodeURIComponent(parquet);
  const counted = `${count(rows)}${isPart ? ` of ${count(facts.rows)}` : ''} ${rows === 1 && !isPart ? 'row' : 'rows'}`;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="content-security-policy" content="${policy}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${table}</title>
        <meta name="description" content="${summary}" />
        <meta property="og:type" content="website" />
        <meta property="og:title" content="${table}" />
        <meta property="og:description" content="${summary}" />
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="page.css" />
        <script type="module" src="embed/embed.js"></script>
      </head>
      <body>
        <main>
          <header id="head">
            <h1><bdi>${table}</bdi></h1>
            ${description ? html`<p class="lead">${description}</p>` : ''}
            <p class="facts">
              <span>${counted}</span>
              <span>${count(columns.length)} ${columns.length === 1 ? 'column' : 'columns'}</span>
              <span>Version ${version}${changedAt ? html`, of ${moment(changedAt)}` : ''}</span>
            </p>
          </header>
          <section id="rows" aria-label="Rows">
            <stele-table src="${file}" label="${table}"
              >${rowsShown({ columns, rows: first.map(shortened) }, rows)}</stele-table
            >
          </section>
          <div class="more">
            <section id="columns">
              <h2>Columns</h2>
              <dl>
                ${columns.map(
                  ({ name, type, description: meaning }) =>
                    html`<div>
                      <dt><bdi>${name}</bdi> <small>${type}</small></dt>
                      ${meaning ? html`<dd>${meaning}</dd>` : ''}
                    </div>`,
                )}
              </dl>
            </section>
            <section id="downloads">
              <h2>Download</h2>
              <ul>
                <li>
                  <a href="${file}" download>Parquet</a>
                  <span class="quiet">exact, with types, ${sizeText(bytes)}</span>
                </li>
              </ul>
            </section>
          </div>
        </main>
        <footer>Made with Stele. The rows are those of version ${version}, and do not follow later changes.</footer>
      </body>
    </html>`;
}

const cellCharsMax = 300;

/** A row of the plain table, which the grid and the file have whole. */
function shortened(row: unknown[]): unknown[] {
  return row.map((value) => {
    const text = cellText(value);
    return text.length > cellCharsMax ? `${text.slice(0, cellCharsMax)}…` : value;
  });
}
