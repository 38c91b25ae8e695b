/** Starts the worker that compiles the module, from the page before its turn to lead, or from the worker that leads. */

/** Where the compiled module arrives, or what went wrong as text. */
export function startModuleWorker(): MessagePort {
  const { port1, port2 } = new MessageChannel();
  const worker = new Worker(new URL('./module_worker.ts', import.meta.url), { type: 'module', name: 'stele module' });
  const end = (compiled: unknown) => {
    port1.postMessage(compiled);
    worker.terminate();
  };
  worker.onmessage = ({ data }) => end(data);
  worker.onerror = ({ message }) => end(`the engine could not be loaded: ${message}`);
  return port2;
}
