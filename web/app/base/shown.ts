/** Small pieces that several pages show: moments, sizes, warnings, a line to copy. */
import { html, nothing, type TemplateResult } from 'lit';
import { under } from '../../base.ts';
import { hrefOf } from './address.ts';
import type { AppContext } from './context.ts';
import type { Warning } from '../../../wasm/answers.ts';
import { ago, exactTime } from './words.ts';

export function moment(iso: string): TemplateResult {
  return html`<time datetime=${iso} title=${exactTime(iso)}>${ago(iso)}</time>`;
}

/** A path whose folders are quiet and whose name is not. */
export function pathShown(path: string): TemplateResult {
  const at = path.lastIndexOf('/') + 1;
  return html`<bdi class="path"
    >${at ? html`<span class="quiet">${path.slice(0, at)}</span>` : nothing}${path.slice(at)}</bdi
  >`;
}

/** The way to a path: all tables, then each folder, then its name. */
export function crumbs(path: string): TemplateResult {
  const parts = path.split('/');
  return html`<a href=${under('')}>Tables</a>${parts.map((part, i) => {
      const href = hrefOf({ page: 'tables', folder: parts.slice(0, i + 1).join('/'), search: '' });
      return html`<span class="quiet"> / </span
        >${i === parts.length - 1 ? html`<bdi>${part}</bdi>` : html`<a href=${href}><bdi>${part}</bdi></a>`}`;
    })}`;
}

/** Where "/" leads to. */
export function searchField(label: string, text: string, onText: (text: string) => void): TemplateResult {
  return html`<input
    type="search"
    data-search
    placeholder=${label}
    aria-label=${label}
    .value=${text}
    @input=${(event: InputEvent) => onText((event.target as HTMLInputElement).value)}
  />`;
}

export function warningsShown(warnings: Warning[]): TemplateResult | typeof nothing {
  if (warnings.length === 0) return nothing;
  return html`<ul class="warnings">
    ${warnings.map(({ message }) => html`<li>${message}</li>`)}
  </ul>`;
}

/** A line that is copied whole. */
export function copyLine(text: string, label: string, context: AppContext): TemplateResult {
  return html`<div class="copy-line">
    <code>${text}</code>
    <button type="button" aria-label=${`Copy ${label}`} @click=${() => copyText(text, context)}>Copy</button>
  </div>`;
}

export async function copyText(text: string, context: AppContext): Promise<void> {
  if (await context.attempt(() => navigator.clipboard.writeText(text))) context.notify({ text: 'Copied.' });
}
