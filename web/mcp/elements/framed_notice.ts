/** <st-framed>: why there are no tables inside a page of another site, and the window where they are. */
import { html, type TemplateResult } from 'lit';
import { LightElement } from './light_element.ts';

export class FramedNotice extends LightElement {
  protected override readonly sources: EventTarget[] = [];

  override render(): TemplateResult {
    return html`<div class="framed-notice">
      <p>Browsers keep your tables’ storage from frames inside pages of other sites.</p>
      <button type="button" class="primary" @click=${openWindow}>Open Stele in a window</button>
    </div>`;
  }
}

/** The window has no opener: it belongs to the person, not to the page around this frame, which can open one of its own. */
function openWindow(): void {
  open(location.href, '_blank', 'noopener');
}

customElements.define('st-framed', FramedNotice);
