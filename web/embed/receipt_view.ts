/**
 * What <stele-receipt> draws: a receipt, checked in the reader's own browser. Its src is a receipt's page at a Stele, its JSON
 * there or beside the page, or a link that carries it in its fragment.
 */
import { parseReceipt, receiptInFragment } from '../receipt/document.ts';
import { problemShown, receiptShown } from '../receipt/shown.ts';
import { verify } from '../receipt/verify.ts';
import { vouchedKeys } from '../receipt/vouching.ts';
import type { EmbeddedView, MakeView } from './embed.ts';
import { stylesheet } from './stylesheet.ts';
import css from './receipt.css?inline';

const sheet = stylesheet(css);

export const receiptView: MakeView = (host, root) => new ReceiptView(host, root);

class ReceiptView implements EmbeddedView {
  #host: HTMLElement;
  #body = document.createElement('div');
  #opening = new AbortController();

  constructor(host: HTMLElement, root: ShadowRoot) {
    this.#host = host;
    root.adoptedStyleSheets = [sheet];
    this.#body.setAttribute('part', 'receipt');
    root.replaceChildren(this.#body);
  }

  close(): void {
    this.#opening.abort();
  }

  update(): void {
    this.#opening.abort();
    const opening = (this.#opening = new AbortController());
    void this.#open(opening.signal);
  }

  async #open(signal: AbortSignal): Promise<void> {
    const src = this.#host.getAttribute('src') ?? '';
    const url = src && URL.canParse(src, document.baseURI) ? new URL(src, document.baseURI) : undefined;
    if (!url || !/^https?:$/.test(url.protocol))
      return this.#fail('The element names no receipt.', 'Write src="…".', undefined);
    this.#body.textContent = `Loading the receipt from ${url.host} …`;
    try {
      const isInLink = url.hash.length > 1;
      const found = isInLink ? receiptInFragment(url.hash.slice(1)) : await fetched(url, signal);
      const receipt = parseReceipt(found);
      const [verdict, vouching] = await Promise.all([verify(receipt.sealed), vouchedKeys(url.origin)]);
      if (signal.aborted) return;
      const place = { from: isInLink ? ('link' as const) : ('server' as const), host: url.host };
      const shown = receiptShown({
        ...{ receipt, verdict, link: pageOf(url) },
        place: vouching ? { ...place, vouching } : place,
      });
      this.#body.replaceChildren(...shown, source(url));
    } catch (error) {
      if (signal.aborted) return;
      const isNetwork = error instanceof TypeError;
      const message = isNetwork ? `${url.host} could not be reached.` : (error as Error).message;
      this.#fail(message, 'There may be no receipt there, or no longer.', url);
    }
  }

  #fail(message: string, hint: string, url: URL | undefined): void {
    const alert = document.createElement('div');
    alert.setAttribute('role', 'alert');
    alert.setAttribute('part', 'error');
    alert.append(...problemShown(message, hint), ...(url ? [source(url)] : []));
    this.#body.replaceChildren(alert);
  }
}

async function fetched(url: URL, signal: AbortSignal): Promise<unknown> {
  const json = url.pathname.endsWith('.json') ? url : new URL(`${url.pathname}.json`, url);
  const response = await fetch(json, { headers: { accept: 'application/json' }, signal });
  if (!response.ok) throw new Error(`${url.host} answered ${response.status}.`);
  return response.json().catch(() => {
    throw new Error('This is no receipt.');
  });
}

/** The receipt's page, where a Stele serves it. */
function pageOf(url: URL): string {
  return /\/r\/[\w-]+\.json$/.test(url.pathname) ? url.href.replace(/\.json(?=$|[?#])/, '') : url.href;
}

function source(url: URL): HTMLElement {
  const line = document.createElement('p');
  line.className = 'quiet';
  const link = document.createElement('a');
  link.href = pageOf(url);
  link.target = '_top';
  link.textContent = url.origin === location.origin ? url.pathname : url.host;
  link.setAttribute('part', 'source');
  line.append('From ', link);
  return line;
}
