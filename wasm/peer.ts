/**
 * Peer: calls over a message port, both ways, with progress and cancelling. It knows nothing of what is called; the page's
 * worker and the desk's speak through it.
 */

/** A MessagePort of the web, or of worker_threads. */
export interface Port {
  postMessage(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
}

export interface PeerContext {
  signal: AbortSignal;
  report(progress: unknown): void;
}

export type Methods = Record<string, (args: never, context: PeerContext) => unknown>;

export interface PeerCallOptions {
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: never) => void) | undefined;
}

type Message =
  | { kind: 'call'; id: number; method: string; args: unknown }
  | { kind: 'cancel'; id: number }
  | { kind: 'progress'; id: number; progress: unknown }
  | { kind: 'value'; id: number; value: unknown }
  | { kind: 'failure'; id: number; failure: unknown };

interface Waiting {
  resolve(value: unknown): void;
  reject(error: unknown): void;
  onProgress: ((progress: never) => void) | undefined;
}

/** How errors travel: a class of its own on the other side is lost, so what matters goes as data. */
export interface FailureCodec {
  encode(error: unknown): unknown;
  decode(failure: unknown): unknown;
}

export class Peer {
  #port: Port;
  #methods: Methods;
  #failures: FailureCodec;
  #waiting = new Map<number, Waiting>();
  #serving = new Map<number, AbortController>();
  #lastId = 0;
  #closed: unknown;

  constructor(port: Port, methods: Methods, failures: FailureCodec) {
    this.#port = port;
    this.#methods = methods;
    this.#failures = failures;
    port.onMessage((message) => this.#receive(message as Message));
  }

  call<T>(method: string, args: unknown, options: PeerCallOptions = {}): Promise<T> {
    if (this.#closed) return Promise.reject(this.#closed as Error);
    const id = ++this.#lastId;
    const cancel = () => this.#port.postMessage({ kind: 'cancel', id } satisfies Message);
    const answer = new Promise<T>((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as (value: unknown) => void, reject, onProgress: options.onProgress });
    });
    this.#port.postMessage({ kind: 'call', id, method, args } satisfies Message);
    options.signal?.addEventListener('abort', cancel, { once: true });
    if (options.signal?.aborted) cancel();
    return answer.finally(() => {
      this.#waiting.delete(id);
      options.signal?.removeEventListener('abort', cancel);
    });
  }

  /** The other side is gone: what waits for it fails with `reason`, what was done for it is aborted. */
  close(reason: unknown): void {
    this.#closed = reason;
    for (const waiting of this.#waiting.values()) waiting.reject(reason);
    for (const serving of this.#serving.values()) serving.abort();
  }

  #receive(message: Message): void {
    switch (message.kind) {
      case 'call':
        void this.#serve(message.id, message.method, message.args);
        break;
      case 'cancel':
        this.#serving.get(message.id)?.abort();
        break;
      case 'progress':
        this.#waiting.get(message.id)?.onProgress?.(message.progress as never);
        break;
      case 'value':
        this.#waiting.get(message.id)?.resolve(message.value);
        break;
      case 'failure':
        this.#waiting.get(message.id)?.reject(this.#failures.decode(message.failure));
        break;
    }
  }

  async #serve(id: number, method: string, args: unknown): Promise<void> {
    const aborting = new AbortController();
    this.#serving.set(id, aborting);
    const report = (progress: unknown) => this.#port.postMessage({ kind: 'progress', id, progress } satisfies Message);
    try {
      const serve = this.#methods[method];
      if (!serve) throw new Error(`no method ${method}`);
      const value = await serve(args as never, { signal: aborting.signal, report });
      this.#port.postMessage({ kind: 'value', id, value } satisfies Message);
    } catch (error) {
      this.#port.postMessage({ kind: 'failure', id, failure: this.#failures.encode(error) } satisfies Message);
    } finally {
      this.#serving.delete(id);
    }
  }
}
