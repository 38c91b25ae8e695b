/** Workspace: the Durable Object of one workspace, its core over its own SQLite. Whoever gets here was let in by the Worker. */
import { DurableObject } from 'cloudflare:workers';
import { type Answer, failed, type Tools } from '../../wasm/core.ts';
import type { ToolList } from '../../wasm/core.ts';
import { Agents } from '../handler/agents.ts';
import { handle } from '../handler/handler.ts';
import type { JsonObject } from '../../wasm/instance.ts';
import { RateLimit } from '../handler/rate_limit.ts';
import { tooMany } from '../handler/refusals.ts';
import type { ReceiptRuns } from '../handler/receipts.ts';
import type { PublicReceiptsAnswer, ReceiptsAnswer } from '../../wasm/views.ts';
import type { MissingBulk } from '../share/incoming.ts';
import { PageShares } from '../share/page_shares.ts';
import { Publisher } from '../share/publisher.ts';
import { fitsInLink } from '../share/receipt_link.ts';
import { pathOf, sharedTables, type SharedTable, type TableCopy } from '../share/table_copy.ts';
import { BudgetedCore } from './budgeted_core.ts';
import { edgeHost } from './edge_host.ts';
import { edgeHome } from './edge_home.ts';
import type { Env } from './env.ts';
import { admissionOf } from './internal_request.ts';
import { log, logCoreLine } from './log.ts';
import { budget, engineBytesMax, module } from './module.ts';
import { ObjectStore } from './object_store.ts';
import { shareName } from './share_name.ts';
import type { Share } from './share_object.ts';
import { signingKey } from './signing_key.ts';

// Reading all columns of a table takes about 70 KB a column, writing it a third.
const limits = { memory_bytes: engineBytesMax / 2, row_group_bytes: 4 << 20, import_bytes: 1 << 30, columns_max: 500 };
const readOnlyTools = new Set(['list_tables', 'describe_table', 'table_history']);
const publishedKey = 'published';
const sqlTokensKey = 'sql_tokens';
const publishAgainMs = 30_000;
const receiptsListed = 200;
const mcpOptions = { unknownSessions: 'stateless' } as const;

/**
 * The tools depend on the module alone, so one engine's answer serves every workspace of the isolate. The answer and not the
 * promise of it: what waits for another object's promise may go on in that object's place, without its own storage.
 */
let toolList: ToolList | undefined;

export class Workspace extends DurableObject<Env> {
  #name: string;
  #store: ObjectStore;
  #publisher: Publisher;
  #pageShares: PageShares;
  #core: Promise<BudgetedCore>;
  #agents = new Map<string, Agents>();
  #rate = new RateLimit({ burst: 300, perSecond: 30 });

  /** Whoever has a receipt's link may have it run again, on this workspace's engine: seldom. */
  #runsRate = new RateLimit({ burst: 5, perSecond: 0.1 });
  #runs: ReceiptRuns = {
    pathOf: (tableId) => pathOf(this.#store, tableId),
    admit: (receipt) => this.#runsRate.take(receipt),
  };

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    this.#name = state.id.name ?? '';
    this.#store = new ObjectStore(state.storage);
    this.#publisher = this.#makePublisher();
    this.#pageShares = new PageShares(state.storage.kv);
    this.#core = this.#makeCore();
    this.#core.catch(() => {});
  }

  override async fetch(request: Request): Promise<Response> {
    const { base, access } = admissionOf(request);
    const retryAfterS = this.#rate.take(access?.id ?? 'stranger');
    if (retryAfterS > 0) return tooMany(retryAfterS);
    const core = await this.#core;
    return handle(request, {
      core,
      base,
      agents: this.#agentsAt(base, core),
      accessOf: () => access,
      asset: async () => undefined,
      runs: this.#runs,
    });
  }

  /** What is public, for the owner's page. */
  async shares(): Promise<(SharedTable & { allowsSql: boolean })[]> {
    const sqlTokens = this.#sqlTokens();
    return [...sharedTables(this.#store), ...this.#pageShares.list()].map((shared) => ({
      ...shared,
      allowsSql: sqlTokens.includes(shared.token),
    }));
  }

  /** Ends a public link at once, and then has the table forget it. */
  async endShare(token: string): Promise<void> {
    if (this.#pageShares.has(token)) return this.endPageShare(token);
    const shared = (await this.shares()).find((one) => one.token === token);
    await this.#publisher.end(token);
    if (shared) await (await this.#core).makePrivate(shared.table);
    log('share_ended', { workspace: this.#name });
  }

  /** Lets readers of a link bring a SELECT of their own, or no longer. Counts once the public copy knows of it. */
  async allowSql(token: string, isAllowed: boolean): Promise<void> {
    const live = (await this.shares()).map((one) => one.token);
    const others = this.#sqlTokens().filter((one) => one !== token && live.includes(one));
    this.ctx.storage.kv.put(sqlTokensKey, isAllowed && live.includes(token) ? [...others, token] : others);
    if (this.#pageShares.has(token)) await this.#shareAt(token).allowSql(isAllowed);
    else await this.#publish();
  }

  /**
   * Makes a table public that lies in a home elsewhere: answers what of it has to arrive first, nothing once it is public, and
   * undefined if this link was ended here.
   */
  async publishPageShare(copy: TableCopy): Promise<MissingBulk[] | undefined> {
    const { token, table, version } = copy;
    const isOwn = sharedTables(this.#store).some((shared) => shared.token === token);
    if (this.#pageShares.isEnded(token) || isOwn) return undefined;
    const allowsSql = this.#sqlTokens().includes(token);
    const missing = await this.#shareAt(token).publishArrived({ ...copy, allowsSql });
    if (missing.length === 0) this.#pageShares.note({ token, table: table.path, version: version.version });
    return missing;
  }

  async endPageShare(token: string): Promise<void> {
    if (sharedTables(this.#store).some((shared) => shared.token === token)) return;
    await this.#shareAt(token).end();
    this.#pageShares.end(token);
    log('share_ended', { workspace: this.#name });
  }

  #shareAt(token: string): DurableObjectStub<Share> {
    return this.env.SHARE.getByName(shareName(this.#name, token));
  }

  #sqlTokens(): string[] {
    return this.ctx.storage.kv.get<string[]>(sqlTokensKey) ?? [];
  }

  /** Receipts, newest first, for whoever may withdraw them. `base`: where their links begin. */
  async receipts(base: string): Promise<PublicReceiptsAnswer> {
    const owner = { author: 'owner', read: true, write: false, share: false, origin: '' };
    const { value } = await (await this.#core).view('list_receipts', { limit: receiptsListed }, owner);
    const { receipts, total } = value as unknown as ReceiptsAnswer;
    return { receipts: receipts.map((one) => ({ ...one, in_link: fitsInLink(this.#store, one.id, base) })), total };
  }

  /** From now on its link leads nowhere; what was copied or carried in a link cannot be recalled. */
  withdrawReceipt(id: string): void {
    this.#store.commit([{ sql: 'DELETE FROM receipts WHERE id = ?', params: [id] }]);
    log('receipt_withdrawn', { workspace: this.#name });
  }

  /** Comes after a publication that failed. */
  override async alarm(): Promise<void> {
    await this.#publish();
  }

  #makePublisher(): Publisher {
    const { kv } = this.ctx.storage;
    const published = {
      read: () => kv.get<Record<string, string>>(publishedKey) ?? {},
      write: (list: Record<string, string>) => kv.put(publishedKey, list),
    };
    // The name of a share's object starts with its workspace, so that no token reaches another workspace's.
    return new Publisher({
      store: this.#store,
      published,
      copyAt: (token) => this.#shareAt(token),
      allowsSql: (token) => this.#sqlTokens().includes(token),
    });
  }

  /** True if all public copies are where their tables are; if not, it is tried again after a while. */
  async #publish(): Promise<boolean> {
    try {
      await this.#publisher.sync();
      return true;
    } catch (error) {
      log('publish_failed', { workspace: this.#name, name: error instanceof Error ? error.name : typeof error });
      await this.ctx.storage.setAlarm(Date.now() + publishAgainMs);
      return false;
    }
  }

  /** A link leads somewhere from the moment it is answered; later versions follow before the call that made them ends. */
  async #withPublication(tool: string, args: JsonObject, answer: Answer): Promise<Answer> {
    if (answer.isError || readOnlyTools.has(tool) || (tool === 'query' && args.save_as === undefined)) return answer;
    if ((await this.#publish()) || tool !== 'share_table') return answer;
    return failed('unavailable', 'The public copy could not be made yet.', 'Call share_table again in a minute.');
  }

  async #makeCore(): Promise<BudgetedCore> {
    const { storage } = this.ctx;
    const home = edgeHome({
      key: await signingKey(this.env.STELE_SIGNING_KEY),
      allowPrivate: this.env.STELE_ALLOW_PRIVATE === 'true',
    });
    const options = {
      module,
      store: this.#store,
      host: edgeHost((line) => logCoreLine(this.#name, line)),
      home,
      limits,
      memoryBytesMax: engineBytesMax,
    };
    return new BudgetedCore(options, budget, () => storage.sync());
  }

  #agentsAt(base: string, core: BudgetedCore): Agents {
    const agents = this.#agents.get(base) ?? new Agents(this.#logged(core), base, mcpOptions);
    this.#agents.set(base, agents);
    return agents;
  }

  #logged(core: BudgetedCore): Tools {
    const tools = async () => (toolList ??= await core.tools());
    return {
      tools,
      call: async (tool, args, caller, options) => {
        const began = Date.now();
        const answer = await this.#withPublication(tool, args, await core.call(tool, args, caller, options));
        const isKnown = (await tools()).tools.some(({ name }) => name === tool);
        log('call', {
          workspace: this.#name,
          tool: isKnown ? tool : 'unknown',
          outcome: answer.isError ? String(answer.value.error) : 'ok',
          ms: Date.now() - began,
          heap_bytes: core.heapBytes(),
          ...budget.state(),
        });
        return answer;
      },
    };
  }
}
