/** The conformance module as every home's tests start it: one set of checks for all stores, one for all hosts. */
import { type Host, initialBytes, type Module, startModule } from '../../wasm/instance.ts';
import type { StorePort } from '../../wasm/sql_store.ts';

/** Checks answer JSON: a list of CheckResult. The check after reopening answers what failed, or nothing. */
export interface Suites {
  run_store_checks(store: StorePort): string;
  run_host_checks(host: Host): string;
  write_before_reopening(store: StorePort): void;
  check_after_reopening(store: StorePort): string;
}

export interface CheckResult {
  name: string;
  failure: string | null;
}

export function startSuites(module: Module): Promise<Suites> {
  return startModule<Suites>(module, new WebAssembly.Memory({ initial: initialBytes / 65536, maximum: 2048 }));
}
