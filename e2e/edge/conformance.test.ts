/** The edge's store and host keep what the ports promise: the suites of tests/conformance, in workerd, inside an object. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../tests/ts/support/temporary.ts';
import { conformanceBundle, conformanceConfig } from './support/global_setup.ts';
import { LocalEdge } from './support/local_edge.ts';

interface Result {
  name: string;
  failure: string | null;
}

const state = temporaryFolder(afterAll);
let edge: LocalEdge;

beforeAll(async () => {
  edge = await LocalEdge.start({ state, bundle: conformanceBundle, config: conformanceConfig });
});
afterAll(() => edge.kill());

const run = async (name: string) => (await fetch(`${edge.origin}/${name}`)).text();

describe.each(['store', 'host'])('the edge’s %s', (port) => {
  test('keeps every promise of its suite', async () => {
    const results = JSON.parse(await run(port)) as Result[];
    expect(results.length).toBeGreaterThan(5);
    expect(results.filter(({ failure }) => failure !== null)).toEqual([]);
  });
});

test('what was committed is there after the server was killed', async () => {
  await run('write');
  await edge.kill();
  await edge.start();
  expect(await run('check')).toBe('');
});
