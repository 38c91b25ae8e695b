/** A core whose tools are scripted, for what lies between a client and any core. It keeps no tables. */
import { type Answer, type Caller, type CallOptions, type CoreApi, failed, type ToolList } from '../../../wasm/core.ts';
import type { JsonObject } from '../../../wasm/instance.ts';

const anyObject = { type: 'object', properties: {} };

export class ScriptedCore implements CoreApi {
  readonly callers: Caller[] = [];
  readonly cancelled: string[] = [];

  async tools(): Promise<ToolList> {
    const tools = ['echo', 'fail', 'measure', 'slow'].map((name) => ({
      name,
      description: name,
      inputSchema: anyObject,
    }));
    return { tools, instructions: 'Look around with echo.' };
  }

  async call(tool: string, args: JsonObject, caller: Caller, options: CallOptions = {}): Promise<Answer> {
    this.callers.push(caller);
    if (tool === 'slow') return this.#untilCancelled(options);
    if (tool === 'fail') return failed('unknown_table', 'There is no table x.', 'Call list_tables.');
    return { value: tool === 'measure' ? { characters: String(args.text).length } : args, isError: false };
  }

  async receipt(id: string): Promise<JsonObject | null> {
    return id === 'known' ? { id, document: '{}', digest: '' } : null;
  }

  async shared(): Promise<null> {
    return null;
  }

  async makePrivate(): Promise<void> {}

  async view(): Promise<Answer> {
    return failed('unknown_view', 'There is no such view.', 'Call a tool.');
  }

  /** Reports progress until it is cancelled, and notes that it was. */
  #untilCancelled({ signal, onProgress }: CallOptions): Promise<Answer> {
    return new Promise((resolve) => {
      let done = 0;
      const timer = setInterval(() => onProgress?.({ done: ++done, total: 1000, what: 'counting' }), 10);
      signal?.addEventListener('abort', () => {
        clearInterval(timer);
        this.cancelled.push('slow');
        resolve(failed('cancelled', 'The call was cancelled.', 'Call again.'));
      });
    });
  }
}
