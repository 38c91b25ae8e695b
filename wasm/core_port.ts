/**
 * A core on one side of a port, its home on the other: serveCore() in the worker, RemoteCore where the calls come from. The
 * home answers on the caller's side, since that is where networks, keys and people are.
 */
import type { Answer, Caller, Core, CoreApi, ToolList } from './core.ts';
import { type CallOptions } from './core.ts';
import { type Home, HomeError, type Progress, type Question, type Staging } from './home.ts';
import { CoreError, type ErrorAnswer, type JsonObject } from './instance.ts';
import { type FailureCodec, Peer, type PeerContext, type Port } from './peer.ts';

/** How a core's and a home's refusals cross a port. */
export const failures: FailureCodec = {
  encode: (error) =>
    error instanceof CoreError || error instanceof HomeError
      ? { answer: error.answer, of: error.name }
      : { message: error instanceof Error ? error.message : String(error) },
  decode: (failure) => {
    const { answer, of, message } = failure as { answer?: ErrorAnswer; of?: string; message?: string };
    if (!answer) return new Error(message);
    return of === 'HomeError' ? new HomeError(answer.error, answer.message, answer.hint) : new CoreError(answer);
  },
};

interface CallMessage {
  /** Or a view. */
  tool: string;
  args: JsonObject;
  caller: Caller;
  trusted: boolean;
}

interface AskMessage {
  asking: number;
  question: Question;
  trusted: boolean;
}

interface StagingMessage {
  asking: number;
  method: keyof Staging;
  args: unknown[];
}

/** In the worker: makes the core with a home that lies beyond the port, and serves it. */
export function serveCore(port: Port, makeCore: (home: Home) => Core): void {
  const stagings = new Map<number, Staging>();
  let lastAsking = 0;

  const home: Home = {
    async ask(question, staging, context) {
      const asking = ++lastAsking;
      stagings.set(asking, staging);
      try {
        const message: AskMessage = { asking, question, trusted: context.trusted };
        return await peer.call<JsonObject>('ask', message, { signal: context.signal, onProgress: context.onProgress });
      } finally {
        stagings.delete(asking);
      }
    },
  };

  const core = makeCore(home);
  const peer = new Peer(
    port,
    {
      tools: () => core.tools(),
      call: ({ tool, args, caller, trusted }: CallMessage, { signal, report }: PeerContext) =>
        core.call(tool, args, caller, { trusted, signal, onProgress: report }),
      view: ({ tool, args, caller }: CallMessage, { signal, report }: PeerContext) =>
        core.view(tool, args, caller, { signal, onProgress: report }),
      receipt: (id: string) => core.receipt(id),
      shared: (token: string) => core.shared(token),
      makePrivate: (table: string) => core.makePrivate(table),
      staging: ({ asking, method, args }: StagingMessage) => {
        const staging = stagings.get(asking);
        if (!staging) throw new HomeError('cancelled', 'The call has ended.', 'Call again.');
        return (staging[method] as (...args: unknown[]) => Promise<unknown>)(...args);
      },
    },
    failures,
  );
}

/** Where the calls come from. */
export class RemoteCore implements CoreApi {
  #peer: Peer;

  constructor(port: Port, home: Home) {
    this.#peer = new Peer(
      port,
      {
        ask: ({ asking, question, trusted }: AskMessage, { signal, report }: PeerContext) =>
          home.ask(question, this.#staging(asking), { signal, onProgress: report, trusted }),
      },
      failures,
    );
  }

  tools(): Promise<ToolList> {
    return this.#peer.call('tools', null);
  }

  call(tool: string, args: JsonObject, caller: Caller, options: CallOptions = {}): Promise<Answer> {
    return this.#start('call', tool, args, caller, options);
  }

  view(name: string, args: JsonObject, caller: Caller, options: CallOptions = {}): Promise<Answer> {
    return this.#start('view', name, args, caller, options);
  }

  receipt(id: string): Promise<JsonObject | null> {
    return this.#peer.call('receipt', id);
  }

  shared(token: string): Promise<{ table: string; version: number } | null> {
    return this.#peer.call('shared', token);
  }

  makePrivate(table: string): Promise<void> {
    return this.#peer.call('makePrivate', table);
  }

  /** The worker is gone. */
  close(reason: Error): void {
    this.#peer.close(reason);
  }

  #start(
    method: 'call' | 'view',
    tool: string,
    args: JsonObject,
    caller: Caller,
    options: CallOptions,
  ): Promise<Answer> {
    const message: CallMessage = { tool, args, caller, trusted: options.trusted === true };
    const onProgress: ((progress: Progress) => void) | undefined = options.onProgress;
    return this.#peer.call(method, message, { signal: options.signal, onProgress });
  }

  #staging(asking: number): Staging {
    const call =
      <T>(method: keyof Staging) =>
      (...args: unknown[]): Promise<T> =>
        this.#peer.call('staging', { asking, method, args } satisfies StagingMessage);
    return {
      begin: call('begin'),
      append: call('append'),
      end: call('end'),
      remove: call('remove'),
      size: call('size'),
      read: call('read'),
    };
  }
}
