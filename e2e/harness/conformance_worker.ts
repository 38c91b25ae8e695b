/** Runs the conformance suite over the page's own store, in a workspace of its own, and its part about reopening. */
import conformanceWasmUrl from '../../build/wasm/conformance.wasm?url';
import glue from '../../build/wasm/conformance.mjs';
import { storePort } from '../../wasm/sql_store.ts';
import { type CheckResult, startSuites } from '../../tests/conformance/suites.ts';
import { OpfsStore } from '../../worker/opfs_store.ts';
import { startSqlite } from '../../worker/sqlite.ts';
import { sqliteWasmUrl } from '../../worker/module.ts';
import { StoreFolder } from '../../worker/store_folder.ts';

async function run(): Promise<CheckResult[]> {
  const wasm = await WebAssembly.compileStreaming(fetch(conformanceWasmUrl));
  const suites = await startSuites({ glue, wasm });
  const folder = await StoreFolder.open('conformance');
  const generation = { name: await folder.nextGeneration(), files: [] };
  const opened = await OpfsStore.open(folder, generation, startSqlite(sqliteWasmUrl), true);
  const results = JSON.parse(suites.run_store_checks(storePort(opened.store))) as CheckResult[];
  suites.write_before_reopening(storePort(opened.store));
  opened.close();
  const again = await OpfsStore.open(folder, opened.generation, startSqlite(sqliteWasmUrl), false);
  const failure = suites.check_after_reopening(storePort(again.store)) || null;
  again.close();
  return [...results, { name: 'what was committed is there after reopening', failure }];
}

self.onmessage = async () => {
  const failed = (error: unknown) => [{ name: 'the suite', failure: String(error) }];
  self.postMessage(await run().catch(failed));
};
