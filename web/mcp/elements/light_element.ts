/**
 * A lit element without a tree of its own, so that the page's stylesheet and search reach it, which is drawn again whenever
 * something it shows has changed.
 */
import { LitElement } from 'lit';

export abstract class LightElement extends LitElement {
  #redraw = () => this.requestUpdate();

  /** What it shows: each tells of changes by a "change" event. */
  protected abstract get sources(): EventTarget[];

  override connectedCallback(): void {
    super.connectedCallback();
    for (const source of this.sources) source.addEventListener('change', this.#redraw);
  }

  override disconnectedCallback(): void {
    for (const source of this.sources) source.removeEventListener('change', this.#redraw);
    super.disconnectedCallback();
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }
}
