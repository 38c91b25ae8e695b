/**
 * Leadership, as a tab sees it: who leads, and a peer to speak to. It starts the tab's worker, which waits for the lock, joins
 * whoever leads in the meantime, and hears when the lead passes on.
 */
import { failures } from '../wasm/core_port.ts';
import { Peer, type Port } from '../wasm/peer.ts';
import { startModuleWorker } from './module_loader.ts';
import {
  type CoreSettings,
  type Joined,
  linkName,
  lobbyName,
  type LobbyMessage,
  type StartMessage,
  storeLock,
  tabLock,
} from './protocol.ts';

/** This tab's worker leads, another tab's does, or nobody has been heard of. */
export type Role = 'leader' | 'follower' | 'waiting';

/** The leader ended; what was asked of it may or may not have been done. */
export class LeaderGone extends Error {}

/** The leader was stopped, since one turn of the core took longer than it may. */
export class TurnTooLong extends Error {}

export interface Connection {
  leader: string;
  peer: Peer;
  close(reason: Error): void;
}

export interface LeadershipOptions {
  workspace: string;
  settings: CoreSettings;
  onRole(role: Role): void;
  onChanged(message: LobbyMessage & { kind: 'changed' }): void;
}

const askMs = 500;
const pingMs = 5000;
const turnMsMax = 60_000;
/** Timers of a hidden tab fire late and a machine may sleep, so time alone proves nothing. */
const silentPingsMin = 3;

export class Leadership {
  readonly tab = crypto.randomUUID();
  #options: LeadershipOptions;
  #lobby: BroadcastChannel;
  #worker: Worker | undefined;
  #role: Role = 'waiting';
  #connection: Connection | undefined;
  #connected!: Promise<Connection>;
  #connect!: (connection: Connection) => void;
  #joining: string | undefined;
  #asking: ReturnType<typeof setInterval>;
  #watching: ReturnType<typeof setInterval> | undefined;
  #letTabGo: () => void = () => {};
  #closed = false;

  constructor(options: LeadershipOptions) {
    this.#options = options;
    this.#await();
    this.#lobby = new BroadcastChannel(lobbyName(options.workspace));
    this.#lobby.onmessage = ({ data }) => this.#hear(data as LobbyMessage);
    this.#holdTabLock();
    this.#startWorker();
    this.#asking = setInterval(() => this.#ask(), askMs);
  }

  get role(): Role {
    return this.#role;
  }

  /** The peer of whoever leads, as soon as somebody does. */
  connection(): Promise<Connection> {
    return this.#connected;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#asking);
    const own = this.#role === 'leader' ? this.#connection : undefined;
    // The worker closes the store, lets the lock go and ends by itself; one that only waits for the lock is ended.
    if (own) await own.peer.call('close', null).catch(() => {});
    else this.#worker?.terminate();
    this.#disconnect(new Error('The workspace was closed.'));
    this.#lobby.close();
    this.#letTabGo();
  }

  #holdTabLock(): void {
    const held = new Promise<void>((resolve) => (this.#letTabGo = resolve));
    void navigator.locks.request(tabLock(this.#options.workspace, this.tab), () => held);
  }

  #startWorker(): void {
    const worker = new Worker(new URL('./core_worker.ts', import.meta.url), { type: 'module', name: 'stele' });
    worker.addEventListener('message', ({ data }) => {
      if (data?.kind === 'leading' && !this.#closed) this.#lead(worker, data.leader as string);
    });
    worker.onerror = () => this.#restart(new LeaderGone('The worker of this tab failed.'));
    this.#worker = worker;
    void this.#begin(worker);
  }

  /** Where nobody leads, the module is compiled while the worker still starts. */
  async #begin(worker: Worker): Promise<void> {
    const { workspace, settings } = this.#options;
    const { held = [] } = await navigator.locks.query();
    const leads = !this.#closed && held.every(({ name }) => name !== storeLock(workspace));
    const module = leads ? startModuleWorker() : undefined;
    const start: StartMessage = { kind: 'start', workspace, tab: this.tab, settings, module };
    worker.postMessage(start, module ? [module] : []);
  }

  /** The worker's end gives the lock and the files back; a new one waits for its turn like any tab's. */
  #restart(reason: Error): void {
    if (this.#closed) return;
    this.#worker?.terminate();
    if (this.#role === 'leader') this.#disconnect(reason);
    this.#startWorker();
  }

  #lead(worker: Worker, leader: string): void {
    this.#disconnect(new LeaderGone('The lead came to this tab.'));
    const port: Port = {
      postMessage: (message) => worker.postMessage(message),
      onMessage: (listener) => worker.addEventListener('message', ({ data }) => listener(data)),
    };
    const peer = new Peer(port, {}, failures);
    this.#arrive({ leader, peer, close: (reason) => peer.close(reason) }, 'leader');
    this.#watch(peer, leader);
  }

  /** Ends the worker when it answers nothing for a minute: it has no other clock that could stop it. */
  #watch(peer: Peer, leader: string): void {
    let silentSince = 0;
    let pings = 0;
    this.#watching = setInterval(() => {
      if (++pings === 1) {
        silentSince = Date.now();
        void peer.call('ping', null).then(
          () => (pings = 0),
          () => {},
        );
      }
      if (pings <= silentPingsMin || Date.now() - silentSince < turnMsMax) return;
      this.#lobby.postMessage({ kind: 'stopped', leader } satisfies LobbyMessage);
      this.#restart(new TurnTooLong());
    }, pingMs);
  }

  #ask(): void {
    if (this.#connection) return;
    const message: LobbyMessage = this.#joining
      ? { kind: 'join', leader: this.#joining, tab: this.tab }
      : { kind: 'who' };
    this.#lobby.postMessage(message);
  }

  #hear(message: LobbyMessage): void {
    switch (message.kind) {
      case 'leading':
        if (message.tab !== this.tab && message.leader !== this.#connection?.leader && message.leader !== this.#joining)
          this.#join(message.leader);
        break;
      case 'stopped':
        if (message.leader === this.#connection?.leader) this.#disconnect(new TurnTooLong());
        break;
      case 'changed':
        this.#options.onChanged(message);
        break;
    }
  }

  #join(leader: string): void {
    const link = new BroadcastChannel(linkName(this.#options.workspace, leader, this.tab));
    this.#joining = leader;
    const port: Port = {
      postMessage: (message) => link.postMessage(message),
      onMessage: (listener) => link.addEventListener('message', ({ data }) => listener(data)),
    };
    link.addEventListener(
      'message',
      ({ data }: MessageEvent<Joined>) => {
        // Another leader, or this tab's own worker, may have come first.
        if (data.kind !== 'joined' || this.#joining !== leader) return link.close();
        this.#disconnect(new LeaderGone('Another tab leads.'));
        const peer = new Peer(port, {}, failures);
        const close = (reason: Error) => {
          peer.close(reason);
          link.close();
        };
        this.#arrive({ leader, peer, close }, 'follower');
      },
      { once: true },
    );
    this.#lobby.postMessage({ kind: 'join', leader, tab: this.tab } satisfies LobbyMessage);
  }

  #arrive(connection: Connection, role: Role): void {
    this.#joining = undefined;
    this.#connection = connection;
    this.#connect(connection);
    this.#become(role);
  }

  #disconnect(reason: Error): void {
    clearInterval(this.#watching);
    const gone = this.#connection;
    this.#joining = undefined;
    if (!gone) return;
    this.#connection = undefined;
    this.#await();
    gone.close(reason);
    this.#become('waiting');
  }

  #await(): void {
    this.#connected = new Promise((resolve) => (this.#connect = resolve));
  }

  #become(role: Role): void {
    this.#role = role;
    this.#options.onRole(role);
  }
}
