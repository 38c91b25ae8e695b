/**
 * GatedTools: the tools as one party may use them. Every call is checked against what the person allows at that moment, asks
 * for what is missing, and is written into the activity. It holds no grant itself.
 */
import {
  type Answer,
  type Caller,
  type CallOptions,
  type CoreApi,
  failed,
  type ToolDefinition,
  type ToolList,
  type Tools,
} from '../../wasm/core.ts';
import type { JsonObject } from '../../wasm/instance.ts';
import type { Activity, Entry } from './activity.ts';
import type { AskedCall, Consent } from './consent.ts';
import type { Grants } from './grants.ts';
import { authorOf, type Party, partyName, type Scope, scopes } from './party.ts';

/** What all parties share. */
export interface House {
  core: CoreApi;
  grants: Grants;
  consent: Consent;
  activity: Activity;
  /** Where links in answers begin. */
  base: string;
}

export class GatedTools implements Tools {
  #house: House;
  #party: Party;

  constructor(house: House, party: Party) {
    this.#house = house;
    this.#party = party;
  }

  tools(): Promise<ToolList> {
    return this.#house.core.tools();
  }

  /** `caller.author` is the client's own name for itself; the scopes come from the grants alone. */
  async call(tool: string, args: JsonObject, caller: Caller, options: CallOptions = {}): Promise<Answer> {
    const { activity } = this.#house;
    const entry = activity.begin(this.#party, caller.author, tool, args);
    const withdrawn = this.#untilWithdrawn();
    const signal = options.signal ? AbortSignal.any([options.signal, withdrawn.signal]) : withdrawn.signal;
    const answer = await this.#answer(entry, {
      ...options,
      signal,
      onProgress: (progress) => {
        activity.set(entry, { progress });
        options.onProgress?.(progress);
      },
    }).catch((error: unknown) => failed('internal', `The call failed: ${String(error)}`, 'Call again.'));
    withdrawn.forget();
    activity.end(entry, answer);
    return answer;
  }

  async #answer(entry: Entry, options: CallOptions & { signal: AbortSignal }): Promise<Answer> {
    const { core, grants } = this.#house;
    if (!grants.admits(this.#party)) return this.#forbidden('read');
    const { tool, args, client } = entry;
    const definition = (await core.tools()).tools.find(({ name }) => name === tool);
    const call: AskedCall = { client, tool, title: String(definition?.title ?? tool), args };
    if (isDestructive(definition) && !(await this.#confirmed(entry, call, options.signal))) {
      return failed('refused', `The person did not let this call of ${tool} go ahead.`, this.#whereToAsk());
    }
    // One refusal for each scope at most, since the core names the scope that is missing.
    for (let asked = 0; asked <= scopes.length; ++asked) {
      const answer = await core.call(tool, args, this.#caller(client), options);
      const missing = missingScope(answer);
      if (!missing || grants.allows(this.#party, missing)) return answer;
      if (!(await this.#allowed(entry, missing, call, options.signal))) return this.#forbidden(missing);
    }
    return failed('internal', 'The scopes that this call needs cannot be found out.', 'Call another tool.');
  }

  #caller(client: string): Caller {
    const may = (scope: Scope) => this.#house.grants.allows(this.#party, scope);
    return {
      author: authorOf(this.#party, client),
      read: may('read'),
      write: may('write'),
      share: may('share'),
      origin: this.#house.base,
    };
  }

  #confirmed(entry: Entry, call: AskedCall, signal: AbortSignal): Promise<boolean> {
    return this.#waitFor(entry, () => this.#house.consent.askOnce(this.#party, call, signal));
  }

  #allowed(entry: Entry, scope: Scope, call: AskedCall, signal: AbortSignal): Promise<boolean> {
    return this.#waitFor(entry, () => this.#house.consent.askAccess(this.#party, scope, call, signal));
  }

  async #waitFor(entry: Entry, ask: () => Promise<'allowed' | 'refused'>): Promise<boolean> {
    this.#house.activity.set(entry, { state: 'waiting' });
    const outcome = await ask();
    this.#house.activity.set(entry, { state: 'running' });
    return outcome === 'allowed';
  }

  #forbidden(scope: Scope): Answer {
    const deed = { read: 'read tables', write: 'change tables', share: 'publish receipts or tables' }[scope];
    return failed('forbidden', `${partyName(this.#party)} may not ${deed} here.`, this.#whereToAsk());
  }

  #whereToAsk(): string {
    return 'Only the person can allow it, on the page of the tables, under Agents. Do not repeat the call before they have.';
  }

  /** Aborts as soon as the person takes something away from the party, in this tab or another. */
  #untilWithdrawn(): { signal: AbortSignal; forget(): void } {
    const { grants } = this.#house;
    const withdrawing = new AbortController();
    const held = scopes.filter((scope) => grants.allows(this.#party, scope));
    const look = () => {
      if (held.some((scope) => !grants.allows(this.#party, scope))) withdrawing.abort();
    };
    grants.addEventListener('change', look);
    return { signal: withdrawing.signal, forget: () => grants.removeEventListener('change', look) };
  }
}

function isDestructive(definition: ToolDefinition | undefined): boolean {
  return (definition?.annotations as JsonObject | undefined)?.destructiveHint === true;
}

/** The core refuses before it does anything, and names the scope in quotes. */
function missingScope({ value, isError }: Answer): Scope | undefined {
  if (!isError || value.error !== 'forbidden') return undefined;
  const named = /"(read|write|share)"/.exec(String(value.message))?.[1];
  return scopes.find((scope) => scope === named);
}
