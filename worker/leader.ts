/** Leader: a workspace's core, served to this worker's own tab and to all others. */
import { type Answer, type Caller, type CallOptions, failed } from '../wasm/core.ts';
import { failures } from '../wasm/core_port.ts';
import type { HomeError } from '../wasm/home.ts';
import type { JsonObject } from '../wasm/instance.ts';
import { fitsInLink } from '../edge/share/receipt_link.ts';
import { EdgeLink } from './edge_link.ts';
import { type Methods, Peer, type PeerContext, type Port } from '../wasm/peer.ts';
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
import { WorkspaceCore } from './workspace_core.ts';

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
  #core: WorkspaceCore;
  #edge: EdgeLink;
  #links = new Map<string, BroadcastChannel>();
  #isOpen = false;

  constructor(start: StartMessage, own: Port) {
    this.#start = start;
    this.#home = new PageHome(new SigningKey(start.workspace));
    this.#core = new WorkspaceCore(start.workspace, start.settings, this.#home, start.module);
    this.#edge = new EdgeLink(
      start.workspace,
      () => this.#core.store,
      (token) => void this.#endedAtEdge(token),
    );
    this.ended = new Promise((resolve) => (this.#end = resolve));
    this.#lobby = new BroadcastChannel(lobbyName(start.workspace));
    this.#lobby.onmessage = ({ data }) => this.#hear(data as LobbyMessage);
    new Peer(own, this.#methods(), failures);
  }

  /** Opens the store and says so to all tabs; also of one that cannot be opened, since its calls are answered with why. */
  async open(): Promise<void> {
    await this.#core.open();
    this.#isOpen = true;
    this.#announce();
    // What was written when no edge could be reached.
    this.#edge.syncSoon();
  }

  #announce(): void {
    if (this.#isOpen) this.#say({ kind: 'leading', leader: this.id, tab: this.#start.tab });
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
    if (this.#links.has(tab)) return;
    const { workspace } = this.#start;
    const link = new BroadcastChannel(linkName(workspace, this.id, tab));
    this.#links.set(tab, link);
    const port: Port = {
      // After the link is closed nobody listens, and a closed channel throws.
      postMessage: (message) => this.#links.get(tab) === link && link.postMessage(message),
      onMessage: (listener) => link.addEventListener('message', ({ data }) => listener(data)),
    };
    const peer = new Peer(port, this.#methods(), failures);
    link.postMessage({ kind: 'joined' } satisfies Joined);
    // The tab holds this lock as long as it lives.
    void navigator.locks.request(tabLock(workspace, tab), () => {
      this.#links.delete(tab);
      peer.close(new Error('the tab is gone'));
      link.close();
    });
  }

  /** What other tabs asked and had no answer to, they ask the next leader. */
  #silence(): void {
    for (const link of this.#links.values()) link.close();
    this.#links.clear();
  }

  #methods(): Methods {
    const core = this.#core;
    return {
      ping: () => null,
      state: (): StoreState => ({ problem: core.problem }),
      facts: () => core.facts(),
      tools: () => core.run((core) => core.tools()),
      call: (message: CallMessage, context: PeerContext) => this.#call(message, context),
      view: ({ tool, args, caller }: CallMessage, { signal, report }: PeerContext) =>
        core.run((core) => core.view(tool, args, caller, { signal, onProgress: report })),
      receipt: (id: string) => core.run((core) => core.receipt(id)),
      inLinks: ([ids, base]: [string[], string]) => ids.filter((id) => fitsInLink(core.store, id, base)),
      shared: (token: string) => core.run((core) => core.shared(token)),
      makePrivate: (table: string) =>
        this.#changing({ tool: 'make_private', table, author: '' }, async () => {
          await core.run((core) => core.makePrivate(table));
          await this.#edge.sync();
        }),
      edge: async () => (await this.#edge.base()) ?? null,
      connectEdge: ([address, token]: [string, string]) => this.#edge.connect(address, token),
      disconnectEdge: () => this.#edge.disconnect(),
      edgeReceipts: () => this.#edge.receipts(),
      withdrawReceipt: (id: string) => this.#edge.withdrawReceipt(id),
      reopen: () => this.#changing({ tool: 'reopen', author: '' }, () => core.open()),
      startEmpty: () => this.#changing({ tool: 'start_empty', author: '' }, () => core.startEmpty()),
      importBackup: (file: Blob, { signal, report }: PeerContext) =>
        this.#changing({ tool: 'import_backup', author: '' }, () =>
          core.importBackup(file, { signal, onProgress: report }),
        ),
      undoImport: () => this.#changing({ tool: 'undo_import', author: '' }, () => core.undoImport()),
      discardPrevious: () => core.discardPrevious(),
      salvage: () => core.salvage(),
      exportBegin: () => core.exporting.begin(),
      exportRead: ([id, offset, length]: [number, number, number]) => core.exporting.read(id, offset, length),
      exportEnd: (id: number) => core.exporting.end(id),
      close: async () => {
        await core.close(() => this.#silence());
        this.#lobby.close();
        this.#end();
      },
    };
  }

  async #call({ tool, args, caller, trusted, files }: CallMessage, { signal, report }: PeerContext): Promise<Answer> {
    if (tool === 'share_table') return this.#share(args, caller, { signal, onProgress: report });
    const takeBack = trusted ? this.#home.lend(files) : () => {};
    try {
      const answer = await this.#core.run((core) =>
        core.call(tool, args, caller, { trusted, signal, onProgress: report }),
      );
      if (!answer.isError && changes(tool, args)) {
        this.#say({ kind: 'changed', change: changeOf(tool, args, answer.value, caller.author) });
        void this.#core.giveSpaceBack();
        this.#edge.syncSoon();
      }
      return answer;
    } finally {
      takeBack();
    }
  }

  /** A link leads somewhere from the moment it is answered: it is made once the table is public at the edge. */
  async #share(args: JsonObject, caller: Caller, options: CallOptions): Promise<Answer> {
    const base = await this.#edge.base();
    if (base === undefined) return unshareable;
    const answer = await this.#core.run((core) => core.call('share_table', args, { ...caller, origin: base }, options));
    if (answer.isError) return answer;
    try {
      await this.#edge.publish(String(answer.value.url));
    } catch (error) {
      return { value: (error as HomeError).answer, isError: true };
    }
    this.#say({ kind: 'changed', change: { tool: 'share_table', author: caller.author, table: String(args.table) } });
    return answer;
  }

  /** Whoever ended the link at the edge meant the table to be private. */
  async #endedAtEdge(token: string): Promise<void> {
    await this.#core.run(async (core) => {
      const shared = await core.shared(token);
      if (!shared) return;
      await core.makePrivate(shared.table);
      this.#say({ kind: 'changed', change: { tool: 'make_private', table: shared.table, author: '' } });
    });
  }

  /** Answers the store's state after the work, and tells all tabs of the change. */
  async #changing(change: Change, work: () => Promise<void>): Promise<StoreState> {
    await work();
    this.#say({ kind: 'changed', change });
    return { problem: this.#core.problem };
  }
}

/** A link has to open for others, and a tab is no server. */
const unshareable = failed(
  'share_unavailable',
  'These tables lie in this browser alone, so a link to one would open nowhere else.',
  'In the table’s menu, “Put into a link” makes a link that carries a small table whole, and “Bundle for a website” a folder for any static host. For a link that follows the table, connect an edge under Shares.',
);

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
