/**
 * The address that asks: a link to the page on which the person is asked about a party, for a frame that cannot ask itself
 * and for agents that want to be let in beforehand. Following it allows nothing.
 */
import * as v from 'valibot';
import type { Consent } from './consent.ts';
import { type Party, partySchema, type Scope, scopes } from './party.ts';

const scopeSchema = v.picklist(scopes);

export function askAddress(base: string, { kind, id }: Party, scope: Scope): string {
  return `${base}/agents?${new URLSearchParams({ ask: scope, kind, id })}`;
}

export function askAsAddressed(consent: Consent, search: string): void {
  const params = new URLSearchParams(search);
  const party = v.safeParse(partySchema, { kind: params.get('kind'), id: params.get('id') });
  const scope = v.safeParse(scopeSchema, params.get('ask'));
  if (party.success && scope.success) void consent.askAccess(party.output, scope.output, undefined);
}
