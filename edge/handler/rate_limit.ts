/**
 * RateLimit: a bucket of requests for each caller that fills at a steady rate. It is kept in memory: an isolate that starts
 * anew forgives, and each isolate counts for itself.
 */

export interface Rate {
  /** How many at once after a pause. */
  burst: number;
  perSecond: number;
}

const callersMax = 10_000;

interface Bucket {
  tokens: number;
  at: number;
}

export class RateLimit {
  #rate: Rate;
  #buckets = new Map<string, Bucket>();

  constructor(rate: Rate) {
    this.#rate = rate;
  }

  /** Takes one from the caller's bucket. Answers 0, or the whole seconds until there is one again. */
  take(caller: string, now = Date.now()): number {
    const { burst, perSecond } = this.#rate;
    const kept = this.#buckets.get(caller) ?? { tokens: burst, at: now };
    const tokens = Math.min(burst, kept.tokens + ((now - kept.at) / 1000) * perSecond);
    const taken = tokens >= 1;
    this.#keep(caller, { tokens: taken ? tokens - 1 : tokens, at: now });
    return taken ? 0 : Math.max(1, Math.ceil((1 - tokens) / perSecond));
  }

  /** Those seen last stay; whoever falls out has a full bucket again, and had been quiet for longest. */
  #keep(caller: string, bucket: Bucket): void {
    this.#buckets.delete(caller);
    this.#buckets.set(caller, bucket);
    const [quietest] = this.#buckets.keys();
    if (this.#buckets.size > callersMax && quietest !== undefined) this.#buckets.delete(quietest);
  }
}
