/**
 * Share: the Durable Object of one public link. It holds a copy of one table's latest version and serves it to strangers with
 * an engine of its own, so that none of them runs on the workspace's. Only the Worker and the workspace reach it.
 */
import { DurableObject } from 'cloudflare:workers';
import type { CoreApi } from '../../wasm/core.ts';
import { RateLimit } from '../handler/rate_limit.ts';
import { web } from '../handler/web.ts';
import type { SqlAllowance } from '../handler/shared_sql.ts';
import { tooManyReaders } from '../handler/shared_rows.ts';
import { endedShare, type Kept } from '../handler/shared_table.ts';
import { Gate } from '../share/gate.ts';
import { forgetIncoming, incomingReader, keepChunk, missingOf, type MissingBulk } from '../share/incoming.ts';
import { receiveCopy } from '../share/receive_copy.ts';
import { heldShare, type ReadChunk, type TableCopy } from '../share/table_copy.ts';
import { BudgetedCore } from './budgeted_core.ts';
import { edgeHost } from './edge_host.ts';
import { edgeHome } from './edge_home.ts';
import type { Env } from './env.ts';
import { admissionOf } from './internal_request.ts';
import { logCoreLine } from './log.ts';
import { budget, engineBytesMax, module } from './module.ts';
import { ObjectStore } from './object_store.ts';

const profileKey = 'profile';
const allowsSqlKey = 'allows_sql';
// A value of an object's storage is 2 MB at most; a profile of 250 columns is far below.
const profileCharsMax = 500_000;
const limits = { memory_bytes: engineBytesMax / 2 };

/** What follows the token, as in /w/NAME/s/TOKEN/rows. */
function restOf({ url }: Request): string {
  return new URL(url).pathname.split('/').slice(5).join('/');
}

export class Share extends DurableObject<Env> {
  #store: ObjectStore;
  #core: BudgetedCore;
  #gate = new Gate();
  /** The profile of the latest version, which takes a look at all rows. */
  #kept: Kept = {
    read: (key) => {
      const kept = this.ctx.storage.kv.get<{ key: string; text: string }>(profileKey);
      return kept?.key === key ? kept.text : undefined;
    },
    write: (key, text) => {
      if (text.length < profileCharsMax) this.ctx.storage.kv.put(profileKey, { key, text });
    },
  };
  // A stranger's SELECT may take ten seconds of the engine, so that there are few.
  #queries = new RateLimit({ burst: 30, perSecond: 0.5 });
  #allowance: SqlAllowance = { admit: () => this.#queries.take('everyone') };
  // Of all who read this link together: what one table's engine can do.
  #rate = new RateLimit({ burst: 300, perSecond: 50 });

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    this.#store = new ObjectStore(state.storage);
    const options = {
      module,
      store: this.#store,
      host: edgeHost((line) => logCoreLine('share', line)),
      home: edgeHome({ key: undefined, allowPrivate: false }),
      limits,
      memoryBytesMax: engineBytesMax,
    };
    this.#core = new BudgetedCore(options, budget, () => state.storage.sync());
  }

  override async fetch(request: Request): Promise<Response> {
    const { base } = admissionOf(request);
    const held = heldShare(this.#store);
    if (!held) return endedShare(restOf(request));
    const retryAfterS = this.#rate.take('everyone');
    if (retryAfterS > 0) return tooManyReaders(retryAfterS);
    const serve = web({
      core: this.#gated(),
      base,
      asset: async () => undefined,
      mayRead: () => false,
      held,
      kept: this.#kept,
      allowance: this.ctx.storage.kv.get<boolean>(allowsSqlKey) === true ? this.#allowance : undefined,
    });
    return serve(request);
  }

  /** Makes this the public copy. `read` gives the bytes that this object lacks. */
  async publish(copy: TableCopy, read: ReadChunk): Promise<void> {
    await this.#gate.change(async () => {
      // The core makes the schema when it first opens the store, and must not be live while ids are given here.
      if (!heldShare(this.#store)) await this.#core.tools();
      this.#core.drop();
      await receiveCopy(this.#store, copy, read);
      this.ctx.storage.kv.put(allowsSqlKey, copy.allowsSql);
    });
  }

  /** The same from a home elsewhere, in steps: answers what has to arrive first, by keepChunk, or nothing once it is public. */
  async publishArrived(copy: TableCopy): Promise<MissingBulk[]> {
    if (!heldShare(this.#store)) await this.#gate.change(async () => void (await this.#core.tools()));
    const missing = await missingOf(this.#store, copy);
    if (missing.length > 0) return missing;
    await this.publish(copy, incomingReader(this.#store, copy));
    forgetIncoming(this.#store);
    return [];
  }

  keepChunk(sha256: string, n: number, bytes: Uint8Array): void {
    keepChunk(this.#store, sha256, n, bytes);
  }

  /** Of a copy whose table lies elsewhere; others bring it with them. */
  allowSql(isAllowed: boolean): void {
    this.ctx.storage.kv.put(allowsSqlKey, isAllowed);
  }

  /** Ends the link: nothing of the table stays. */
  async end(): Promise<void> {
    await this.#gate.change(async () => {
      this.#core.drop();
      await this.ctx.storage.deleteAll();
    });
  }

  #gated(): CoreApi {
    const core = this.#core;
    const read = <T>(work: () => Promise<T>) => this.#gate.read(work);
    return {
      tools: () => read(() => core.tools()),
      call: (...call) => read(() => core.call(...call)),
      view: (...call) => read(() => core.view(...call)),
      receipt: (id) => read(() => core.receipt(id)),
      shared: (token) => read(() => core.shared(token)),
      makePrivate: () => Promise.reject(new Error('a public copy is ended by its workspace')),
    };
  }
}
