/** A worker that unpacks and compiles the module beside the one that opens the store meanwhile, and ends. */
import { compileModule } from './compile_module.ts';

self.onmessage = async ({ data }: MessageEvent<string>) => {
  const compiled = await compileModule(data).catch((error: unknown) => String(error));
  self.postMessage(compiled);
};
