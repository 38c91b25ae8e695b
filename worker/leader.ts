/** Leader: the store and the core of a workspace, served to this worker's own tab and to all others. */
import { Core, type CoreApi } from '../wasm/core.ts';
import { failures } from '../wasm/core_port.ts';
import { HomeError } from '../wasm/home.ts';
import type { ErrorAnswer, Host, JsonObject } from '../wasm/instance.ts';
import { Peer, type Methods, type PeerContext, type Port } from '../wasm/peer.ts';
import { loadModule, sqliteWasmUrl } from './module.ts';
import { OpfsStore } from './opfs_store.ts';
import { PageHome } from './page_home.ts';
import {
  type CallMessage,
  type Change,
  type Joined,
  linkName,
  lobbyName,
  type LobbyMessage,
  type StartMessage,
  type StoreState,
  tabLock,
} from './protocol.ts';
import { SigningKey } from './signing_key.ts';
import { startSqlite } from './sqlite.ts';

const host: Host = {
  nowMs: () => Date.now(),
  randomBytes: (into) => void crypto.getRandomValues(into as Uint8Array<ArrayBuffer>),
  log: (line) => console.debug(line),
};

/** The tools that change nothing; a query that saves is told by its arguments. */
const readers = new Set(['list_tables', 'describe_table', 'table_history', 'inspect_file']);

export class Leader {
  readonly id = crypto.randomUUID();
  /** Resolves once the store is closed. */
  readonly ended: Promise<void>;
  #end!: () => void;
  #start: StartMessage;
  #lobby: BroadcastChannel;
  #home: PageHome;
  #tabs = new Set<string>();
  #opened: OpfsStore | undefined;
  #core: Core | undefined;
  #problem: ErrorAnswer | null = null;
  #isOpen = false;

  constructor(start: StartMessage, own: Port) {
    this.#start = start;
    this.#home = new PageHome(new SigningKey(start.workspace));
    this.ended = new Promise((resolve) => (this.#end = resolve));
    this.#lobby = new BroadcastChannel(lobbyName(start.workspace));
    this.#lobby.onmessage = ({ data }) => this.#hear(data as LobbyMessage);
    new Peer(own, this.#methods(), failures);
  }

  /** Opens the store and says so to all tabs. A store that cannot be opened is a problem that every call is told of. */
  async open(): Promise<void> {
    const { workspace, settings } = this.#start;
    try {
      const loading = loadModule();
      loading.catch(() => {});
      const opened = await OpfsStore.open(workspace, startSqlite(sqliteWasmUrl));
      this.#opened = opened;
      this.#core = new Core({
        module: await loading,
        store: opened.store,
        host,
        home: this.#home,
        limits: settings.limits,
        memoryBytesMax: settings.memoryBytesMax,
      });
      this.#problem = null;
    } catch (error) {
      this.#release();
      this.#problem = problemOf(error);
    }
    this.#isOpen = true;
    this.#announce();
  }

  #announce(): void {
    if (this.#isOpen) this.#say({ kind: 'leading', leader: this.id, tab: this.#start.tab });
  }

  #release(): void {
    this.#core?.drop();
    this.#core = undefined;
    this.#opened?.close();
    this.#opened = undefined;
  }

  #say(message: LobbyMessage): void {
    this.#lobby.postMessage(message);
  }

  #hear(message: LobbyMessage): void {
    if (message.kind === 'who') this.#announce();
    if (message.kind === 'join' && message.leader === this.id) this.#join(message.tab);
  }

  /** A tab may ask again until it hears that it has joined. */
  #join(tab: string): void {
    if (this.#tabs.has(tab)) return;
    this.#tabs.add(tab);
    const { workspace } = this.#start;
    const link = new BroadcastChannel(linkName(workspace, this.id, tab));
    const port: Port = {
      postMessage: (message) => link.postMessage(message),
      onMessage: (listener) => link.addEventListener('message', ({ data }) => listener(data)),
    };
    const peer = new Peer(port, this.#methods(), failures);
    link.postMessage({ kind: 'joined' } satisfies Joined);
    // The tab holds this lock as long as it lives.
    void navigator.locks.request(tabLock(workspace, tab), () => {
      this.#tabs.delete(tab);
      peer.close(new Error('the tab is gone'));
      link.close();
    });
  }

  #ready(): CoreApi {
    if (this.#core) return this.#core;
    const { error, message, hint } = this.#problem ?? { error: 'busy', message: 'The store is closing.', hint: '' };
    throw new HomeError(error, message, hint);
  }

  #methods(): Methods {
    return {
      ping: () => null,
      state: (): StoreState => ({ problem: this.#problem }),
      tools: () => this.#ready().tools(),
      call: (message: CallMessage, context: PeerContext) => this.#call(message, context),
      view: ({ tool, args, caller }: CallMessage, { signal, report }: PeerContext) =>
        this.#ready().view(tool, args, caller, { signal, onProgress: report }),
      receipt: (id: string) => this.#ready().receipt(id),
      shared: (token: string) => this.#ready().shared(token),
      makePrivate: async (table: string) => {
        await this.#ready().makePrivate(table);
        this.#say({ kind: 'changed', change: { tool: 'make_private', table, author: '' } });
      },
      reopen: async (): Promise<StoreState> => {
        if (!this.#core) await this.open();
        return { problem: this.#problem };
      },
      close: () => {
        this.#release();
        this.#lobby.close();
        this.#end();
      },
    };
  }

  async #call({ tool, args, caller, trusted, files }: CallMessage, { signal, report }: PeerContext) {
    const core = this.#ready();
    const takeBack = trusted ? this.#home.lend(files) : () => {};
    try {
      const answer = await core.call(tool, args, caller, { trusted, signal, onProgress: report });
      if (!answer.isError && changes(tool, args)) {
        this.#say({ kind: 'changed', change: changeOf(tool, args, answer.value, caller.author) });
      }
      return answer;
    } finally {
      takeBack();
    }
  }
}

function changes(tool: string, args: JsonObject): boolean {
  if (tool === 'query') return args.save_as !== undefined || args.receipt === true;
  return !readers.has(tool);
}

function changeOf(tool: string, args: JsonObject, { table, version }: JsonObject, author: string): Change {
  const change: Change = { tool, author };
  // A rename concerns two paths.
  if (typeof table === 'string' && args.rename_to === undefined) change.table = table;
  if (typeof version === 'number') change.version = version;
  return change;
}

function problemOf(error: unknown): ErrorAnswer {
  if (error instanceof HomeError) return error.answer;
  return {
    error: 'unavailable',
    message: `Stele could not start: ${error instanceof Error ? error.message : String(error)}`,
    hint: 'Reload the page; if it fails again, look whether the network lets the page load its files.',
  };
}
