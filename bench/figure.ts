/** Figures: what a subject measured against its target, and the small arithmetic that all subjects share. */

/** One ratio of the report, met if it is at most `target`; without one it is there to be seen. */
export interface Figure {
  subject: string;
  what: string;
  ratio: number;
  target: number | undefined;
  /** The measured values behind the ratio, in words. */
  from: string;
}

export interface Settings {
  /** The full number of versions rather than a fifth of it. */
  full: boolean;
}

export type Subject = (settings: Settings) => Promise<Figure[]>;

export function quantile(values: number[], share: number): number {
  const ascending = [...values].sort((a, b) => a - b);
  const value = ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * share))];
  if (value === undefined) throw new Error('no values');
  return value;
}

export const median = (values: number[]): number => quantile(values, 0.5);

export const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);

export async function timedMs(work: () => unknown): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

/** The times of all contenders, taken in turn, so that whatever else the machine does meets all of them alike. */
export async function inTurn(rounds: number, contenders: (() => Promise<number>)[]): Promise<number[]> {
  const times: number[][] = contenders.map(() => []);
  for (let round = 0; round < rounds; ++round) {
    for (const [i, contender] of contenders.entries()) times[i]!.push(await contender());
  }
  return times.map(median);
}

export const ms = (value: number): string => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
export const kb = (bytes: number): string => `${Math.round(bytes / 1000).toLocaleString('en')} kB`;
