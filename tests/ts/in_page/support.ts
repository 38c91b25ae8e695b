/** A house without a page: grants in a map, a person who answers as told, and the official client at the other end. */
import { Client, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/client';
import type { CoreApi } from '../../../wasm/core.ts';
import { Activity } from '../../../web/mcp/activity.ts';
import { Consent, type Reply } from '../../../web/mcp/consent.ts';
import type { House } from '../../../web/mcp/gated_tools.ts';
import { Grants, type KeyValueStore } from '../../../web/mcp/grants.ts';
import type { GuardedTransport } from '../../../web/mcp/guarded_transport.ts';
import type { Party } from '../../../web/mcp/party.ts';

export const agent: Party = { kind: 'origin', id: 'https://agent.example' };
export const byHand = { isTrusted: true };
export const byScript = { isTrusted: false };

export class MapStore implements KeyValueStore {
  items = new Map<string, string>();

  getItem(key: string): string | null {
    return this.items.get(key) ?? null;
  }

  setItem(key: string, value: string): void {
    this.items.set(key, value);
  }
}

export function houseOf(core: CoreApi): House {
  const grants = new Grants(new MapStore());
  return { core, grants, consent: new Consent(grants, true), activity: new Activity(), base: 'https://home.example' };
}

/** Answers every question as it comes, and keeps what was asked. */
export function personWho(consent: Consent, reply: Reply): { asked: string[] } {
  const asked: string[] = [];
  consent.addEventListener('change', () => {
    const { current } = consent;
    if (!current) return;
    asked.push(current.kind === 'access' ? `${current.kind} ${current.scope}` : `${current.kind} ${current.call.tool}`);
    consent.answer(current.id, reply, byHand);
  });
  return { asked };
}

export type Serve = (post: (message: JSONRPCMessage) => void) => GuardedTransport;

/** The client's end; messages cross as a window or a port carries them: cloned, and later. */
class PairedTransport implements Transport {
  onclose?: () => void;
  onmessage?: Transport['onmessage'];
  #server: GuardedTransport;

  constructor(serve: Serve) {
    this.#server = serve((message) => {
      const cloned = structuredClone(message);
      setImmediate(() => this.onmessage?.(cloned));
    });
  }

  async start(): Promise<void> {}

  async send(message: JSONRPCMessage): Promise<void> {
    const cloned = structuredClone(message);
    setImmediate(() => this.#server.receive(cloned));
  }

  async close(): Promise<void> {
    await this.#server.close();
    this.onclose?.();
  }
}

export type Mode = 'legacy' | { pin: '2026-07-28' };

export async function connected(serve: Serve, mode: Mode = 'legacy'): Promise<Client> {
  const client = new Client({ name: 'tester', version: '9.8' }, { versionNegotiation: { mode } });
  await client.connect(new PairedTransport(serve));
  return client;
}
