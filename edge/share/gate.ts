/** Gate: many read at once, or one changes what they read. Whoever wants to change waits for the reads that began before. */
export class Gate {
  #reading = new Set<Promise<unknown>>();
  #changing: Promise<unknown> = Promise.resolve();

  async read<T>(work: () => Promise<T>): Promise<T> {
    for (let seen: unknown; seen !== this.#changing;) {
      seen = this.#changing;
      await this.#changing;
    }
    const reading = work();
    const settled = reading.catch(() => {}).finally(() => this.#reading.delete(settled));
    this.#reading.add(settled);
    return reading;
  }

  change<T>(work: () => Promise<T>): Promise<T> {
    const changing = this.#changing.then(async () => {
      await Promise.all(this.#reading);
      return work();
    });
    this.#changing = changing.catch(() => {});
    return changing;
  }
}
