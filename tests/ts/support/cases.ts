/** The files of tests/cases/checks, as every home plays them. */
import { readdirSync, readFileSync } from 'node:fs';
import type { Setting, Step } from './steps.ts';

export interface Check {
  check: string;
  holds: string;
  steps: Step[];
}

export interface Case extends Setting {
  case: string;
  checks: Check[];
}

const folder = new URL('../../cases/checks/', import.meta.url);

export const cases = readdirSync(folder)
  .sort()
  .map((name) => JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Case);

/** The cases that keep to the limits that homes set themselves. */
export const casesWithinLimits = cases.filter(({ limits }) => limits === undefined);
