/**
 * ExtensionServer: MCP over ports that this page opens to extensions by their ids. The browser delivers such a port to that
 * extension alone, which is what makes the id worth trusting; nobody can connect in.
 */
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import * as v from 'valibot';
import type { Grants } from './grants.ts';
import type { GuardedTransport } from './guarded_transport.ts';
import { isExtensionId } from './party.ts';

/** The part of chrome.runtime that a page sees once an extension names its address in externally_connectable. */
export interface ExtensionRuntime {
  connect(id: string, info: { name: string }): ExtensionPort;
  lastError?: { message?: string } | undefined;
}

export interface ExtensionPort {
  postMessage(message: unknown): void;
  disconnect(): void;
  onMessage: { addListener(listener: (message: unknown) => void): void };
  onDisconnect: { addListener(listener: () => void): void };
}

/** What an extension's content script posts into the page to say that it is there. Anyone can say it: it only makes the page ask. */
const helloSchema = v.object({
  type: v.literal('stele-extension'),
  id: v.pipe(v.string(), v.check(isExtensionId)),
});

interface Link {
  port: ExtensionPort;
  transport: GuardedTransport;
}

export interface ExtensionServerOptions {
  window: Window;
  grants: Grants;
  serve(id: string, post: (message: JSONRPCMessage) => void): GuardedTransport;
  /** Asks the person about an extension that said hello and is not known. */
  askAbout(id: string): Promise<unknown>;
}

const portName = 'mcp';
const retryMs = 5_000;

export class ExtensionServer extends EventTarget {
  #options: ExtensionServerOptions;
  #links = new Map<string, Link>();
  #retry: ReturnType<typeof setInterval>;
  #connectAll = () => this.#connectAllowed();
  #listen = (event: Event) => this.#heard(event as MessageEvent);

  constructor(options: ExtensionServerOptions) {
    super();
    this.#options = options;
    options.window.addEventListener('message', this.#listen);
    options.grants.addEventListener('change', this.#connectAll);
    // An extension's side of the port may come and go: its panel is opened later, its worker is put to sleep.
    this.#retry = setInterval(this.#connectAll, retryMs);
    this.#connectAllowed();
    // An extension that is waiting for pages says hello to this.
    options.window.postMessage({ type: 'stele-page' }, options.window.origin);
  }

  isConnected(id: string): boolean {
    return this.#links.has(id);
  }

  close(): void {
    clearInterval(this.#retry);
    this.#options.window.removeEventListener('message', this.#listen);
    this.#options.grants.removeEventListener('change', this.#connectAll);
    for (const id of [...this.#links.keys()]) this.#disconnect(id);
  }

  /** Only a script that runs in this page counts as a hello; whose it is does not matter, since the page connects out. */
  #heard({ data, source }: MessageEvent): void {
    const { window, grants, askAbout } = this.#options;
    if (source !== window) return;
    const hello = v.safeParse(helloSchema, data);
    if (!hello.success) return;
    const { id } = hello.output;
    if (grants.admits({ kind: 'extension', id })) this.#connect(id);
    else if (!grants.shunned({ kind: 'extension', id })) void askAbout(id);
  }

  #connectAllowed(): void {
    const { grants } = this.#options;
    const allowed = grants.list().flatMap(({ party }) => {
      return party.kind === 'extension' && grants.admits(party) ? [party.id] : [];
    });
    for (const id of this.#links.keys()) if (!allowed.includes(id)) this.#disconnect(id);
    for (const id of allowed) this.#connect(id);
  }

  #connect(id: string): void {
    const runtime = runtimeOf(this.#options.window);
    if (!runtime || this.#links.has(id)) return;
    let port: ExtensionPort;
    try {
      port = runtime.connect(id, { name: portName });
    } catch {
      // Not installed, or it does not name this page's address: the panel shows it as not reachable.
      return;
    }
    const transport = this.#options.serve(id, (message) => port.postMessage(message));
    this.#links.set(id, { port, transport });
    port.onMessage.addListener((message) => transport.receive(message));
    port.onDisconnect.addListener(() => {
      // Reading the error keeps the browser from logging it: nobody listening is no fault.
      void runtime.lastError;
      this.#forget(id);
    });
    this.dispatchEvent(new Event('change'));
  }

  #disconnect(id: string): void {
    this.#links.get(id)?.port.disconnect();
    this.#forget(id);
  }

  #forget(id: string): void {
    const link = this.#links.get(id);
    if (!link) return;
    this.#links.delete(id);
    void link.transport.close();
    this.dispatchEvent(new Event('change'));
  }
}

function runtimeOf(window: Window): ExtensionRuntime | undefined {
  const { chrome } = window as Window & { chrome?: { runtime?: ExtensionRuntime } };
  return chrome?.runtime?.connect ? chrome.runtime : undefined;
}
