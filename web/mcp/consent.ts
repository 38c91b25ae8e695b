/**
 * Consent: the questions that wait for the person, one at a time, and their answers. Only a trusted event, one that the
 * person's own hand made, answers a question; it draws nothing itself.
 */
import type { JsonObject } from '../../wasm/instance.ts';
import type { Grants } from './grants.ts';
import { type Party, sameParty, type Scope } from './party.ts';

/** The call that a question is about. */
export interface AskedCall {
  client: string;
  tool: string;
  /** The tool's name for people. */
  title: string;
  args: JsonObject;
}

/** access: may this party do so, from now on? once: may this one call go ahead? */
export type Question =
  | { kind: 'access'; id: number; party: Party; scope: Scope; call: AskedCall | undefined }
  | { kind: 'once'; id: number; party: Party; call: AskedCall };

/** `also`: what the person allows beyond what was asked. `later`: not now, and no more questions until the page is loaded again. */
export type Reply = { answer: 'allow'; also: Scope[] } | { answer: 'refuse' } | { answer: 'later' };

export type Outcome = 'allowed' | 'refused';

interface Waiting {
  question: Question;
  outcome: Promise<Outcome>;
  resolve(outcome: Outcome): void;
}

const waitingMax = 20;

export class Consent extends EventTarget {
  #grants: Grants;
  #canShow: boolean;
  #waiting: Waiting[] = [];
  #postponed: { party: Party; scope: Scope }[] = [];
  #lastId = 0;

  /** canShow: this window is a top-level one, where no other site can dress up what is asked. */
  constructor(grants: Grants, canShow: boolean) {
    super();
    this.#grants = grants;
    this.#canShow = canShow;
    grants.addEventListener('change', () => this.#settleDecided());
  }

  get canShow(): boolean {
    return this.#canShow;
  }

  /** What the person is asked now. */
  get current(): Question | undefined {
    return this.#waiting[0]?.question;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Those who asked and were put off until the page is loaded again. */
  get postponed(): Party[] {
    return this.#postponed.filter(({ scope }) => scope === 'read').map(({ party }) => party);
  }

  /** Resolves when the person has decided, here or in another tab, or when the signal aborts. */
  askAccess(party: Party, scope: Scope, call: AskedCall | undefined, signal?: AbortSignal): Promise<Outcome> {
    const decided = this.#decided(party, scope);
    if (decided) return Promise.resolve(decided);
    const same = this.#waiting.find(
      ({ question }) => question.kind === 'access' && question.scope === scope && sameParty(question.party, party),
    );
    return this.#wait(same ?? this.#enqueue({ kind: 'access', id: ++this.#lastId, party, scope, call }), signal);
  }

  /** Each time anew. In a frame there is nobody to ask in a way that can be trusted. */
  askOnce(party: Party, call: AskedCall, signal?: AbortSignal): Promise<Outcome> {
    if (!this.#canShow) return Promise.resolve('refused');
    return this.#wait(this.#enqueue({ kind: 'once', id: ++this.#lastId, party, call }), signal);
  }

  /** Says whether the answer counted. An untrusted event, a frame or a question that is no longer asked changes nothing. */
  answer(id: number, reply: Reply, event: Pick<Event, 'isTrusted'>): boolean {
    const waiting = this.#waiting[0];
    if (!event.isTrusted || !this.#canShow || !waiting || waiting.question.id !== id) return false;
    const { question } = waiting;
    if (question.kind === 'once') {
      this.#settle(waiting, reply.answer === 'allow' ? 'allowed' : 'refused');
      return true;
    }
    const { party, scope } = question;
    if (reply.answer === 'later') {
      this.#postponed.push({ party, scope });
      this.#settle(waiting, 'refused');
    } else {
      // Deciding settles this question, and those of others that the decision answers too.
      const allowed = reply.answer === 'allow' ? [...reply.also, scope] : [];
      this.#grants.decide(party, { [scope]: 'refused', ...Object.fromEntries(allowed.map((one) => [one, 'allowed'])) });
    }
    return true;
  }

  /** Lets someone who was put off ask again. */
  reconsider(party: Party): void {
    this.#postponed = this.#postponed.filter((postponed) => !sameParty(postponed.party, party));
    this.#changed();
  }

  #decided(party: Party, scope: Scope): Outcome | undefined {
    const decision = this.#grants.decisionOn(party, scope);
    if (decision) return decision;
    const postponed = this.#postponed.some((one) => one.scope === scope && sameParty(one.party, party));
    return postponed ? 'refused' : undefined;
  }

  #enqueue(question: Question): Waiting | undefined {
    if (this.#waiting.length >= waitingMax) return undefined;
    const { promise: outcome, resolve } = Promise.withResolvers<Outcome>();
    const waiting = { question, outcome, resolve };
    this.#waiting.push(waiting);
    this.#changed();
    return waiting;
  }

  async #wait(waiting: Waiting | undefined, signal: AbortSignal | undefined): Promise<Outcome> {
    if (!waiting) return 'refused';
    const { promise: givenUp, resolve: giveUp } = Promise.withResolvers<Outcome>();
    const leave = () => {
      giveUp('refused');
      // Nobody needs the answer for a call that was given up. The wish for access stays, since its answer is kept.
      if (waiting.question.kind === 'once') this.#settle(waiting, 'refused');
    };
    signal?.addEventListener('abort', leave, { once: true });
    if (signal?.aborted) leave();
    const outcome = await Promise.race([waiting.outcome, givenUp]);
    signal?.removeEventListener('abort', leave);
    return outcome;
  }

  #settleDecided(): void {
    for (const waiting of [...this.#waiting]) {
      if (waiting.question.kind !== 'access') continue;
      const decided = this.#grants.decisionOn(waiting.question.party, waiting.question.scope);
      if (decided) this.#settle(waiting, decided);
    }
    this.#changed();
  }

  #settle(waiting: Waiting, outcome: Outcome): void {
    this.#waiting = this.#waiting.filter((one) => one !== waiting);
    waiting.resolve(outcome);
    this.#changed();
  }

  #changed(): void {
    this.dispatchEvent(new Event('change'));
  }
}
