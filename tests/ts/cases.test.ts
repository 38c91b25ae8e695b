/** The cases of tests/cases/checks against the WASM module over the desk's store: a test for each lettered check. */
import { afterAll, describe, expect, test } from 'vitest';
import { cases } from './support/cases.ts';
import { ScenarioPlayer } from './support/scenario.ts';

describe.each(cases)('case $case', (one) => {
  let player: ScenarioPlayer | undefined;
  afterAll(() => player?.close());
  // In order, on one store: a check may go on from what the one before it wrote.
  test.each(one.checks)('$check: $holds', { timeout: 120_000 }, async ({ steps }) => {
    player ??= new ScenarioPlayer(one);
    expect(await player.play(steps)).toEqual([]);
  });
});
