/**
 * Agents: MCP for every access that asks, each with servers and sessions of its own, so that a token never goes on in a
 * session that another one opened.
 */
import type { Tools } from '../../wasm/core.ts';
import { type McpHttp, mcpHttp, type McpHttpOptions } from '../../wasm/mcp_http.ts';
import { mcpServerFactory } from '../../wasm/mcp_server.ts';
import { type Access, callerOf } from './access.ts';

const accessesMax = 100;

export class Agents {
  #core: Tools;
  #base: string;
  #options: McpHttpOptions;
  #servers = new Map<string, Promise<McpHttp>>();

  /** `base`: where the links in answers begin. */
  constructor(core: Tools, base: string, options: McpHttpOptions = {}) {
    this.#core = core;
    this.#base = base;
    this.#options = options;
  }

  async serve(request: Request, access: Access): Promise<Response> {
    return (await this.#serverFor(access)).fetch(request);
  }

  async close(): Promise<void> {
    const servers = [...this.#servers.values()];
    this.#servers.clear();
    await Promise.all(servers.map(async (server) => (await server).close()));
  }

  /** The server of this access, moved to the end of the line; the one unused for longest makes room. */
  #serverFor(access: Access): Promise<McpHttp> {
    const key = [access.id, ...access.scopes].join(' ');
    const server = this.#servers.get(key) ?? this.#start(access);
    this.#servers.delete(key);
    this.#servers.set(key, server);
    server.catch(() => this.#servers.delete(key));
    if (this.#servers.size > accessesMax) this.#endOldest();
    return server;
  }

  async #start(access: Access): Promise<McpHttp> {
    const callerFor = (client: string) => callerOf(access, client, this.#base);
    return mcpHttp(await mcpServerFactory(this.#core, callerFor), this.#options);
  }

  #endOldest(): void {
    const [oldest] = this.#servers.keys();
    const server = oldest === undefined ? undefined : this.#servers.get(oldest);
    if (oldest !== undefined) this.#servers.delete(oldest);
    void server?.then((ended) => ended.close()).catch(() => {});
  }
}
