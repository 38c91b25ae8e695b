/** Rows and moments as markup, for pages that are read without a script. Every value is text. */
import type { QueryAnswer } from '../answers.ts';
import { html, type Html } from '../html.ts';
import { cellText, count, kindOf } from '../value_words.ts';

/** How many rows of a table its page shows. */
export const rowsPerPage = 50;

/** A query's rows, or the first of them. */
export type Rows = Pick<QueryAnswer, 'notice' | 'columns' | 'rows'>;

/** The words about a cut are a page's own; the answer's speak to an agent. */
function cutText(shown: number, total: number | undefined): string {
  if (total === undefined) return `The first ${count(shown)} rows:`;
  return `The first ${count(shown)} of ${count(total)} rows:`;
}

/** `total` is undefined where only a cut is known of, not how many rows there are. */
export function rowsShown({ notice, columns, rows }: Rows, total?: number): Html {
  const isCut = total === undefined ? notice !== undefined || rows.length === rowsPerPage : rows.length < total;
  const kinds = columns.map(({ type }) => kindOf(type));
  return html`${isCut ? html`<p class="quiet">${cutText(rows.length, total)}</p>` : ''}
    <div class="grid" tabindex="0">
      <table>
        <thead>
          <tr>
            ${columns.map(({ name, type }, i) => html`<th scope="col" class="${kinds[i]}">${name}<small>${type}</small></th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            (row) =>
              html`<tr>
                ${row.map((value, i) => cellShown(value, kinds[i]!))}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
}

function cellShown(value: unknown, kind: string): Html {
  if (value === null) return html`<td class="null ${kind}">null</td>`;
  return html`<td class="${kind}">${cellText(value)}</td>`;
}

export function moment(iso: string): Html {
  return html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`;
}
