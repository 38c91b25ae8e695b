/**
 * PageShares: which links of a workspace show tables that lie in a home elsewhere, such as someone's browser. A link that was
 * ended here stays ended, whatever that home still sends.
 */
import type { SharedTable } from './table_copy.ts';

export interface KeyValues {
  get<T>(key: string): T | undefined;
  put<T>(key: string, value: T): void;
}

const sharesKey = 'page_shares';
const endedKey = 'page_shares_ended';
const endedMax = 1000;

type Kept = Record<string, Omit<SharedTable, 'token'>>;

export class PageShares {
  #kv: KeyValues;

  constructor(kv: KeyValues) {
    this.#kv = kv;
  }

  list(): SharedTable[] {
    return Object.entries(this.#kept()).map(([token, shared]) => ({ token, ...shared }));
  }

  has(token: string): boolean {
    return Object.hasOwn(this.#kept(), token);
  }

  isEnded(token: string): boolean {
    return (this.#kv.get<string[]>(endedKey) ?? []).includes(token);
  }

  note({ token, table, version }: SharedTable): void {
    this.#kv.put<Kept>(sharesKey, { ...this.#kept(), [token]: { table, version } });
  }

  end(token: string): void {
    const { [token]: _ended, ...others } = this.#kept();
    this.#kv.put<Kept>(sharesKey, others);
    this.#kv.put(endedKey, [...(this.#kv.get<string[]>(endedKey) ?? []), token].slice(-endedMax));
  }

  #kept(): Kept {
    return this.#kv.get<Kept>(sharesKey) ?? {};
  }
}
