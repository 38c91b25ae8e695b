/** <st-activity>: what agents do, as it happens: the call, what came of it, and its undoing. */
import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Caller } from '../../../wasm/core.ts';
import { argsInShort, type Entry } from '../activity.ts';
import type { InPageMcp } from '../in_page_mcp.ts';
import { partyName } from '../party.ts';
import { LightElement } from './light_element.ts';
import { counted, tableHref } from './words.ts';

const clock = new Intl.DateTimeFormat('en', { timeStyle: 'medium' });

export class ActivityFeed extends LightElement {
  static override properties = { refusal: { state: true } };
  declare private refusal: { id: number; message: string } | undefined;
  #mcp: InPageMcp;
  #person: Caller;

  /** `person`: as whom the one at this screen takes things back. */
  constructor(mcp: InPageMcp, person: Caller) {
    super();
    this.#mcp = mcp;
    this.#person = person;
    this.refusal = undefined;
  }

  protected override get sources(): EventTarget[] {
    return [this.#mcp.activity];
  }

  override render(): TemplateResult {
    return html`<section class="activity-feed" aria-labelledby="activity-title">
      <h2 id="activity-title">Activity</h2>
      <div role="log" aria-labelledby="activity-title">
        <ol>
          ${repeat(
            this.#mcp.activity.entries,
            ({ id }) => id,
            (entry) => this.#entry(entry),
          )}
        </ol>
      </div>
    </section>`;
  }

  #entry(entry: Entry): TemplateResult {
    const started = new Date(entry.startedAt);
    const args = argsInShort(entry.args);
    return html`<li data-state=${entry.state}>
      <div class="activity-call">
        <code>${entry.tool}</code>
        <time datetime=${started.toISOString()} title=${started.toLocaleString()}>${clock.format(started)}</time>
      </div>
      ${args ? html`<div class="activity-args" title=${args}>${args}</div>` : nothing}
      <div class="activity-who quiet">
        <bdi>${entry.client || partyName(entry.party)}</bdi>${
          entry.client ? html`, <bdi>${partyName(entry.party)}</bdi>` : nothing
        }
      </div>
      <div class="activity-outcome">${outcomeShown(entry)}${this.#undo(entry)}</div>
      ${this.refusal?.id === entry.id ? html`<p role="alert" class="activity-error">${this.refusal.message}</p>` : nothing}
    </li>`;
  }

  #undo(entry: Entry): TemplateResult | typeof nothing {
    if (!entry.undo) return nothing;
    if (entry.undone === 'done') return html`<span class="quiet">undone</span>`;
    return html`<button
      type="button"
      title=${entry.undo.label}
      ?disabled=${entry.undone === 'running'}
      @click=${() => void this.#takeBack(entry)}
    >
      Undo
    </button>`;
  }

  async #takeBack(entry: Entry): Promise<void> {
    this.refusal = undefined;
    this.#mcp.activity.set(entry, { undone: 'running' });
    const answer = await entry.undo!.run(this.#mcp.core, this.#person);
    this.#mcp.activity.set(entry, { undone: answer.isError ? 'no' : 'done' });
    if (!answer.isError) return;
    this.refusal = { id: entry.id, message: `${String(answer.value.message)} ${String(answer.value.hint)}` };
  }
}

function outcomeShown({ state, progress, outcome, tookMs }: Entry): TemplateResult {
  if (state === 'waiting') return html`<b>waits for you</b>`;
  if (state === 'running') return progress ? progressShown(progress) : html`<span class="quiet">running</span>`;
  if (outcome?.error) {
    const { kind, message } = outcome.error;
    return html`<span class="activity-error" title=${message}>${kind === 'refused' ? 'You said no.' : message}</span>`;
  }
  const parts = [
    outcome?.table === undefined ? nothing : html`<a href=${tableHref(outcome.table)}>${outcome.table}</a>`,
    outcome?.version === undefined ? nothing : `version ${outcome.version}`,
    outcome?.rows === undefined ? nothing : counted(outcome.rows, 'row'),
    outcome?.link === undefined ? nothing : html`<a href=${outcome.link}>link</a>`,
    tookShown(tookMs ?? 0),
  ];
  return html`<span
    >${parts.filter((part) => part !== nothing).map((part, index) => html`${index > 0 ? ' · ' : ''}${part}`)}</span
  >`;
}

function tookShown(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`;
}

function progressShown({ done, total, what }: NonNullable<Entry['progress']>): TemplateResult {
  return html`<progress aria-label=${what} max=${total || 1} value=${total > 0 ? done : nothing}></progress>
    <span class="quiet">${what}</span>`;
}

customElements.define('st-activity', ActivityFeed);
