/**
 * What a workspace serves over HTTP, in any home: MCP, pages, shared tables, receipts, health. It lets nobody in by itself:
 * `accessOf` says what a request may do, and the home has checked that before.
 */
import type { CoreApi } from '../../wasm/core.ts';
import type { Access } from './access.ts';
import type { Agents } from './agents.ts';
import type { ReceiptRuns } from './receipts.ts';
import { web } from './web.ts';

export interface HandlerEnv {
  core: CoreApi;
  /** Where links begin: an origin, at the edge with the workspace's path. */
  base: string;
  agents: Agents;
  /** What this request may do; undefined for a stranger, who gets what has an unguessable link and nothing else. */
  accessOf(request: Request): Access | undefined;
  /** How receipts are run again, where the home has its store at hand. */
  runs?: ReceiptRuns;
  /** A file of the pages by name, or undefined if there is none. */
  asset(name: string, request: Request): Promise<Response | undefined>;
}

export async function handle(request: Request, env: HandlerEnv): Promise<Response> {
  const at = new URL(env.base).pathname.replace(/\/$/, '');
  const { pathname } = new URL(request.url);
  switch (pathname.slice(at.length)) {
    case '/mcp': {
      const access = env.accessOf(request);
      return access ? env.agents.serve(request, access) : new Response(null, { status: 401 });
    }
    case '/health':
      return Response.json({ ok: true });
    default: {
      const mayRead = () => env.accessOf(request)?.scopes.includes('read') ?? false;
      const { core, base, asset, runs } = env;
      return web({ core, base, asset, mayRead, ...(runs ? { runs } : {}) })(request);
    }
  }
}
