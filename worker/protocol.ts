/**
 * What tabs and the worker that holds the store say to each other. The holder of the Web Lock leads: its worker has the store
 * and the core. Other tabs reach it over broadcast channels of their own, which need no headers and no shared memory.
 */
import type { Caller } from '../wasm/core.ts';
import type { ErrorAnswer, JsonObject, Limits } from '../wasm/instance.ts';

/** Tabs of builds that speak another protocol hear nothing of each other, and share the lock alone. */
export const protocol = 1;

export const storeLock = (workspace: string) => `stele/${workspace}/store`;
/** Held by a tab as long as it lives, so that the leader hears of its end. */
export const tabLock = (workspace: string, tab: string) => `stele/${workspace}/tab/${tab}`;
/** Where leaders announce themselves and changes, and tabs ask for the leader. */
export const lobbyName = (workspace: string) => `stele/${protocol}/${workspace}`;
/** Between one leader and one tab. */
export const linkName = (workspace: string, leader: string, tab: string) =>
  `stele/${protocol}/${workspace}/${leader}/${tab}`;

/** Something was written. The table is left out where more than one may have changed. */
export interface Change {
  tool: string;
  table?: string;
  version?: number;
  author: string;
}

export type LobbyMessage =
  | { kind: 'who' }
  /** Its own tab hears it from the worker itself. */
  | { kind: 'leading'; leader: string; tab: string }
  | { kind: 'join'; leader: string; tab: string }
  /** The leader was stopped, since one turn of the core took too long. */
  | { kind: 'stopped'; leader: string }
  | { kind: 'changed'; change: Change };

/** The first message of a link, from the leader; then both speak through a Peer. */
export interface Joined {
  kind: 'joined';
}

/** The first message to a worker. */
export interface StartMessage {
  kind: 'start';
  workspace: string;
  tab: string;
  settings: CoreSettings;
  /** Where the compiled module arrives, if this tab is about to lead; else the worker has it compiled when it does. */
  module: MessagePort | undefined;
}

export interface CoreSettings {
  limits: Limits;
  /** How far the module's memory may grow; the engine's own limit is half of it. */
  memoryBytesMax: number;
}

/** A worker's word to its own tab that it leads; then both speak through a Peer. */
export interface LeadingMessage {
  kind: 'leading';
  leader: string;
}

export interface CallMessage {
  tool: string;
  args: JsonObject;
  caller: Caller;
  trusted: boolean;
  /** Files that the person chose, by the URLs that stand for them in the arguments. */
  files: Record<string, Blob>;
}

export interface StoreState {
  /** Why the store is not open. */
  problem: ErrorAnswer | null;
}

export interface StoreFacts extends StoreState {
  /** Bytes of the database, and of them what holds nothing at present. */
  storeBytes: number;
  freeBytes: number;
  /** Whether the workspace from before the last import of a backup is kept. */
  hasPrevious: boolean;
}
