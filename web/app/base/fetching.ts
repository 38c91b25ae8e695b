/**
 * Fetching: one question of a component at a time. It keeps the last answer while the next is on its way, shows nothing for
 * 100 ms, then what is being done with a way to cancel.
 */
import { html, nothing, type ReactiveController, type ReactiveControllerHost, type TemplateResult } from 'lit';
import type { Progress } from '../../../wasm/home.ts';
import { Refused } from './tables.ts';

const quietMs = 100;

export interface FetchingOptions {
  signal: AbortSignal;
  onProgress: (progress: Progress) => void;
}

export class Fetching<T> implements ReactiveController {
  value: T | undefined;
  error: Refused | undefined;
  #host: ReactiveControllerHost;
  #what: string;
  #aborting: AbortController | undefined;
  #progress: Progress | undefined;
  #isSlow = false;
  #isCancelled = false;

  constructor(host: ReactiveControllerHost, what: string) {
    this.#host = host;
    this.#what = what;
    host.addController(this);
  }

  get isBusy(): boolean {
    return this.#aborting !== undefined;
  }

  hostDisconnected(): void {
    this.#aborting?.abort();
    this.#aborting = undefined;
  }

  /** Answers what was fetched, or undefined if it failed, was cancelled or another question came after. */
  async run(work: (options: FetchingOptions) => Promise<T>): Promise<T | undefined> {
    this.#aborting?.abort();
    const aborting = new AbortController();
    this.#aborting = aborting;
    this.#isSlow = this.#isCancelled = false;
    this.#progress = undefined;
    const timer = setTimeout(() => this.#tell(aborting, () => (this.#isSlow = true)), quietMs);
    const onProgress = (progress: Progress) => this.#tell(aborting, () => (this.#progress = progress));
    try {
      const value = await work({ signal: aborting.signal, onProgress });
      if (this.#aborting !== aborting) return undefined;
      this.value = value;
      this.error = undefined;
      return value;
    } catch (error) {
      if (this.#aborting === aborting && !this.#isCancelled) this.error = refusedOf(error);
      return undefined;
    } finally {
      clearTimeout(timer);
      if (this.#aborting === aborting) {
        this.#aborting = undefined;
        this.#host.requestUpdate();
      }
    }
  }

  cancel(): void {
    this.#isCancelled = true;
    this.#aborting?.abort();
    this.#aborting = undefined;
    this.#host.requestUpdate();
  }

  clear(): void {
    this.value = this.error = undefined;
  }

  /** The bar, if there is something to wait for. */
  get bar(): TemplateResult | typeof nothing {
    if (!this.#aborting || !this.#isSlow) return nothing;
    return busyBar(this.#progress?.what || this.#what, this.#progress, () => this.cancel());
  }

  #tell(aborting: AbortController, change: () => void): void {
    if (this.#aborting !== aborting) return;
    change();
    this.#host.requestUpdate();
  }
}

export function busyBar(what: string, progress: Progress | undefined, cancel: () => void): TemplateResult {
  const share = progress && progress.total > 0 ? progress.done / progress.total : undefined;
  return html`<div class="busy" role="status">
    <progress value=${share ?? nothing} max="1" aria-label=${what}></progress>
    <span>${what}${share === undefined ? ' …' : `, ${Math.floor(share * 100)} %`}</span>
    <button type="button" class="plain" @click=${cancel}>Cancel</button>
  </div>`;
}

export function refusedOf(error: unknown): Refused {
  if (error instanceof Refused) return error;
  const answer = (error as { answer?: { error: string; message: string; hint: string } } | undefined)?.answer;
  return new Refused(answer ?? { message: error instanceof Error ? error.message : String(error) });
}

export function refusalShown(error: Refused): TemplateResult {
  return html`<div class="refusal" role="alert">
    <p>${error.message}</p>
    ${error.hint ? html`<p class="quiet">${error.hint}</p>` : nothing}
  </div>`;
}
