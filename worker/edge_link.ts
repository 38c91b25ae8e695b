/**
 * EdgeLink: the edge at which this workspace's tables are made public, if the person connected one. It publishes what is shared,
 * follows later versions, and ends what is shared no longer; only bytes that the edge lacks travel. The token lies outside the
 * store and its backups.
 */
import * as v from 'valibot';
import { Publisher, type PublicCopy } from '../edge/share/publisher.ts';
import { type ReadChunk, sharedTables, type TableCopy } from '../edge/share/table_copy.ts';
import { HomeError } from '../wasm/home.ts';
import type { PublicReceiptsAnswer } from '../wasm/views.ts';
import type { SqlStore } from '../wasm/sql_store.ts';

/** What is kept of an edge: where links begin, and the token that opens it. */
interface Connection {
  base: string;
  token: string;
  /** Links that the person let go there: those there were when it was connected, and those made since. */
  links: string[];
  /** A digest of what was last made public there, by link. */
  published: Record<string, string>;
}

const baseSchema = v.object({ base: v.pipe(v.string(), v.url()) });
const missingSchema = v.object({
  missing: v.array(v.object({ of: v.picklist(['segment', 'deletion']), id: v.number(), sha256: v.string() })),
});

const receiptsSchema = v.object({
  receipts: v.array(
    v.object({
      id: v.string(),
      created_at: v.string(),
      author: v.string(),
      message: v.string(),
      sql: v.string(),
      row_count: v.number(),
      tables: v.array(v.object({ path: v.string(), version: v.number() })),
      in_link: v.boolean(),
    }),
  ),
  total: v.number(),
});

const againMs = 30_000;
/** The bytes that are missing, then the rest that went meanwhile. */
const roundsMax = 3;

export class EdgeLink {
  #workspace: string;
  #store: () => SqlStore;
  #onEnded: (token: string) => void;
  #connection: Promise<Connection | undefined>;
  #retry: ReturnType<typeof setTimeout> | undefined;

  /** `onEnded`: told of a link that was ended at the edge. */
  constructor(workspace: string, store: () => SqlStore, onEnded: (token: string) => void) {
    this.#workspace = workspace;
    this.#store = store;
    this.#onEnded = onEnded;
    this.#connection = kept(workspace);
  }

  /** Where links begin; undefined while no edge is connected. */
  async base(): Promise<string | undefined> {
    return (await this.#connection)?.base;
  }

  /** `address`: of the edge, or any page of it. Throws HomeError if it does not answer or does not take the token. */
  async connect(address: string, token: string): Promise<string> {
    const origin = originOf(address);
    const response = await asked(`${origin}/published`, token, { method: 'GET' });
    if (response.status === 401) throw refused('The edge does not know this token.', 'Make one under /account there.');
    if (!response.ok) throw refusedBy(await response.json().catch(() => ({})));
    const answer = v.safeParse(baseSchema, await response.json().catch(() => undefined));
    if (!answer.success || originOf(answer.output.base) !== origin)
      throw refused('There is no Stele at this address.', 'Give the address that its account page has.');
    const links = sharedTables(this.#store()).map((shared) => shared.token);
    const connection: Connection = { base: answer.output.base, token, links, published: {} };
    await keep(this.#workspace, connection);
    this.#connection = Promise.resolve(connection);
    this.syncSoon();
    return connection.base;
  }

  /** What is public there stays so until it is ended there. */
  async disconnect(): Promise<void> {
    clearTimeout(this.#retry);
    await keep(this.#workspace, undefined);
    this.#connection = Promise.resolve(undefined);
  }

  /** Brings what is public there to where the tables are now. Throws HomeError. */
  async sync(): Promise<void> {
    clearTimeout(this.#retry);
    const connection = await this.#connection;
    if (!connection) return;
    try {
      await this.#publisher(connection).sync();
    } catch (error) {
      this.#retry = setTimeout(() => this.syncSoon(), againMs);
      throw error instanceof HomeError ? error : refused('The edge could not be reached.', 'It is tried again.');
    } finally {
      await keep(this.#workspace, connection);
    }
  }

  /** Makes a table public there whose link was just made. Throws HomeError. */
  async publish(url: string): Promise<void> {
    const connection = await this.#connection;
    const link = url.split('/').at(-1)!;
    if (connection && !connection.links.includes(link)) connection.links.push(link);
    await this.sync();
  }

  /** sync(), and again after a while if it fails. */
  syncSoon(): void {
    this.sync().catch(() => {});
  }

  /** Receipts that were made at the edge, newest first. Throws HomeError, `forbidden` if the token is not for reading. */
  async receipts(): Promise<PublicReceiptsAnswer> {
    const { base, token } = await this.#connected();
    const response = await asked(`${base}/published/receipts`, token, { method: 'GET' });
    const answer: unknown = await response.json().catch(() => ({}));
    if (!response.ok) throw refusedBy(answer);
    return v.parse(receiptsSchema, answer);
  }

  /** Its address there leads nowhere from then on. Throws HomeError. */
  async withdrawReceipt(id: string): Promise<void> {
    const { base, token } = await this.#connected();
    const place = `${base}/published/receipts/${encodeURIComponent(id)}`;
    const response = await asked(place, token, { method: 'DELETE' });
    if (!response.ok) throw refusedBy(await response.json().catch(() => ({})));
  }

  async #connected(): Promise<Connection> {
    const connection = await this.#connection;
    if (!connection) throw refused('No edge is connected.', 'Connect one under Shares.');
    return connection;
  }

  #publishing: { of: Connection; publisher: Publisher } | undefined;

  #publisher(connection: Connection): Publisher {
    if (this.#publishing?.of === connection) return this.#publishing.publisher;
    const store: SqlStore = {
      query: (sql, params) => this.#store().query(sql, params),
      commit: (batch) => this.#store().commit(batch),
    };
    const publisher = new Publisher({
      store,
      published: {
        read: () => connection.published,
        write: (published) => (connection.published = published),
      },
      allowsSql: () => false,
      // A store that came as a backup may have links of its own, which nobody let go there.
      concerns: (token) => connection.links.includes(token),
      copyAt: (token) => this.#copyAt(connection, token),
    });
    this.#publishing = { of: connection, publisher };
    return publisher;
  }

  #copyAt({ base, token: secret }: Connection, token: string): PublicCopy {
    const url = `${base}/published/${token}`;
    return {
      publish: async (copy: TableCopy, read: ReadChunk) => {
        for (let round = 0; round < roundsMax; ++round) {
          const response = await asked(url, secret, { method: 'POST', body: JSON.stringify(copy) });
          if (response.ok) return;
          const answer: unknown = await response.json().catch(() => ({}));
          if (response.status === 410) return this.#onEnded(token);
          if (response.status !== 409) throw refusedBy(answer);
          const { missing } = v.parse(missingSchema, answer);
          for (const { of, id, sha256 } of missing) await send(`${url}/${sha256}`, secret, (n) => read(of, id, n));
        }
        throw refused('The edge misses bytes that were sent to it.', 'It is tried again.');
      },
      end: async () => {
        const response = await asked(url, secret, { method: 'DELETE' });
        if (!response.ok && response.status !== 404) throw refusedBy(await response.json().catch(() => ({})));
      },
    };
  }
}

async function send(url: string, secret: string, chunk: (n: number) => Promise<Uint8Array | null>): Promise<void> {
  for (let n = 0; ; ++n) {
    const bytes = await chunk(n);
    if (!bytes) return;
    const response = await asked(`${url}/${n}`, secret, { method: 'PUT', body: bytes as Uint8Array<ArrayBuffer> });
    if (!response.ok) throw refusedBy(await response.json().catch(() => ({})));
  }
}

async function asked(url: string, token: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...init, headers: { authorization: `Bearer ${token}` } });
  } catch {
    throw refused(`${new URL(url).host} could not be reached.`, 'Look whether the edge is there; it is tried again.');
  }
}

function originOf(address: string): string {
  const text = /^https?:\/\//.test(address) ? address : `https://${address}`;
  if (!URL.canParse(text)) throw refused(`${address} is no address.`, 'Write https://stele.example.');
  return new URL(text).origin;
}

function refused(message: string, hint: string): HomeError {
  return new HomeError('unavailable', message, hint);
}

/** In the edge's own words, if it has some. */
function refusedBy(answer: unknown): HomeError {
  const { error, message, hint } = (answer ?? {}) as { error?: unknown; message?: unknown; hint?: unknown };
  return new HomeError(
    error === 'forbidden' ? 'forbidden' : 'unavailable',
    String(message ?? 'The edge refused.'),
    String(hint ?? 'Look at its account page.'),
  );
}

const edges = 'edges';

async function kept(workspace: string): Promise<Connection | undefined> {
  return inDatabase('readonly', (store) => store.get(workspace) as IDBRequest<Connection | undefined>);
}

async function keep(workspace: string, connection: Connection | undefined): Promise<void> {
  const write = (store: IDBObjectStore): IDBRequest =>
    connection ? store.put(connection, workspace) : store.delete(workspace);
  await inDatabase<unknown>('readwrite', write);
}

async function inDatabase<T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const opening = indexedDB.open('stele-edges', 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(edges);
  const database = await answered(opening);
  try {
    return await answered(work(database.transaction(edges, mode, { durability: 'strict' }).objectStore(edges)));
  } finally {
    database.close();
  }
}

function answered<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
