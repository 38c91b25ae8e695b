/** Workspace: the Durable Object of one workspace, its core over its own SQLite. Whoever gets here was let in by the Worker. */
import { DurableObject } from 'cloudflare:workers';
import type { Tools } from '../../wasm/core.ts';
import type { ToolList } from '../../wasm/core.ts';
import { Agents } from '../handler/agents.ts';
import { handle } from '../handler/handler.ts';
import { RateLimit } from '../handler/rate_limit.ts';
import { tooMany } from '../handler/refusals.ts';
import { BudgetedCore } from './budgeted_core.ts';
import { edgeHost } from './edge_host.ts';
import { edgeHome } from './edge_home.ts';
import type { Env } from './env.ts';
import { admissionOf } from './internal_request.ts';
import { log, logCoreLine } from './log.ts';
import { budget, engineBytesMax, module } from './module.ts';
import { ObjectStore } from './object_store.ts';
import { signingKey } from './signing_key.ts';

const limits = { memory_bytes: engineBytesMax / 2, row_group_bytes: 4 << 20, import_bytes: 1 << 30 };
const mcpOptions = { unknownSessions: 'stateless' } as const;

/** The tools depend on the module alone, so one engine's answer serves every workspace of the isolate. */
let toolList: Promise<ToolList> | undefined;

export class Workspace extends DurableObject<Env> {
  #name: string;
  #core: Promise<BudgetedCore>;
  #agents = new Map<string, Agents>();
  #rate = new RateLimit({ burst: 300, perSecond: 30 });

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    this.#name = state.id.name ?? '';
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
    });
  }

  async #makeCore(): Promise<BudgetedCore> {
    const { storage } = this.ctx;
    const home = edgeHome({
      key: await signingKey(this.env.STELE_SIGNING_KEY),
      allowPrivate: this.env.STELE_ALLOW_PRIVATE === 'true',
    });
    const options = {
      module,
      store: new ObjectStore(storage),
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
    const tools = () => {
      toolList ??= core.tools();
      toolList.catch(() => (toolList = undefined));
      return toolList;
    };
    return {
      tools,
      call: async (tool, args, caller, options) => {
        const began = Date.now();
        const answer = await core.call(tool, args, caller, options);
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
