/**
 * Grants: what each party may do, remembered in this browser and read again at every call, so that withdrawing in one tab
 * counts in all at once. It asks nobody; consent.ts does.
 */
import * as v from 'valibot';
import { type Party, partySchema, sameParty, type Scope } from './party.ts';

export type Decision = 'allowed' | 'refused';

const decision = v.optional(v.picklist(['allowed', 'refused']));
const grantSchema = v.object({
  party: partySchema,
  read: decision,
  write: decision,
  share: decision,
  /** Milliseconds since 1970: when the person last decided. */
  decidedAt: v.number(),
});
export type Grant = v.InferOutput<typeof grantSchema>;

/** The part of localStorage that is needed. */
export type KeyValueStore = Pick<Storage, 'getItem' | 'setItem'>;

const key = 'stele.grants';

export class Grants extends EventTarget {
  #store: KeyValueStore;

  constructor(store: KeyValueStore) {
    super();
    this.#store = store;
  }

  /** What a damaged entry said is unknown, and the unknown is not allowed: it is left out. */
  list(): Grant[] {
    const entries = parsed(this.#store.getItem(key));
    return entries.flatMap((entry) => {
      const grant = v.safeParse(grantSchema, entry);
      return grant.success ? [grant.output] : [];
    });
  }

  decisionOn(party: Party, scope: Scope): Decision | undefined {
    return this.list().find((grant) => sameParty(grant.party, party))?.[scope];
  }

  allows(party: Party, scope: Scope): boolean {
    return this.decisionOn(party, scope) === 'allowed';
  }

  /** May be answered at all. */
  admits(party: Party): boolean {
    return (['read', 'write', 'share'] as const).some((scope) => this.allows(party, scope));
  }

  /** Whoever was refused reading, or had it withdrawn, is not asked about again. */
  shunned(party: Party): boolean {
    return !this.admits(party) && this.decisionOn(party, 'read') === 'refused';
  }

  decide(party: Party, decisions: Partial<Record<Scope, Decision>>): void {
    const others = this.list().filter((grant) => !sameParty(grant.party, party));
    const before = this.list().find((grant) => sameParty(grant.party, party));
    this.#write([...others, { ...before, ...decisions, party, decidedAt: Date.now() }]);
  }

  withdraw(party: Party): void {
    this.decide(party, { read: 'refused', write: 'refused', share: 'refused' });
  }

  /** As if the party had never been heard of: it may ask again. */
  forget(party: Party): void {
    this.#write(this.list().filter((grant) => !sameParty(grant.party, party)));
  }

  /** Another tab decided. */
  heedOtherTabs(target: EventTarget): void {
    target.addEventListener('storage', (event) => {
      const changed = (event as StorageEvent).key;
      if (changed === key || changed === null) this.#changed();
    });
  }

  #write(grants: Grant[]): void {
    this.#store.setItem(key, JSON.stringify(grants));
    this.#changed();
  }

  #changed(): void {
    this.dispatchEvent(new Event('change'));
  }
}

function parsed(text: string | null): unknown[] {
  try {
    const value: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
