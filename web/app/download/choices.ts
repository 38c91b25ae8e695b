/** A question with a few answers, of which one is chosen from the start. */
import { html, nothing, type TemplateResult } from 'lit';

export interface Choice {
  value: string;
  title: string;
  about?: string;
}

export function choiceField(legend: string, name: string, choices: Choice[]): TemplateResult {
  return html`<fieldset class="choice">
    <legend>${legend}</legend>
    ${choices.map(
      ({ value, title, about }, i) =>
        html`<label
          ><input type="radio" name=${name} value=${value} ?checked=${i === 0} /><span
            >${title}${about ? html`<span class="quiet">${about}</span>` : nothing}</span
          ></label
        >`,
    )}
  </fieldset>`;
}

/** Which rows, where there is more than one answer. */
export function rowsField(rows: { what: string }[]): TemplateResult | typeof nothing {
  if (rows.length < 2) return nothing;
  return choiceField(
    'Rows',
    'rows',
    rows.map(({ what }, i) => ({ value: String(i), title: what })),
  );
}
