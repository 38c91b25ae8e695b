/** Router: the one place that moves. Links of the app are followed without loading the page again; Back and reload work. */
import { hrefOf, type Place, placeOf } from './address.ts';

export class Router {
  #listener: (place: Place) => void;

  constructor(listener: (place: Place) => void) {
    this.#listener = listener;
    addEventListener('popstate', () => this.#tell());
    document.addEventListener('click', (event) => this.#follow(event));
  }

  get place(): Place {
    return placeOf(new URL(location.href));
  }

  go(place: Place): void {
    this.#move(hrefOf(place));
  }

  /** The same page with other words in its address, such as a search while it is typed: no step of its own for Back. */
  amend(place: Place): void {
    history.replaceState(null, '', hrefOf(place));
    this.#tell();
  }

  #move(href: string): void {
    if (href !== location.pathname + location.search) history.pushState(null, '', href);
    this.#tell();
  }

  #tell(): void {
    this.#listener(this.place);
  }

  #follow(event: MouseEvent): void {
    if (
      event.defaultPrevented ||
      event.button !== 0 ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      event.altKey
    )
      return;
    const link = (event.target as Element).closest?.('a');
    if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin) return;
    if (link.hash && link.pathname === location.pathname) return;
    if (placeOf(new URL(link.href)).page === 'nowhere') return;
    event.preventDefault();
    this.#move(link.pathname + link.search);
    scrollTo(0, 0);
  }
}
