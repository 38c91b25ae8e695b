/** Page: what all pages have: their context, their place, and that they hear when tables changed elsewhere. */
import type { PropertyValues } from 'lit';
import type { Place } from './address.ts';
import type { AppContext } from './context.ts';
import { LightElement } from './light_element.ts';

export abstract class Page<P extends Place = Place> extends LightElement {
  static override properties = { context: { attribute: false }, place: { attribute: false } };
  declare context: AppContext;
  declare place: P;
  #unsubscribe: (() => void) | undefined;

  /** What the browser's tab says. */
  abstract get heading(): string;

  /** Asks for what the place shows. Called when the page opens, when its place changes and when tables changed. */
  protected abstract load(isChange: boolean): void;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#unsubscribe = this.context.workspace.onChange(() => this.load(true));
  }

  override disconnectedCallback(): void {
    this.#unsubscribe?.();
    super.disconnectedCallback();
  }

  override willUpdate(changed: PropertyValues): void {
    if (changed.has('place')) this.load(false);
  }
}
