/** The conformance suites of store and host, inside a Durable Object, as the core meets them there. */
import { DurableObject } from 'cloudflare:workers';
import { edgeHost } from '../../../edge/worker/edge_host.ts';
import { ObjectStore } from '../../../edge/worker/object_store.ts';
import { startSuites } from '../../../tests/conformance/suites.ts';
import type { Glue } from '../../../wasm/instance.ts';
import { storePort } from '../../../wasm/sql_store.ts';
import glue from '../../../build/wasm/conformance.mjs';
import wasm from '../../../build/wasm/conformance.wasm';

interface Env {
  SUITES: DurableObjectNamespace<Suites>;
}

export class Suites extends DurableObject<Env> {
  async run(name: string): Promise<string> {
    const suites = await startSuites({ glue: glue as Glue, wasm });
    const store = storePort(new ObjectStore(this.ctx.storage));
    switch (name) {
      case 'store':
        return suites.run_store_checks(store);
      case 'host':
        return suites.run_host_checks(edgeHost(() => {}));
      case 'write':
        suites.write_before_reopening(store);
        await this.ctx.storage.sync();
        return '';
      default:
        return suites.check_after_reopening(store);
    }
  }
}

export default {
  async fetch(request, env) {
    const name = new URL(request.url).pathname.slice(1);
    if (name === 'health') return new Response('ok');
    return new Response(await env.SUITES.getByName('one').run(name));
  },
} satisfies ExportedHandler<Env>;
