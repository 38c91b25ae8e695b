import { ContenderInWorker } from './contender.ts';

window.contender = new ContenderInWorker(
  () => new Worker(new URL('./sqljs_worker.ts', import.meta.url), { type: 'module' }),
);
