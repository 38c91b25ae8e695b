/**
 * The page of a receipt. What it shows is drawn by its script, in a frame without reach, once the reader's browser has checked it;
 * without a script it says what the receipt holds, and that nothing of it was checked.
 */
import { cellText, count } from '../../wasm/value_words.ts';
import type { Content } from '../../web/receipt/document.ts';
import { documentOf } from './document.ts';
import { html, type Html } from '../../wasm/html.ts';
import { moment, rowsPerPage, rowsShown } from '../../wasm/rows/rows_html.ts';

export interface ReceiptPage {
  /** Where this home keeps its receipts, as a path. */
  receipts: string;
  host: string;
  /** Absent where only the reader's browser knows it, from the link's fragment. */
  content?: Content;
}

export function receiptPage({ receipts, host, content }: ReceiptPage): Html {
  const title = content ? titleOf(content) : 'Receipt';
  const about = content ? aboutOf(content) : 'A receipt, checked in your own browser.';
  return documentOf({
    title: content ? `Receipt: ${title}` : title,
    styles: ['receipt'],
    head: html`<meta name="description" content="${about}" />
      <meta property="og:type" content="website" />
      <meta property="og:title" content="${title}" />
      <meta property="og:description" content="${about}" />
      <meta property="og:site_name" content="Receipt at ${host}" />
      <meta name="twitter:card" content="summary" />
      <script type="module" src="/assets/receipt.js"></script>`,
    body: html`<main data-receipts="${receipts}">
        <div id="unchecked">
          <h1>Receipt</h1>
          <p>Nothing of this was checked: checking it takes JavaScript, which is off.</p>
          ${content ? unchecked(content) : ''}
        </div>
      </main>
      <footer>A receipt kept with Stele, for your own browser to check.</footer>`,
  });
}

/** The figure, if it is one. */
function titleOf({ columns, rows, row_count: rowCount }: Content): string {
  if (rows.length === 1 && columns.length === 1) return `${columns[0]!.name}: ${cellText(rows[0]![0])}`.slice(0, 120);
  return `${count(rowCount)} ${rowCount === 1 ? 'row' : 'rows'} of ${columns.map(({ name }) => name).join(', ')}`.slice(
    0,
    120,
  );
}

function aboutOf({ reads, made_at: madeAt, made_by: madeBy }: Content): string {
  const tables = reads.map(({ table, version }) => `${table}, version ${version}`).join('; ');
  return `${tables ? `From ${tables}. ` : ''}Made ${madeAt.slice(0, 10)} by ${madeBy}.`.slice(0, 300);
}

function unchecked({
  columns,
  rows,
  row_count: rowCount,
  sql,
  reads,
  made_at: madeAt,
  made_by: madeBy,
}: Content): Html {
  return html`${rowsShown({ columns, rows: rows.slice(0, rowsPerPage) }, rowCount)}
    <h2>Asked</h2>
    <pre>${sql}</pre>
    <h2>Read</h2>
    <ul>
      ${reads.map(({ table, version }) => html`<li>${table}, version ${version}</li>`)}
    </ul>
    <p>Made ${moment(madeAt)} by ${madeBy}</p>`;
}
