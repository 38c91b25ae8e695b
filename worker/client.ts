/**
 * openWorkspace: the page's core for everything that runs in a window. It speaks to whichever tab holds the store, and when
 * that tab ends it asks the next one again: writes under an idempotency key, so that none is applied twice or dropped.
 */
import { type Answer, type Caller, type CallOptions, failed, type ToolList } from '../wasm/core.ts';
import { HomeError, type Progress } from '../wasm/home.ts';
import type { ErrorAnswer, JsonObject } from '../wasm/instance.ts';
import type { PublicReceiptsAnswer } from '../wasm/views.ts';
import { type Connection, LeaderGone, Leadership, type Role, TurnTooLong } from './leadership.ts';
import type { ExportBegun } from './backup_export.ts';
import type { CallMessage, Change, CoreSettings, StoreFacts, StoreState } from './protocol.ts';
import type { Backup, StorageFacts, Workspace, WorkspaceState } from './workspace.ts';

export interface WorkspaceOptions {
  /** Several workspaces of one origin know nothing of each other. */
  name?: string;
  settings?: Partial<CoreSettings>;
}

const memoryBytesMaxDefault = 2 ** 30;
const exportBytes = 1 << 20;

/** Changes of the store as a whole. */
const storeChanges = new Set(['reopen', 'start_empty', 'import_backup', 'undo_import']);

/** Resolves once the store is open here or in another tab, or could not be opened: then `state.problem` says why. */
export async function openWorkspace({ name = 'default', settings = {} }: WorkspaceOptions = {}): Promise<Workspace> {
  const memoryBytesMax = settings.memoryBytesMax ?? memoryBytesMaxDefault;
  const workspace = new PageWorkspace(name, {
    memoryBytesMax,
    limits: { memory_bytes: memoryBytesMax / 2, ...settings.limits },
  });
  await workspace.opened();
  return workspace;
}

class PageWorkspace implements Workspace {
  #leadership: Leadership;
  #problem: ErrorAnswer | null = null;
  #tools: Promise<ToolList> | undefined;
  #files = new Map<string, Blob>();
  #changeListeners = new Set<(change: Change) => void>();
  #stateListeners = new Set<(state: WorkspaceState) => void>();

  constructor(workspace: string, settings: CoreSettings) {
    this.#leadership = new Leadership({
      workspace,
      settings,
      onRole: (role) => void this.#roleBecame(role),
      onChanged: ({ change }) => this.#changed(change),
    });
  }

  get state(): WorkspaceState {
    return { role: this.#leadership.role, problem: this.#problem };
  }

  /** Before anyone reads `state`, it says what there is to say. */
  async opened(): Promise<void> {
    await this.#stateAfter(this.#ask<StoreState>('state', null));
  }

  tools(): Promise<ToolList> {
    this.#tools ??= this.#ask<ToolList>('tools', null).catch((error: unknown) => {
      this.#tools = undefined;
      throw error;
    });
    return this.#tools;
  }

  call(tool: string, args: JsonObject, caller: Caller, options: CallOptions = {}): Promise<Answer> {
    return this.#answered('call', tool, args, caller, options);
  }

  view(name: string, args: JsonObject, caller: Caller, options: CallOptions = {}): Promise<Answer> {
    return this.#answered('view', name, args, caller, options);
  }

  receipt(id: string): Promise<JsonObject | null> {
    return this.#ask('receipt', id);
  }

  shared(token: string): Promise<{ table: string; version: number } | null> {
    return this.#ask('shared', token);
  }

  makePrivate(table: string): Promise<void> {
    return this.#ask('makePrivate', table);
  }

  urlOf(file: Blob): string {
    const name = file instanceof File ? file.name : '';
    const url = `file:///${crypto.randomUUID()}/${encodeURIComponent(name)}`;
    this.#files.set(url, file);
    return url;
  }

  async importFile(file: Blob, args: JsonObject, caller: Caller, options: CallOptions = {}): Promise<Answer> {
    const url = this.urlOf(file);
    try {
      return await this.call('import_table', { ...args, source_url: url }, caller, { ...options, trusted: true });
    } finally {
      this.#files.delete(url);
    }
  }

  async storage(): Promise<StorageFacts> {
    const { usage = 0, quota = 0 } = await navigator.storage.estimate();
    const persisted = await navigator.storage.persisted();
    const { storeBytes, freeBytes, hasPrevious } = await this.#ask<StoreFacts>('facts', null);
    const availableBytes = Math.max(0, quota - usage);
    return { usedBytes: usage, availableBytes, persisted, storeBytes, freeBytes, hasPrevious };
  }

  requestPersistence(): Promise<boolean> {
    return navigator.storage.persist();
  }

  async exportBackup(): Promise<Backup> {
    // The leader that begins must be the one that is read from: a new one has another file.
    const { peer } = await this.#leadership.connection();
    const { id, size } = await peer.call<ExportBegun>('exportBegin', null);
    const end = () => peer.call('exportEnd', id).catch(() => {});
    let at = 0;
    const bytes = new ReadableStream<Uint8Array<ArrayBuffer>>({
      async pull(controller) {
        const length = Math.min(exportBytes, size - at);
        if (length > 0) controller.enqueue(await peer.call('exportRead', [id, at, length]));
        at += length;
        if (at < size) return;
        await end();
        controller.close();
      },
      async cancel() {
        await end();
      },
    });
    return { name: `stele-${new Date().toISOString().slice(0, 10)}.sqlite`, size, bytes };
  }

  async importBackup(
    file: Blob,
    { signal, onProgress }: Pick<CallOptions, 'signal' | 'onProgress'> = {},
  ): Promise<WorkspaceState> {
    return this.#stateAfter(this.#askOnce('importBackup', file, signal, onProgress));
  }

  undoImport(): Promise<WorkspaceState> {
    return this.#stateAfter(this.#askOnce('undoImport', null));
  }

  discardPrevious(): Promise<void> {
    return this.#ask('discardPrevious', null);
  }

  edge(): Promise<string | null> {
    return this.#ask('edge', null);
  }

  connectEdge(address: string, token: string): Promise<string> {
    return this.#ask('connectEdge', [address, token]);
  }

  disconnectEdge(): Promise<void> {
    return this.#ask('disconnectEdge', null);
  }

  inLinks(ids: string[], base: string): Promise<string[]> {
    return this.#ask('inLinks', [ids, base]);
  }

  edgeReceipts(): Promise<PublicReceiptsAnswer> {
    return this.#ask('edgeReceipts', null);
  }

  withdrawReceipt(id: string): Promise<void> {
    return this.#ask('withdrawReceipt', id);
  }

  reopen(): Promise<WorkspaceState> {
    return this.#stateAfter(this.#ask('reopen', null));
  }

  salvage(): Promise<File[]> {
    return this.#ask('salvage', null);
  }

  startEmpty(): Promise<WorkspaceState> {
    return this.#stateAfter(this.#askOnce('startEmpty', null));
  }

  onChange(listener: (change: Change) => void): () => void {
    this.#changeListeners.add(listener);
    return () => this.#changeListeners.delete(listener);
  }

  onState(listener: (state: WorkspaceState) => void): () => void {
    this.#stateListeners.add(listener);
    return () => this.#stateListeners.delete(listener);
  }

  close(): Promise<void> {
    return this.#leadership.close();
  }

  async #roleBecame(role: Role): Promise<void> {
    this.#tellState();
    if (role === 'waiting') return;
    const { problem } = await this.#ask<StoreState>('state', null);
    this.#setProblem(problem);
  }

  #changed(change: Change): void {
    // Another tab may have mended or replaced the store.
    if (storeChanges.has(change.tool)) void this.#roleBecame(this.#leadership.role);
    this.#changeListeners.forEach((listener) => listener(change));
  }

  async #stateAfter(asked: Promise<StoreState>): Promise<WorkspaceState> {
    this.#setProblem((await asked).problem);
    return this.state;
  }

  #setProblem(problem: ErrorAnswer | null): void {
    this.#problem = problem;
    this.#tellState();
  }

  #tellState(): void {
    this.#stateListeners.forEach((listener) => listener(this.state));
  }

  async #answered(
    method: 'call' | 'view',
    tool: string,
    args: JsonObject,
    caller: Caller,
    { signal, onProgress, trusted = false }: CallOptions,
  ): Promise<Answer> {
    try {
      const files = trusted ? this.#filesIn(args) : {};
      const keyed = method === 'call' ? await this.#keyed(tool, args) : args;
      const message: CallMessage = { tool, args: keyed, caller, trusted, files };
      return await this.#ask<Answer>(method, message, signal, onProgress);
    } catch (error) {
      return answerOf(error, signal);
    }
  }

  /** Asks whoever leads, and whoever leads next if that one ends before it answers. */
  async #ask<T>(
    method: string,
    message: unknown,
    signal?: AbortSignal,
    onProgress?: (progress: Progress) => void,
  ): Promise<T> {
    for (;;) {
      const { peer } = await this.#connection(signal);
      try {
        return await peer.call<T>(method, message, { signal, onProgress });
      } catch (error) {
        if (!(error instanceof LeaderGone)) throw error;
      }
    }
  }

  /** For what must not be done twice and has no key of its own. */
  async #askOnce<T>(
    method: string,
    message: unknown,
    signal?: AbortSignal,
    onProgress?: (progress: Progress) => void,
  ): Promise<T> {
    const { peer } = await this.#connection(signal);
    return peer.call<T>(method, message, { signal, onProgress }).catch((error: unknown) => {
      if (!(error instanceof LeaderGone)) throw error;
      throw new HomeError(
        'interrupted',
        'The tab that held the store ended meanwhile. It was done as a whole or not at all.',
        'Look at what is there before you repeat it.',
      );
    });
  }

  #connection(signal: AbortSignal | undefined): Promise<Connection> {
    const connection = this.#leadership.connection();
    if (!signal) return connection;
    return new Promise((resolve, reject) => {
      const abort = () => reject(signal.reason as Error);
      if (signal.aborted) return abort();
      signal.addEventListener('abort', abort, { once: true });
      void connection.then((found) => {
        signal.removeEventListener('abort', abort);
        resolve(found);
      });
    });
  }

  #filesIn(args: JsonObject): Record<string, Blob> {
    const files: Record<string, Blob> = {};
    for (const value of Object.values(args)) {
      const file = typeof value === 'string' ? this.#files.get(value) : undefined;
      if (file) files[value as string] = file;
    }
    return files;
  }

  /** A write gets a key of its own if it has none, so that asking the next leader again cannot apply it twice. */
  async #keyed(tool: string, args: JsonObject): Promise<JsonObject> {
    if (args.idempotency_key !== undefined || (tool === 'query' && args.save_as === undefined)) return args;
    const { tools } = await this.tools();
    const { properties } = tools.find(({ name }) => name === tool)?.inputSchema ?? {};
    const takesKey = typeof properties === 'object' && properties !== null && 'idempotency_key' in properties;
    return takesKey ? { ...args, idempotency_key: crypto.randomUUID() } : args;
  }
}

function answerOf(error: unknown, signal: AbortSignal | undefined): Answer {
  if (error instanceof HomeError) return { value: error.answer, isError: true };
  if (signal?.aborted) return failed('cancelled', 'The call was cancelled.', 'Call again to start over.');
  if (error instanceof TurnTooLong) {
    return failed(
      'time_limit',
      'One step of the call took longer than a minute and was stopped. What had been committed is whole.',
      'Ask for less at a time; after a write, look at table_history before repeating it.',
    );
  }
  return failed(
    'internal',
    `The call failed: ${error instanceof Error ? error.message : String(error)}`,
    'Call again.',
  );
}
