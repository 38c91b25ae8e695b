/**
 * LightElement: a lit element that renders into the page itself, so that one stylesheet serves all, labels reach their fields,
 * and the page's search finds its words.
 */
import { LitElement } from 'lit';

export abstract class LightElement extends LitElement {
  protected override createRenderRoot(): HTMLElement {
    return this;
  }
}
