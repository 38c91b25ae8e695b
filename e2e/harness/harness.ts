/** A bare page that gives tests the workspace, as the app gets it. */
import { openWorkspace } from '../../worker/client.ts';
import type { CheckResult } from '../../tests/conformance/suites.ts';
import type { SettingsCase, SettingsFigures } from './settings_worker.ts';

export interface Harness {
  openWorkspace: typeof openWorkspace;
  measureSettings(settings: SettingsCase): Promise<SettingsFigures>;
  checkConformance(): Promise<CheckResult[]>;
}

declare global {
  interface Window {
    stele: Harness;
  }
}

/** One message to a worker, one answer from it. */
function asked<T>(worker: Worker, message: unknown): Promise<T> {
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => {
      worker.terminate();
      resolve(data as T);
    };
    worker.onerror = (event) => reject(new Error(event.message));
    worker.postMessage(message);
  });
}

function measureSettings(settings: SettingsCase): Promise<SettingsFigures> {
  return asked(new Worker(new URL('./settings_worker.ts', import.meta.url), { type: 'module' }), settings);
}

function checkConformance(): Promise<CheckResult[]> {
  return asked(new Worker(new URL('./conformance_worker.ts', import.meta.url), { type: 'module' }), null);
}

window.stele = { openWorkspace, measureSettings, checkConformance };
