/**
 * <st-consent>: the question that waits for the person. In a window of its own it is a modal dialog; in a frame, which a page
 * around it could cover or move, it is only the way to that window.
 */
import { html, nothing, type TemplateResult } from 'lit';
import { createRef, ref } from 'lit/directives/ref.js';
import { argsInShort } from '../activity.ts';
import { askAddress } from '../address.ts';
import type { Consent, Question, Reply } from '../consent.ts';
import { partyName, type Scope, scopes } from '../party.ts';
import type { InPageMcp } from '../in_page_mcp.ts';
import { LightElement } from './light_element.ts';
import { claim, scopeWords, subjectOf } from './words.ts';

/** So long a question must have been in sight before it can be allowed: a click that was meant for something else came earlier. */
const armMs = 600;

export class ConsentDialog extends LightElement {
  static override properties = { isArmed: { state: true }, also: { state: true } };
  declare private isArmed: boolean;
  declare private also: Scope[];
  #mcp: InPageMcp;
  #dialog = createRef<HTMLDialogElement>();
  #shown: number | undefined;
  #arming: ReturnType<typeof setTimeout> | undefined;
  #rearm = () => this.#arm();

  constructor(mcp: InPageMcp) {
    super();
    this.#mcp = mcp;
    this.isArmed = false;
    this.also = [];
  }

  get #consent(): Consent {
    return this.#mcp.consent;
  }

  protected override get sources(): EventTarget[] {
    return [this.#consent];
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener('focus', this.#rearm);
    document.addEventListener('visibilitychange', this.#rearm);
  }

  override disconnectedCallback(): void {
    removeEventListener('focus', this.#rearm);
    document.removeEventListener('visibilitychange', this.#rearm);
    clearTimeout(this.#arming);
    super.disconnectedCallback();
  }

  override willUpdate(): void {
    const { current } = this.#consent;
    if (current?.id === this.#shown) return;
    this.#shown = current?.id;
    this.also = [];
    if (current) this.#arm();
  }

  override render(): TemplateResult | typeof nothing {
    const question = this.#consent.current;
    if (!question) return nothing;
    if (!this.#consent.canShow) return elsewhere(question, this.#mcp.base);
    return html`<dialog
      class="consent"
      aria-labelledby="consent-title"
      ${ref(this.#dialog)}
      @cancel=${(event: Event) => this.#put(event, { answer: 'later' })}
    >
      ${question.kind === 'access' ? this.#access(question) : this.#once(question)}
    </dialog>`;
  }

  override updated(): void {
    const dialog = this.#dialog.value;
    if (dialog && !dialog.open) dialog.showModal();
  }

  #access({ party, scope, call }: Extract<Question, { kind: 'access' }>): TemplateResult {
    const others = scopes.filter((one) => one !== scope && !this.#mcp.grants.decisionOn(party, one));
    return html`<h2 id="consent-title">Let ${subjectOf(party)} ${scopeWords[scope].asked}?</h2>
      <p class="consent-who"><bdi>${partyName(party)}</bdi></p>
      <p>${scopeWords[scope].means}</p>
      ${
        call
          ? html`<p>It ${claim(call)} and wants to call <code>${call.tool}</code>.</p>
              ${callShown(call.args)}`
          : nothing
      }
      ${
        others.length
          ? html`<fieldset class="consent-also">
              <legend>Allow as well</legend>
              ${others.map((one) => this.#alsoSwitch(one))}
            </fieldset>`
          : nothing
      }
      <p class="quiet">It stays allowed until you take it back under Agents.</p>
      <div class="actions">
        <button type="button" autofocus @click=${(event: Event) => this.#put(event, { answer: 'refuse' })}>
          Don’t allow
        </button>
        <button type="button" class="plain" @click=${(event: Event) => this.#put(event, { answer: 'later' })}>
          Not now
        </button>
        ${this.#allowButton('Allow')}
      </div>`;
  }

  #once({ party, call }: Extract<Question, { kind: 'once' }>): TemplateResult {
    return html`<h2 id="consent-title">${call.title}?</h2>
      <p class="consent-who"><bdi>${partyName(party)}</bdi></p>
      <p>It ${claim(call)} and wants to call <code>${call.tool}</code>.</p>
      ${callShown(call.args)}
      <p class="quiet">You are asked each time.</p>
      <div class="actions">
        <button type="button" autofocus @click=${(event: Event) => this.#put(event, { answer: 'refuse' })}>
          Don’t
        </button>
        ${this.#allowButton('Go ahead, this once')}
      </div>`;
  }

  #alsoSwitch(scope: Scope): TemplateResult {
    const isOn = this.also.includes(scope);
    const turn = (event: Event) => {
      if (!event.isTrusted) return;
      this.also = isOn ? this.also.filter((one) => one !== scope) : [...this.also, scope];
    };
    const { name, means } = scopeWords[scope];
    return html`<div class="consent-choice">
      <button type="button" role="switch" aria-checked=${isOn} aria-label=${name} @click=${turn}></button>
      <span><b>${name}</b> <span class="quiet">${means}</span></span>
    </div>`;
  }

  #allowButton(words: string): TemplateResult {
    const allow = (event: Event) => this.#put(event, { answer: 'allow', also: this.also });
    return html`<button type="button" class="primary" ?disabled=${!this.isArmed} @click=${allow}>${words}</button>`;
  }

  #put(event: Event, reply: Reply): void {
    event.preventDefault();
    const { current } = this.#consent;
    if (current && (reply.answer !== 'allow' || this.isArmed)) this.#consent.answer(current.id, reply, event);
  }

  #arm(): void {
    clearTimeout(this.#arming);
    this.isArmed = false;
    if (document.visibilityState === 'visible') this.#arming = setTimeout(() => (this.isArmed = true), armMs);
  }
}

function callShown(args: Parameters<typeof argsInShort>[0]): TemplateResult | typeof nothing {
  const short = argsInShort(args);
  return short ? html`<p class="consent-call"><code>${short}</code></p>` : nothing;
}

function elsewhere(question: Question, base: string): TemplateResult {
  const scope = question.kind === 'access' ? question.scope : 'write';
  return html`<div class="consent-elsewhere" role="status">
    <span><bdi>${partyName(question.party)}</bdi> asks to ${scopeWords[scope].asked}.</span>
    <a href=${askAddress(base, question.party, scope)} target="_blank">Answer in a window of its own</a>
  </div>`;
}

customElements.define('st-consent', ConsentDialog);
