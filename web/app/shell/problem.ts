/** <st-problem>: the store cannot be opened: what is wrong, that nothing was changed, and what can be done. */
import { html, nothing } from 'lit';
import type { Workspace, WorkspaceState } from '../../../worker/workspace.ts';
import { saveBlob } from '../base/download.ts';
import { Fetching, refusalShown } from '../base/fetching.ts';
import { LightElement } from '../base/light_element.ts';

export class Problem extends LightElement {
  static override properties = {
    workspace: { attribute: false },
    problem: { attribute: false },
    isSure: { state: true },
  };
  declare workspace: Workspace;
  declare problem: NonNullable<WorkspaceState['problem']>;
  declare private isSure: boolean;
  #doing = new Fetching<unknown>(this, 'Working on it');

  override render() {
    const { error, bar, isBusy } = this.#doing;
    return html`<div class="page">
      <h1>Your tables cannot be opened</h1>
      <div class="refusal" role="alert">
        <p>${this.problem.message}</p>
        <p class="quiet">${this.problem.hint}</p>
      </div>
      <p>Nothing was changed or removed.</p>
      <div class="actions">
        <button
          type="button"
          class="primary"
          ?disabled=${isBusy}
          @click=${() => this.#do(() => this.workspace.reopen())}
        >
          Try again
        </button>
        <button type="button" ?disabled=${isBusy} @click=${() => this.#do(() => this.#salvage())}>
          Export what can be read
        </button>
        <button type="button" ?disabled=${isBusy} @click=${() => (this.isSure = true)}>Start empty</button>
      </div>
      ${
        this.isSure
          ? html`<div class="note" role="alert">
              <span
                >An empty workspace takes this one's place; what cannot be opened is kept beside it, unchanged.</span
              >
              <button type="button" class="primary" @click=${() => this.#do(() => this.workspace.startEmpty())}>
                Start empty
              </button>
              <button type="button" @click=${() => (this.isSure = false)}>Leave it</button>
            </div>`
          : nothing
      }
      ${bar} ${error ? refusalShown(error) : nothing}
    </div>`;
  }

  #do(work: () => Promise<unknown>): void {
    void this.#doing.run(work);
  }

  async #salvage(): Promise<void> {
    for (const file of await this.workspace.salvage()) saveBlob(file.name, file);
  }
}

customElements.define('st-problem', Problem);
