/** <st-app>: the frame around every page: the ways between them, the page itself, what agents do, and what was just done. */
import { html, nothing, type TemplateResult } from 'lit';
import { baseAddress, under } from '../../base.ts';
import { createRef, ref } from 'lit/directives/ref.js';
import type { Workspace, WorkspaceState } from '../../../worker/workspace.ts';
import { hrefOf, type Place, placeOf } from '../base/address.ts';
import type { AgentPanels, AppContext, Notice } from '../base/context.ts';
import { looksLikeBackup } from '../base/download.ts';
import { refusedOf } from '../base/fetching.ts';
import { LightElement } from '../base/light_element.ts';
import { Router } from '../base/router.ts';
import { Tables } from '../base/tables.ts';
import type { Page } from '../base/page.ts';
import { keys, listenToKeys } from './keyboard.ts';
import './notices.ts';
import type { Notices } from './notices.ts';
import { pageOf, ready } from './pages.ts';
import './problem.ts';

const ways: [string, string, Place['page'][]][] = [
  ['', 'Tables', ['tables', 'table', 'trash']],
  ['query', 'Query', ['query']],
  ['import', 'Import', ['import']],
  ['receipts', 'Receipts', ['receipts', 'receipt']],
  ['shares', 'Shares', ['shares']],
  ['agents', 'Agents', ['agents']],
  ['storage', 'Storage', ['storage']],
];

const quietMs = 150;

export class App extends LightElement {
  static override properties = {
    place: { state: true },
    problem: { state: true },
    isSlow: { state: true },
    isDropping: { state: true },
    calls: { state: true },
    showsActivity: { state: true },
  };
  /** Undefined until the first page's element is there. */
  declare private place: Place | undefined;
  declare private problem: WorkspaceState['problem'];
  declare private isSlow: boolean;
  declare private isDropping: boolean;
  declare private calls: number;
  declare private showsActivity: boolean;
  #router: Router | undefined;
  #context: AppContext | undefined;
  #dropped: File | undefined;
  #coming: Place | undefined;
  #notices = createRef<Notices>();
  #help = createRef<HTMLDialogElement>();
  #main = createRef<HTMLElement>();

  constructor() {
    super();
    this.problem = null;
    this.isSlow = this.isDropping = false;
    this.calls = 0;
    this.showsActivity = true;
  }

  /** Shows the frame at once, the pages as soon as the store is open. */
  async start(opening: Promise<Workspace>, mounting: Promise<AgentPanels>): Promise<void> {
    this.#router = new Router((place) => void this.#arrive(place));
    const arriving = this.#arrive(this.#router.place);
    listenToKeys({
      help: () => this.#help.value!.showModal(),
      go: (href) => this.#router!.go(placeOf(new URL(href, location.href))),
    });
    this.#listenToDrops();
    // Grids and rows know no page: they tell in an event what was copied, where that has to be said.
    this.addEventListener('st-copied', (event) => {
      const { detail } = event as CustomEvent<string>;
      if (detail) this.#notices.value!.add({ text: detail });
    });
    const timer = setTimeout(() => (this.isSlow = true), quietMs);
    const workspace = await opening;
    await arriving;
    clearTimeout(timer);
    this.#context = this.#contextOf(workspace);
    this.problem = workspace.state.problem;
    workspace.onState(({ problem }) => (this.problem = problem));
    this.requestUpdate();
    const panels = await mounting;
    panels.onCall(() => (this.calls = panels.calls()));
    this.#context = { ...this.#context, panels };
    this.requestUpdate();
  }

  #contextOf(workspace: Workspace): AppContext {
    const notify = (notice: Notice) => this.#notices.value!.add(notice);
    return {
      workspace,
      tables: new Tables(workspace, baseAddress()),
      panels: undefined,
      notify,
      go: (place) => this.#router!.go(place),
      amend: (place) => this.#router!.amend(place),
      takeDropped: () => {
        const file = this.#dropped;
        this.#dropped = undefined;
        return file;
      },
      attempt: async (work) => {
        try {
          await work();
          return true;
        } catch (error) {
          const { message, hint } = refusedOf(error);
          notify({ text: `${message} ${hint}`, isError: true });
          return false;
        }
      },
    };
  }

  async #arrive(place: Place): Promise<void> {
    this.#coming = place;
    await ready(place);
    if (this.#coming !== place) return;
    const isOtherPage = place.page !== this.place?.page;
    this.place = place;
    if (isOtherPage && this.#context)
      void this.updateComplete.then(() => this.#main.value?.focus({ preventScroll: true }));
  }

  override render() {
    return html`<a class="skip" href="#main">Skip to the page</a>
      <header class="top">
        <a class="brand" href=${under('')} aria-label="Stele, all tables">Stele</a>
        <nav aria-label="Pages">
          ${ways.map(
            ([path, name, pages]) =>
              html`<a
                href=${under(path)}
                aria-current=${this.place && pages.includes(this.place.page) ? 'page' : nothing}
                >${name}</a
              >`,
          )}
        </nav>
        ${this.#activityButton()}
        <button
          type="button"
          class="plain help-button"
          aria-label="Keyboard help"
          @click=${() => this.#help.value!.showModal()}
        >
          ?
        </button>
      </header>
      <div class="frame">
        <main id="main" tabindex="-1" ${ref(this.#main)}>${this.#page()}</main>
        ${this.calls > 0 && this.showsActivity ? this.#activity() : nothing}
      </div>
      <st-notices ${ref(this.#notices)}></st-notices>
      ${this.#helpDialog()}
      ${this.isDropping ? html`<div class="drop-veil"><p>Drop to look at the file</p></div>` : nothing}`;
  }

  /** Nothing before the first call: most days nobody calls. */
  #activityButton() {
    if (this.calls === 0) return nothing;
    return html`<button
      type="button"
      class="plain activity-button"
      aria-pressed=${this.showsActivity ? 'true' : 'false'}
      @click=${() => (this.showsActivity = !this.showsActivity)}
    >
      Activity ${this.calls}
    </button>`;
  }

  #activity() {
    return html`<aside class="activity" aria-label="What agents do">${this.#context!.panels!.activity}</aside>`;
  }

  #page(): TemplateResult | typeof nothing {
    if (!this.#context || !this.place) {
      return this.isSlow
        ? html`<div class="busy" role="status">
            <progress aria-label="Opening your tables"></progress><span>Opening your tables …</span>
          </div>`
        : nothing;
    }
    if (this.problem)
      return html`<st-problem .workspace=${this.#context.workspace} .problem=${this.problem}></st-problem>`;
    return pageOf(this.place, this.#context);
  }

  override updated(): void {
    const page = this.#main.value?.firstElementChild as Partial<Page> | null | undefined;
    const heading = this.problem ? 'Cannot open' : page?.heading;
    this.querySelector('nav [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    document.title = heading && heading !== 'Tables' ? `${heading} · Stele` : 'Stele';
  }

  #helpDialog() {
    return html`<dialog class="help" aria-label="Keyboard" ${ref(this.#help)}>
      <h2>Keyboard</h2>
      <dl class="keys">
        ${keys.map(
          ([key, what]) =>
            html`<div>
              <dt><kbd>${key}</kbd></dt>
              <dd>${what}</dd>
            </div>`,
        )}
      </dl>
      <form method="dialog" class="actions"><button class="primary">Close</button></form>
    </dialog>`;
  }

  #listenToDrops(): void {
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true;
    addEventListener('dragover', (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      this.isDropping = true;
    });
    addEventListener('dragleave', (event) => {
      if (event.relatedTarget === null) this.isDropping = false;
    });
    addEventListener('drop', (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      this.isDropping = false;
      const file = event.dataTransfer?.files[0];
      if (file) void this.#take(file);
    });
  }

  /** A file goes to the page that knows what to do with it. */
  async #take(file: File): Promise<void> {
    const place: Place = (await looksLikeBackup(file)) ? { page: 'storage' } : { page: 'import', url: '' };
    this.#dropped = file;
    if (hrefOf(place) === location.pathname + location.search) this.#router!.amend(place);
    else this.#router!.go(place);
  }
}

customElements.define('st-app', App);

declare global {
  interface HTMLElementTagNameMap {
    'st-app': App;
  }
}
