/** The scenarios of tests/scenarios against the WASM module over the desk's store, as their README says. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ScenarioPlayer } from './support/scenario.ts';
import type { Setting, Step } from './support/steps.ts';

interface Scenario extends Setting {
  about: string;
  steps: Step[];
}

const folder = new URL('../scenarios/', import.meta.url);
const names = readdirSync(folder).filter((name) => name.endsWith('.json'));

describe('a scenario', () => {
  test.each(names)('%s', { timeout: 60_000 }, async (name) => {
    const scenario = JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Scenario;
    const player = new ScenarioPlayer(scenario);
    onTestFinished(() => player.close());
    expect(await player.play(scenario.steps)).toEqual([]);
  });
});
