/** Workspace: what a window may ask of the page's tables, whichever tab holds them. client.ts opens one. */
import type { Answer, Caller, CallOptions, CoreApi } from '../wasm/core.ts';
import type { ErrorAnswer, JsonObject } from '../wasm/instance.ts';
import type { PublicReceiptsAnswer } from '../wasm/views.ts';
import type { Role } from './leadership.ts';
import type { Change } from './protocol.ts';

export type { Change, Role };

export interface WorkspaceState {
  role: Role;
  /** Why the store is not open; every call is answered with it. */
  problem: ErrorAnswer | null;
}

export interface StorageFacts {
  /** Bytes that this origin uses and may use, as the browser estimates them. */
  usedBytes: number;
  availableBytes: number;
  /** Whether the browser has promised not to remove the data by itself. */
  persisted: boolean;
  /** Bytes of the workspace's database, and of them what holds nothing at present. */
  storeBytes: number;
  freeBytes: number;
  /** Whether the workspace from before the last import of a backup is kept, as for undoImport(). */
  hasPrevious: boolean;
}

export interface Backup {
  /** A name for the file. */
  name: string;
  size: number;
  bytes: ReadableStream<Uint8Array<ArrayBuffer>>;
}

export interface Workspace extends CoreApi {
  readonly state: WorkspaceState;
  /**
   * A URL that stands for a file which the person chose: as source_url of import_table, or wherever a tool takes a URL, in
   * calls with `trusted: true`. The file is read where it lies and is not held in memory.
   */
  urlOf(file: Blob): string;
  /** import_table of a file: the arguments without source_url. */
  importFile(file: Blob, args: JsonObject, caller: Caller, options?: CallOptions): Promise<Answer>;
  storage(): Promise<StorageFacts>;
  /** Asks the browser not to remove the data by itself. Call it on a person's action. */
  requestPersistence(): Promise<boolean>;

  /** The whole workspace as one SQLite file, read out while calls go on; the desk opens it with `--file`. */
  exportBackup(): Promise<Backup>;
  /**
   * Puts a backup in the workspace's place, for all tabs; what was there before is kept. Throws HomeError, having changed
   * nothing: not_a_backup, damaged_backup, store_newer, storage_full.
   */
  importBackup(file: Blob, options?: Pick<CallOptions, 'signal' | 'onProgress'>): Promise<WorkspaceState>;
  /** The workspace from before the last import and the present one change places; again, and they change back. */
  undoImport(): Promise<WorkspaceState>;
  /** Lets the workspace from before the last import go, for its space. */
  discardPrevious(): Promise<void>;

  /** Where links to shared tables begin: an edge that the person connected; null without one. */
  edge(): Promise<string | null>;
  /** Publishes what is shared at this edge from now on. Answers where links begin. Throws HomeError. */
  connectEdge(address: string, token: string): Promise<string>;
  /** What is public there stays so until it is ended there. */
  disconnectEdge(): Promise<void>;
  /** Which of these receipts their links carry whole. `base`: where links begin. */
  inLinks(ids: string[], base: string): Promise<string[]>;
  /** Receipts that were made at the edge. Throws HomeError, `forbidden` if its token is not for reading. */
  edgeReceipts(): Promise<PublicReceiptsAnswer>;
  /** From then on its address at the edge leads nowhere. Throws HomeError. */
  withdrawReceipt(id: string): Promise<void>;

  /** Tries again to open a store that could not be opened. */
  reopen(): Promise<WorkspaceState>;
  /** The store's files as they lie there, for a store that cannot be opened: "Export what can be read". */
  salvage(): Promise<File[]>;
  /** An empty workspace in the place of one that cannot be opened, which is kept beside it. */
  startEmpty(): Promise<WorkspaceState>;
  /** Something was written, by this tab or another. Returns what to call to hear no more. */
  onChange(listener: (change: Change) => void): () => void;
  onState(listener: (state: WorkspaceState) => void): () => void;
  close(): Promise<void>;
}
