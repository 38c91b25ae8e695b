/** One party's MCP server behind a gate, for a client of either era. It is made when the first message is let through. */
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import type { Tools } from '../../wasm/core.ts';
import type { ErrorAnswer } from '../../wasm/instance.ts';
import { GatedTools, type House } from './gated_tools.ts';
import { type Gate, GuardedTransport } from './guarded_transport.ts';
import { type Party, partyName } from './party.ts';
import { RefusingTools } from './refusing_tools.ts';

/** Serves until the transport is closed. `post` sends to the client. */
export function serveParty(house: House, party: Party, post: (message: JSONRPCMessage) => void): GuardedTransport {
  return serve(new GatedTools(house, party), gateOf(house, party), post);
}

/** Where no tables can be had: every client is let in and told so. */
export function serveUnavailable(base: string, post: (message: JSONRPCMessage) => void): GuardedTransport {
  return serve(new RefusingTools(framedAnswer(base)), openGate, post);
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

/** Browsers give a frame inside a page of another site no storage of the tables' own. */
function framedAnswer(base: string): ErrorAnswer {
  return {
    error: 'storage_unavailable',
    message: 'Inside a page of another site the browser keeps the tables’ storage from this frame.',
    hint: `Open ${base}/ in a window of its own with window.open, and connect to that window in the same way.`,
  };
}
