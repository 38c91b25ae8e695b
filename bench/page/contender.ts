/**
 * What the bench asks of each database in a page. A contender's page sets `window.contender`; those that need a worker of
 * their own serve themselves from it. None of them keeps anything but in the origin's own file system.
 */
import { Peer, type Port } from '../../wasm/peer.ts';

export interface Contender {
  /**
   * From the worker's start to the answer of a first query. `isDurable` opens a database that is kept. One that can list its
   * tables before it can query them answers when that was.
   */
  open(isDurable: boolean): Promise<{ listedAt: number } | void>;
  /** Makes a table of a CSV file with a header, from a file that a person chose. */
  importCsv(table: string, file: File): Promise<void>;
  /** Runs a query to its end and answers its number of rows. */
  query(sql: string): Promise<number>;
  /** Appends a row to a table of its own, kept when this resolves. */
  writeRow(n: number): Promise<void>;
}

declare global {
  interface Window {
    contender: Contender;
  }
}

const plainErrors = {
  encode: (error: unknown) => (error instanceof Error ? error.message : String(error)),
  decode: (failure: unknown) => new Error(String(failure)),
};

/** In a worker: answers the page. */
export function serveContender(contender: Contender): void {
  const port: Port = {
    postMessage: (message) => self.postMessage(message),
    onMessage: (listener) => self.addEventListener('message', ({ data }) => listener(data)),
  };
  const methods = {
    open: (isDurable: boolean) => contender.open(isDurable),
    importCsv: ([table, file]: [string, File]) => contender.importCsv(table, file),
    query: (sql: string) => contender.query(sql),
    writeRow: (n: number) => contender.writeRow(n),
  };
  new Peer(port, methods, plainErrors);
}

/** In the page: the contender that a worker serves, which starts when it is opened. */
export class ContenderInWorker implements Contender {
  #start: () => Worker;
  #peer: Peer | undefined;

  constructor(start: () => Worker) {
    this.#start = start;
  }

  open(isDurable: boolean): Promise<void> {
    const worker = this.#start();
    const port: Port = {
      postMessage: (message) => worker.postMessage(message),
      onMessage: (listener) => worker.addEventListener('message', ({ data }) => listener(data)),
    };
    this.#peer = new Peer(port, {}, plainErrors);
    return this.#peer.call('open', isDurable);
  }

  importCsv(table: string, file: File): Promise<void> {
    return this.#peer!.call('importCsv', [table, file]);
  }

  query(sql: string): Promise<number> {
    return this.#peer!.call('query', sql);
  }

  writeRow(n: number): Promise<void> {
    return this.#peer!.call('writeRow', n);
  }
}
