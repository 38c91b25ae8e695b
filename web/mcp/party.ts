/**
 * Party: who asks for the tables, as far as a browser can vouch for it. Origins come from event.origin, extensions from the
 * id that the page itself connected to; agents that come by WebMCP have no identity and are one party.
 */
import * as v from 'valibot';

export const scopes = ['read', 'write', 'share'] as const;
export type Scope = (typeof scopes)[number];

export const partySchema = v.variant('kind', [
  v.object({ kind: v.literal('origin'), id: v.pipe(v.string(), v.check(isOrigin)) }),
  v.object({ kind: v.literal('extension'), id: v.pipe(v.string(), v.check(isExtensionId)) }),
  v.object({ kind: v.literal('browser'), id: v.literal('') }),
]);
export type Party = v.InferOutput<typeof partySchema>;

/** This browser's agents: whoever reaches document.modelContext. */
export const browserParty: Party = { kind: 'browser', id: '' };

/** An origin that can be told apart from others: "null", which sandboxed frames and files send, cannot. */
export function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text;
}

/** As browsers of the Chromium family make them from an extension's key. */
export function isExtensionId(text: string): boolean {
  return /^[a-p]{32}$/.test(text);
}

export function sameParty(a: Party, b: Party): boolean {
  return a.kind === b.kind && a.id === b.id;
}

/** How a person reads it. */
export function partyName(party: Party): string {
  switch (party.kind) {
    case 'origin':
      return party.id;
    case 'extension':
      return `Extension ${party.id}`;
    case 'browser':
      return 'This browser’s agents';
  }
}

/** What a table's history says: the client's own claim first, then what the browser vouches for. */
export function authorOf(party: Party, clientName: string): string {
  if (party.kind === 'browser') return 'browser agent (WebMCP)';
  const via = party.kind === 'origin' ? party.id : `extension ${party.id}`;
  return clientName ? `${clientName} (${via})` : via;
}
