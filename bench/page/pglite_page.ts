import { ContenderInWorker } from './contender.ts';

window.contender = new ContenderInWorker(
  () => new Worker(new URL('./pglite_worker.ts', import.meta.url), { type: 'module' }),
);
