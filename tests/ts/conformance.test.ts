/** The desk's store and host keep what the ports promise: the suites of tests/conformance, run through the WASM border. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { NodeStore, StoreBusy } from '../../edge/desk/node_store.ts';
import { storePort } from '../../wasm/sql_store.ts';
import { type CheckResult, startSuites } from '../conformance/suites.ts';
import { builtModule, nodeHost } from './support/module.ts';
import { temporaryFolder } from './support/temporary.ts';

const suites = await startSuites(await builtModule('conformance'));
const memoryStore = new NodeStore(':memory:');
const storeResults = JSON.parse(suites.run_store_checks(storePort(memoryStore))) as CheckResult[];
const hostResults = JSON.parse(suites.run_host_checks(nodeHost)) as CheckResult[];

describe('the desk’s store', () => {
  test.each(storeResults)('$name', ({ failure }) => expect(failure).toBeNull());

  test('what was committed is there after reopening the file', () => {
    const file = join(temporaryFolder(), 'store.sqlite');
    const first = new NodeStore(file);
    suites.write_before_reopening(storePort(first));
    first.close();
    const again = new NodeStore(file);
    expect(suites.check_after_reopening(storePort(again))).toBe('');
    again.close();
  });

  test('a file that is open is refused as busy', () => {
    const file = join(temporaryFolder(), 'store.sqlite');
    const holder = new NodeStore(file);
    expect(() => new NodeStore(file)).toThrow(StoreBusy);
    holder.close();
    new NodeStore(file).close();
  });
});

describe('the desk’s host', () => {
  test.each(hostResults)('$name', ({ failure }) => expect(failure).toBeNull());
});
