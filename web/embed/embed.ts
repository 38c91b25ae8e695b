/**
 * The one script of an embedding page: <stele-table> and <stele-receipt>. What draws them is loaded when the first of them is on
 * the page; each draws in a shadow root of its own, so that neither page's styles reach the other.
 */

/** What fills an element: told when it comes onto the page, when an attribute changed, and when it leaves. */
export interface EmbeddedView {
  update(): void;
  close(): void;
}

export type MakeView = (host: HTMLElement, root: ShadowRoot) => EmbeddedView;

abstract class Embedded extends HTMLElement {
  #view: EmbeddedView | undefined;
  #isPending = false;

  protected abstract load(): Promise<MakeView>;

  connectedCallback(): void {
    void this.load().then((make) => {
      if (!this.isConnected || this.#view) return;
      this.#view = make(this, this.shadowRoot ?? this.attachShadow({ mode: 'open' }));
      this.#view.update();
    });
  }

  disconnectedCallback(): void {
    this.#view?.close();
    this.#view = undefined;
  }

  /** Several attributes that are set at once are one change. */
  attributeChangedCallback(): void {
    if (!this.#view || this.#isPending) return;
    this.#isPending = true;
    queueMicrotask(() => {
      this.#isPending = false;
      this.#view?.update();
    });
  }
}

class SteleTable extends Embedded {
  static readonly observedAttributes = [
    ...['src', 'type', 'columns', 'sort', 'filter', 'page-size', 'height', 'label'],
  ];

  protected async load(): Promise<MakeView> {
    return (await import('./table_view.ts')).tableView;
  }
}

class SteleReceipt extends Embedded {
  static readonly observedAttributes = ['src'];

  protected async load(): Promise<MakeView> {
    return (await import('./receipt_view.ts')).receiptView;
  }
}

// A page may have the script twice, in two versions even: the first one serves.
if (!customElements.get('stele-table')) customElements.define('stele-table', SteleTable);
if (!customElements.get('stele-receipt')) customElements.define('stele-receipt', SteleReceipt);
