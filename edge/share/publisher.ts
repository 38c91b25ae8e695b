/**
 * Publisher: keeps the public copies of a workspace's shared tables where their tables are. Each has an object of its own,
 * named by workspace and token. It remembers which there are, so that a copy ends even if its table forgot the token meanwhile.
 */
import type { SqlStore } from '../../wasm/sql_store.ts';
import { digestOf } from '../auth/secrets.ts';
import { describeCopy, readChunk, type ReadChunk, sharedTables, type TableCopy } from './table_copy.ts';

export interface PublicCopy {
  publish(copy: TableCopy, read: ReadChunk): Promise<void>;
  end(): Promise<void>;
}

/** What is kept beside the store, by token: a digest of the copy that was published; empty while the first is on its way. */
export interface PublishedList {
  read(): Record<string, string>;
  write(published: Record<string, string>): void;
}

export interface PublisherOptions {
  store: SqlStore;
  published: PublishedList;
  copyAt(token: string): PublicCopy;
  /** Whether readers of this link may bring a SELECT of their own. */
  allowsSql(token: string): boolean;
  /** Whether this publisher is to make the table of this link public; all if left out. */
  concerns?(token: string): boolean;
}

export class Publisher {
  #store: SqlStore;
  #published: PublishedList;
  #copyAt: (token: string) => PublicCopy;
  #allowsSql: (token: string) => boolean;
  #concerns: (token: string) => boolean;
  #last: Promise<void> = Promise.resolve();

  constructor({ store, published, copyAt, allowsSql, concerns = () => true }: PublisherOptions) {
    this.#store = store;
    this.#published = published;
    this.#copyAt = copyAt;
    this.#allowsSql = allowsSql;
    this.#concerns = concerns;
  }

  /** Brings all copies to where their tables are now, one run after another. Throws what the first failure was. */
  sync(): Promise<void> {
    return this.#afterLast(async () => {
      const tokens = sharedTables(this.#store)
        .map(({ token }) => token)
        .filter((token) => this.#concerns(token));
      for (const token of Object.keys(this.#published.read())) if (!tokens.includes(token)) await this.#end(token);
      for (const token of tokens) await this.#publish(token);
    });
  }

  /** Ends one copy, before its table is made private. */
  end(token: string): Promise<void> {
    return this.#afterLast(() => this.#end(token));
  }

  async #publish(token: string): Promise<void> {
    const copy = describeCopy(this.#store, token, this.#allowsSql(token));
    if (!copy) return;
    const fingerprint = await digestOf(JSON.stringify(copy));
    const before = this.#published.read()[token];
    if (before === fingerprint) return;
    this.#note(token, before ?? '');
    await this.#copyAt(token).publish(copy, async (of, id, n) => readChunk(this.#store, of, id, n));
    this.#note(token, fingerprint);
  }

  async #end(token: string): Promise<void> {
    await this.#copyAt(token).end();
    const { [token]: _ended, ...others } = this.#published.read();
    this.#published.write(others);
  }

  #note(token: string, fingerprint: string): void {
    this.#published.write({ ...this.#published.read(), [token]: fingerprint });
  }

  #afterLast(work: () => Promise<void>): Promise<void> {
    const run = this.#last.then(work);
    this.#last = run.catch(() => {});
    return run;
  }
}
