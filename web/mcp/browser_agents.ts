/**
 * BrowserAgents: the tools as WebMCP, at document.modelContext, while the person lets this browser's agents in and not a
 * moment longer. The platform names no caller, so all of them are one party.
 */
import type { ToolDefinition } from '../../wasm/core.ts';
import type { JsonObject } from '../../wasm/instance.ts';
import { GatedTools, type House } from './gated_tools.ts';
import { browserParty } from './party.ts';

/** The part of WebMCP that is needed. */
interface ModelContext {
  registerTool(tool: WebTool, options: { signal: AbortSignal }): Promise<void> | void;
}

interface WebTool {
  name: string;
  title: string;
  description: string;
  inputSchema: JsonObject;
  annotations: { readOnlyHint: boolean; untrustedContentHint: boolean };
  execute(input: JsonObject): Promise<JsonObject>;
}

export class BrowserAgents {
  #house: House;
  #document: Document;
  #tools: GatedTools;
  #registered: AbortController | undefined;
  #heed = () => void this.#follow();

  constructor(house: House, document: Document) {
    this.#house = house;
    this.#document = document;
    this.#tools = new GatedTools(house, browserParty);
    house.grants.addEventListener('change', this.#heed);
    void this.#follow();
  }

  close(): void {
    this.#house.grants.removeEventListener('change', this.#heed);
    this.#withdraw();
  }

  async #follow(): Promise<void> {
    if (!this.#house.grants.admits(browserParty)) return this.#withdraw();
    if (this.#registered) return;
    const registering = new AbortController();
    this.#registered = registering;
    try {
      await this.#register(registering.signal);
    } catch (error) {
      // The next change of a grant tries again.
      if (this.#registered === registering) this.#withdraw();
      throw error;
    }
  }

  async #register(signal: AbortSignal): Promise<void> {
    const { tools } = await this.#tools.tools();
    const context = await modelContextOf(this.#document);
    for (const tool of tools) {
      if (signal.aborted) return;
      await context.registerTool(this.#webTool(tool), { signal });
    }
  }

  #withdraw(): void {
    this.#registered?.abort();
    this.#registered = undefined;
  }

  #webTool({ name, title, description, inputSchema, annotations }: ToolDefinition): WebTool {
    const caller = { author: '', read: false, write: false, share: false, origin: '' };
    return {
      name,
      title: typeof title === 'string' ? title : name,
      description,
      inputSchema,
      annotations: {
        readOnlyHint: (annotations as JsonObject | undefined)?.readOnlyHint === true,
        // Cells hold whatever was written into them, by whomever.
        untrustedContentHint: true,
      },
      // An error is an answer too: thrown, the agent would lose its kind and hint on the way.
      execute: async (input) => (await this.#tools.call(name, input, caller)).value,
    };
  }
}

async function modelContextOf(document: Document): Promise<ModelContext> {
  if (!('modelContext' in document)) {
    const { initializeWebMCPPolyfill } = await import('@mcp-b/webmcp-polyfill');
    initializeWebMCPPolyfill();
  }
  return (document as Document & { modelContext: ModelContext }).modelContext;
}
