/** A worker that unpacks and compiles the module beside the one that opens the store meanwhile, and ends. */
import wasmUrl from '../build/wasm/stele.wasm.gz?url';
import { compileModule } from './compile_module.ts';

void compileModule(new URL(wasmUrl, self.location.href).href)
  .catch((error: unknown) => (error instanceof Error ? error.message : String(error)))
  .then((compiled) => self.postMessage(compiled));
