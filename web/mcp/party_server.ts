/** One party's MCP server behind a gate, for a client of either era. It is made when the first message is let through. */
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { type Answer, failed, type ToolList, type Tools } from '../../wasm/core.ts';
import { GatedTools, type House } from './gated_tools.ts';
import { type Gate, GuardedTransport } from './guarded_transport.ts';
import { type Party, partyName } from './party.ts';

/** Serves until the transport is closed. `post` sends to the client. */
export function serveParty(house: House, party: Party, post: (message: JSONRPCMessage) => void): GuardedTransport {
  return serve(new GatedTools(house, party), gateOf(house, party), post);
}

/** Where no tables can be had: every client is let in and told so. */
export function serveUnavailable(base: string, post: (message: JSONRPCMessage) => void): GuardedTransport {
  return serve(new UnavailableTools(base), openGate, post);
}

function serve(tools: Tools, gate: Gate, post: (message: JSONRPCMessage) => void): GuardedTransport {
  return new GuardedTransport({
    gate,
    post,
    attach: async (transport) => {
      const { serveConnection } = await import('./connection.ts');
      serveConnection(transport, tools);
    },
  });
}

function gateOf({ grants, consent }: House, party: Party): Gate {
  return {
    isOpen: () => grants.admits(party),
    ask: async (signal) => void (await consent.askAccess(party, 'read', undefined, signal)),
    refusal: () => ({
      error: 'forbidden',
      message: `${partyName(party)} may not use these tables.`,
      hint: 'Only the person can allow it, on the page of the tables, under Agents.',
    }),
  };
}

const openGate: Gate = {
  isOpen: () => true,
  ask: async () => {},
  refusal: () => ({ error: 'internal', message: 'The gate is shut.', hint: 'Connect again.' }),
};

/** What a frame inside a page of another site offers: browsers give it no storage of the tables' own. */
class UnavailableTools implements Tools {
  #base: string;

  constructor(base: string) {
    this.#base = base;
  }

  async tools(): Promise<ToolList> {
    const { message, hint } = this.#answer().value;
    return { tools: [], instructions: `storage_unavailable: ${String(message)} ${String(hint)}` };
  }

  async call(): Promise<Answer> {
    return this.#answer();
  }

  #answer(): Answer {
    return failed(
      'storage_unavailable',
      'Inside a page of another site the browser keeps the tables’ storage from this frame.',
      `Open ${this.#base}/ in a window of its own with window.open, and connect to that window in the same way.`,
    );
  }
}
