/** What would be stored of a file: warnings first, then malformed rows, then columns with their types and the first rows. */
import { html, nothing, type TemplateResult } from 'lit';
import { warningsShown } from '../base/shown.ts';
import { cellText, counted, kindOf, typeWord } from '../base/words.ts';
import { type InspectedColumn, type Inspection, lossText, malformedText } from './inspection.ts';

export function previewShown(inspection: Inspection): TemplateResult {
  const { columns, column_count: inAll, malformed_rows: malformed, notice, sample_rows: rows, warnings } = inspection;
  return html`${
      malformed.count > 0
        ? html`<h2 class="bad">${counted(malformed.count, 'malformed row')}</h2>
            <ul class="warnings">
              ${malformed.lines.map((line) => html`<li>${malformedText(line)}</li>`)}
            </ul>`
        : nothing
    }
    ${
      warnings.length > 0
        ? html`<h2>${counted(warnings.length, 'warning')}</h2>
            ${warningsShown(warnings)}`
        : nothing
    }
    <h2>${counted(inAll, 'column')} as they would be stored</h2>
    ${notice ? html`<p class="quiet">${notice}</p>` : nothing}
    <div class="scroll" tabindex="0" role="region" aria-label="Preview">
      <table class="preview">
        <thead>
          <tr>
            ${columns.map((column) => headShown(column))}
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            (row) =>
              html`<tr>
                ${columns.map(({ type }, x) => cellShown(row[x], type))}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    ${lossesShown(columns)}`;
}

function headShown({ name, type }: InspectedColumn): TemplateResult {
  return html`<th scope="col" data-kind=${kindOf(type)} title=${type}>
    <bdi>${name}</bdi><small>${typeWord(type)}</small>
  </th>`;
}

function cellShown(value: unknown, type: string): TemplateResult {
  return value === null || value === undefined
    ? html`<td data-kind=${kindOf(type)}><span class="null">null</span></td>`
    : html`<td data-kind=${kindOf(type)}><bdi>${cellText(value)}</bdi></td>`;
}

/** The types that columns were not given, since they would have bent values. */
function lossesShown(columns: InspectedColumn[]): TemplateResult | typeof nothing {
  const bent = columns.filter(({ would_lose: losses }) => losses?.length);
  if (bent.length === 0) return nothing;
  return html`<h2>Kept as text, so that nothing is lost</h2>
    <ul class="losses">
      ${bent.map(
        ({ name, would_lose: losses }) =>
          html`<li>
            <bdi><strong>${name}</strong></bdi>
            ${losses!.map((loss) => html`<span class="quiet">${lossText(loss)}</span> `)}
          </li>`,
      )}
    </ul>`;
}
