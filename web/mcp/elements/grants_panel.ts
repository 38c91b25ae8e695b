/** <st-grants>: who may do what with the tables, and where it is taken back. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Grant } from '../grants.ts';
import type { InPageMcp } from '../in_page_mcp.ts';
import { browserParty, isExtensionId, type Party, partyName, type Scope, scopes } from '../party.ts';
import { LightElement } from './light_element.ts';
import { scopeWords } from './words.ts';

const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });

export class GrantsPanel extends LightElement {
  static override properties = { typedId: { state: true } };
  declare private typedId: string;
  #mcp: InPageMcp;

  constructor(mcp: InPageMcp) {
    super();
    this.#mcp = mcp;
    this.typedId = '';
  }

  protected override get sources(): EventTarget[] {
    return [this.#mcp.grants, this.#mcp.consent, this.#mcp.extensions];
  }

  override render(): TemplateResult {
    const grants = this.#mcp.grants.list();
    const origins = grants.filter(({ party }) => party.kind === 'origin');
    const extensions = grants.filter(({ party }) => party.kind === 'extension');
    return html`<div class="grants">
      ${this.#mcp.consent.canShow ? nothing : this.#framed()}
      <section aria-labelledby="grants-browser">
        <h2 id="grants-browser">This browser’s agents</h2>
        <p>
          Agents built into the browser, or driving it, find the tools through WebMCP. The browser does not say which
          agent calls, so this counts for all of them. While nothing is allowed there are no tools to be found.
        </p>
        ${table([this.#row(browserParty)])}
      </section>
      <section aria-labelledby="grants-origins">
        <h2 id="grants-origins">Pages of other sites</h2>
        ${
          origins.length
            ? table(origins.map((grant) => this.#row(grant.party, grant)))
            : html`<p class="quiet">None yet. When a page connects, you are asked here.</p>`
        }
      </section>
      <section aria-labelledby="grants-extensions">
        <h2 id="grants-extensions">Extensions</h2>
        ${
          extensions.length
            ? table(extensions.map((grant) => this.#row(grant.party, grant)))
            : html`<p class="quiet">
                None yet. An extension that names this page in its manifest can be connected to by its id.
              </p>`
        }
        ${this.#connectForm()}
      </section>
      ${this.#postponed()}
    </div>`;
  }

  #framed(): TemplateResult {
    return html`<p class="grants-framed">
      This page is inside another one.
      <a href="${this.#mcp.base}/agents" target="_blank">Open it in a window of its own</a> to decide who may use the
      tables.
    </p>`;
  }

  #row(party: Party, grant?: Grant): TemplateResult {
    const name = partyName(party);
    return html`<tr>
      <th scope="row">
        <bdi>${party.kind === 'browser' ? 'All of them' : party.id}</bdi>
        <span class="quiet">${this.#state(party, grant)}</span>
      </th>
      ${scopes.map((scope) => html`<td data-label=${scopeWords[scope].name}>${this.#switch(party, scope, name)}</td>`)}
      <td>${grant && party.kind !== 'browser' ? this.#forgetButton(party, name) : nothing}</td>
    </tr>`;
  }

  #state(party: Party, grant: Grant | undefined): TemplateResult | string {
    if (party.kind === 'browser') return this.#mcp.grants.admits(party) ? 'tools registered' : 'off';
    if (!this.#mcp.grants.admits(party)) return 'refused';
    if (party.kind === 'extension') return this.#mcp.extensions.isConnected(party.id) ? 'connected' : 'not reachable';
    const decided = new Date(grant?.decidedAt ?? 0);
    return html`since <time datetime=${decided.toISOString()}>${day.format(decided)}</time>`;
  }

  #switch(party: Party, scope: Scope, name: string): TemplateResult {
    const isOn = this.#mcp.grants.allows(party, scope);
    const turn = (event: Event) => {
      if (!this.#byHand(event)) return;
      this.#mcp.grants.decide(party, { [scope]: isOn ? 'refused' : 'allowed' });
    };
    return html`<button
      type="button"
      role="switch"
      aria-checked=${isOn}
      aria-label="${scopeWords[scope].name}: ${name}"
      title=${scopeWords[scope].means}
      ?disabled=${!this.#mcp.consent.canShow}
      @click=${turn}
    ></button>`;
  }

  #forgetButton(party: Party, name: string): TemplateResult {
    const forget = (event: Event) => {
      if (this.#byHand(event)) this.#mcp.grants.forget(party);
    };
    return html`<button type="button" class="plain" aria-label="Forget ${name}" @click=${forget}>Forget</button>`;
  }

  #connectForm(): TemplateResult {
    const isId = isExtensionId(this.typedId);
    const connect = (event: Event) => {
      if (!this.#byHand(event) || !isId) return;
      const party: Party = { kind: 'extension', id: this.typedId };
      // Asking again about one that was refused is the person's own wish here.
      if (this.#mcp.grants.shunned(party)) this.#mcp.grants.forget(party);
      this.#mcp.consent.reconsider(party);
      void this.#mcp.consent.askAccess(party, 'read', undefined);
      this.typedId = '';
    };
    return html`<div class="grants-connect">
      <label for="extension-id">Extension id</label>
      <input
        id="extension-id"
        autocomplete="off"
        spellcheck="false"
        placeholder="32 letters, from the browser’s page of extensions"
        .value=${this.typedId}
        @input=${(event: Event) => (this.typedId = (event.target as HTMLInputElement).value.trim())}
      />
      <button type="button" ?disabled=${!isId || !this.#mcp.consent.canShow} @click=${connect}>Connect</button>
    </div>`;
  }

  #postponed(): TemplateResult | typeof nothing {
    const { postponed } = this.#mcp.consent;
    if (postponed.length === 0) return nothing;
    return html`<section aria-labelledby="grants-postponed">
      <h2 id="grants-postponed">Put off</h2>
      <ul class="grants-postponed">
        ${postponed.map(
          (party) =>
            html`<li>
              <bdi>${partyName(party)}</bdi>
              <button type="button" @click=${() => this.#askAgain(party)}>Answer now</button>
            </li>`,
        )}
      </ul>
    </section>`;
  }

  #askAgain(party: Party): void {
    this.#mcp.consent.reconsider(party);
    void this.#mcp.consent.askAccess(party, 'read', undefined);
  }

  /** A script can click too, and a page around this one can make a person click: neither decides anything. */
  #byHand(event: Event): boolean {
    return event.isTrusted && this.#mcp.consent.canShow;
  }
}

function table(rows: TemplateResult[]): TemplateResult {
  return html`<table class="grants-table">
    <thead>
      <tr>
        <th scope="col">Who</th>
        ${scopes.map((scope) => html`<th scope="col">${scopeWords[scope].name}</th>`)}
        <td></td>
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`;
}

customElements.define('st-grants', GrantsPanel);
