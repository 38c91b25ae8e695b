/**
 * Core: the calls of one store, a slice at a time in turn, and the replacement of an instance that failed. It holds nothing
 * that the store does not, so a new instance goes on where the old one was whole.
 */
import { type AskContext, type Home, HomeError, type Progress, type Question, type Staging } from './home.ts';
import {
  CoreError,
  type ErrorAnswer,
  Instance,
  type InstanceOptions,
  type Json,
  type JsonObject,
  Poisoned,
} from './instance.ts';
import { macrotask } from './macrotask.ts';

/** Who calls, as core.hpp says. */
export interface Caller {
  author: string;
  read: boolean;
  write: boolean;
  share: boolean;
  /** Where links to this home begin; empty if it has no address. */
  origin: string;
}

export interface CallOptions {
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
  trusted?: boolean;
}

export interface Answer {
  value: JsonObject;
  isError: boolean;
}

export interface ToolDefinition extends JsonObject {
  name: string;
  description: string;
  inputSchema: JsonObject;
}

export interface ToolList {
  tools: ToolDefinition[];
  instructions: string;
}

/** The tools, wherever the core runs: here, in a worker, or in another process. */
export interface Tools {
  tools(): Promise<ToolList>;
  /** Never rejects for what happens to the call: that is an answer with isError. */
  call(tool: string, args: JsonObject, caller: Caller, options?: CallOptions): Promise<Answer>;
}

/** What the home's own pages need beside the tools. */
export interface CoreApi extends Tools {
  receipt(id: string): Promise<JsonObject | null>;
  shared(token: string): Promise<{ table: string; version: number } | null>;
  makePrivate(table: string): Promise<void>;
  /** A view by name, shaped as views.ts says; agents do not see it. Answers, reports and is cancelled as `call` is. */
  view(name: string, args: JsonObject, caller: Caller, options?: CallOptions): Promise<Answer>;
}

export interface CoreOptions extends InstanceOptions {
  home: Home;
  /** Told before and after every turn of the module, for a watchdog on another thread. */
  turns?: { began(): void; ended(): void };
}

const callsMax = 100;

interface Call {
  id: number;
  instance: Instance;
  options: CallOptions;
  asking: AbortController | undefined;
  end(answer: Answer): void;
}

export class Core implements CoreApi {
  #options: CoreOptions;
  #starting: Promise<Instance> | undefined;
  #live: Instance | undefined;
  #calls = new Set<Call>();
  #runnable: Call[] = [];
  #running = false;
  #exhausted: Instance | undefined;

  constructor(options: CoreOptions) {
    this.#options = options;
  }

  /** Starts the instance ahead of the first call. */
  async start(): Promise<void> {
    await this.#ready();
  }

  /** Opens the engine ahead of the first call that needs it, which is one turn of a tenth of a second. */
  async prepare(): Promise<void> {
    await this.#ask({ do: 'prepare' });
  }

  async tools(): Promise<ToolList> {
    return (await this.#ask({ do: 'tools' })) as unknown as ToolList;
  }

  async receipt(id: string): Promise<JsonObject | null> {
    return (await this.#ask({ do: 'receipt', id })) as JsonObject | null;
  }

  async shared(token: string): Promise<{ table: string; version: number } | null> {
    return (await this.#ask({ do: 'shared', token })) as { table: string; version: number } | null;
  }

  async makePrivate(table: string): Promise<void> {
    await this.#ask({ do: 'make_private', table });
  }

  call(tool: string, args: JsonObject, caller: Caller, options: CallOptions = {}): Promise<Answer> {
    return this.#begin({ do: 'start', tool, arguments: args, caller: { ...caller } }, options);
  }

  view(name: string, args: JsonObject, caller: Caller, options: CallOptions = {}): Promise<Answer> {
    return this.#begin({ do: 'start_view', view: name, arguments: args, caller: { ...caller } }, options);
  }

  async #begin(message: JsonObject, options: CallOptions): Promise<Answer> {
    if (this.#calls.size >= callsMax) {
      return failed('busy', `${callsMax} calls are running already.`, 'Wait for some of them to end, then call again.');
    }
    try {
      const instance = await this.#ready();
      const id = this.#turn(instance, () => instance.send(message)) as number;
      return await this.#drive(instance, id, options);
    } catch (error) {
      return answerOf(error);
    }
  }

  /** Bytes of the live instance's memory, 0 if there is none. */
  memoryBytes(): number {
    return this.#live?.memoryBytes() ?? 0;
  }

  /** Drops the instance: calls that are running end, and the next one starts another. */
  drop(): void {
    if (this.#live) this.#replace(this.#live, new Poisoned('internal', 'The core was dropped.'));
  }

  #drive(instance: Instance, id: number, options: CallOptions): Promise<Answer> {
    return new Promise((resolve) => {
      const cancel = () => this.#cancel(call);
      const call: Call = {
        id,
        instance,
        options,
        asking: undefined,
        end: (answer) => {
          options.signal?.removeEventListener('abort', cancel);
          call.asking?.abort();
          this.#calls.delete(call);
          resolve(answer);
        },
      };
      this.#calls.add(call);
      options.signal?.addEventListener('abort', cancel, { once: true });
      if (options.signal?.aborted) cancel();
      this.#resume(call);
    });
  }

  #cancel(call: Call): void {
    this.#turnOf(call, () => call.instance.send({ do: 'cancel', call: call.id }));
    if (!call.asking) return;
    call.asking.abort();
    call.asking = undefined;
    this.#resume(call);
  }

  #resume(call: Call): void {
    this.#runnable.push(call);
    if (this.#running) return;
    this.#running = true;
    void this.#takeTurns();
  }

  /** Round robin: a slice of each call in turn, and a macrotask between, in which the home hears others. */
  async #takeTurns(): Promise<void> {
    for (let call = this.#runnable.shift(); call; call = this.#runnable.shift()) {
      if (this.#calls.has(call)) this.#slice(call);
      await macrotask();
    }
    this.#running = false;
    this.#giveBackMemory();
  }

  #slice(call: Call): void {
    const step = this.#turnOf(call, () => call.instance.send({ do: 'step', call: call.id })) as JsonObject | undefined;
    if (!step) return;
    switch (step.state) {
      case 'working':
        this.#runnable.push(call);
        call.options.onProgress?.(step.value as unknown as Progress);
        break;
      case 'asking':
        void this.#askHome(call, step.value as unknown as Question);
        break;
      default:
        call.end({ value: step.value as JsonObject, isError: step.is_error === true });
        this.#heedFailure(call.instance, step);
    }
  }

  /** A broken invariant ends the instance; one that ran out of memory goes on until it is idle, since it unwound in order. */
  #heedFailure(instance: Instance, { is_error: isError, value }: JsonObject): void {
    if (isError !== true) return;
    const { error, message } = value as ErrorAnswer;
    if (error === 'internal') this.#replace(instance, new Poisoned('internal', message));
    if (error === 'out_of_memory') this.#exhausted = instance;
  }

  async #askHome(call: Call, question: Question): Promise<void> {
    const asking = new AbortController();
    call.asking = asking;
    const context: AskContext = {
      signal: asking.signal,
      onProgress: (progress) => call.options.onProgress?.(progress),
      trusted: call.options.trusted === true,
    };
    const reply = await this.#options.home
      .ask(question, this.#staging(call.instance, asking.signal), context)
      .catch((error: unknown) => this.#replyOf(error));
    if (asking.signal.aborted) return;
    call.asking = undefined;
    this.#turnOf(call, () => call.instance.send({ do: 'answer', call: call.id, reply }));
    if (this.#calls.has(call)) this.#resume(call);
  }

  #replyOf(error: unknown): JsonObject {
    if (error instanceof HomeError || error instanceof CoreError) return error.answer;
    this.#options.host.log(JSON.stringify({ event: 'home_failed', message: String(error) }));
    return {
      error: 'internal',
      message: 'The home failed to answer.',
      hint: 'Call again; if it fails again, its log says why.',
    };
  }

  #staging(instance: Instance, signal: AbortSignal): Staging {
    const staged = async <T>(work: () => T): Promise<T> => {
      if (signal.aborted) throw new HomeError('cancelled', 'The call has ended.', 'Call again.');
      return this.#turn(instance, work);
    };
    return {
      begin: () => staged(() => instance.send({ do: 'stage' }) as number),
      append: (id, bytes) => staged(() => instance.stageAppend(id, bytes)),
      end: (id) => staged(() => void instance.send({ do: 'stage_end', staged: id })),
      remove: (id) => staged(() => void instance.send({ do: 'unstage', staged: id })),
      size: (id) => staged(() => instance.send({ do: 'staged_size', staged: id }) as number),
      read: (id, offset, length) =>
        staged(() => {
          const into = new Uint8Array(length);
          instance.stagedRead(id, offset, into);
          return into;
        }),
    };
  }

  async #ask(message: JsonObject): Promise<Json> {
    const instance = await this.#ready();
    return this.#turn(instance, () => instance.send(message));
  }

  async #ready(): Promise<Instance> {
    this.#starting ??= Instance.start(this.#options);
    const starting = this.#starting;
    try {
      const instance = await starting;
      if (this.#starting === starting) this.#live = instance;
      return instance;
    } catch (error) {
      if (this.#starting === starting) this.#starting = undefined;
      throw error;
    }
  }

  /** One turn of the module. If the instance turns out to be poisoned it is replaced before the error goes on. */
  #turn<T>(instance: Instance, work: () => T): T {
    this.#options.turns?.began();
    try {
      return work();
    } catch (error) {
      if (error instanceof Poisoned) this.#replace(instance, error);
      throw error;
    } finally {
      this.#options.turns?.ended();
    }
  }

  /** A turn on behalf of a call, which ends if the turn fails. */
  #turnOf(call: Call, work: () => Json): Json | undefined {
    try {
      return this.#turn(call.instance, work);
    } catch (error) {
      call.end(answerOf(error));
      return undefined;
    }
  }

  #replace(instance: Instance, reason: Poisoned): void {
    if (this.#live !== instance) return;
    this.#options.host.log(JSON.stringify({ event: 'core_replaced', kind: reason.kind, message: reason.message }));
    this.#live = undefined;
    this.#starting = undefined;
    this.#runnable = [];
    const answer = answerOf(reason);
    for (const call of [...this.#calls]) call.end(answer);
  }

  /** The module's memory never shrinks, so an idle instance that grew large makes way for a fresh one. */
  #giveBackMemory(): void {
    if (this.#calls.size > 0 || !this.#live) return;
    if (this.#live !== this.#exhausted && this.#live.memoryBytes() < this.#options.memoryBytesMax / 2) return;
    this.#live = this.#exhausted = undefined;
    this.#starting = undefined;
  }
}

export function failed(error: string, message: string, hint: string): Answer {
  return { value: { error, message, hint }, isError: true };
}

function answerOf(error: unknown): Answer {
  if (error instanceof CoreError) return { value: error.answer, isError: true };
  if (error instanceof Poisoned && error.kind === 'out_of_memory') {
    return failed(
      'out_of_memory',
      'The engine ran out of memory and was started anew. What had been committed is whole.',
      'Work on less at a time: filter or aggregate earlier, or name fewer columns. After a write, look at table_history before repeating it.',
    );
  }
  return failed(
    'internal',
    'The engine failed and was started anew. What had been committed is whole.',
    'Call again; after a write, look at table_history before repeating it.',
  );
}
