/**
 * Edge: tools/call over HTTP with a token, in workerd with the bundle that a deployment takes, beside two MCP servers over
 * standard input and output; and the first answer of a workspace that is cold.
 */
import { call, connect } from '../e2e/edge/support/client.ts';
import { setup } from '../e2e/edge/support/global_setup.ts';
import { LocalEdge } from '../e2e/edge/support/local_edge.ts';
import { Owner } from '../e2e/edge/support/owner.ts';
import { type Figure, inTurn, median, ms, timedMs } from './figure.ts';
import { duckdbServer, type McpPeer, memoryServer } from './mcp_peers.ts';
import { workFolder } from './peers.ts';

const coldRounds = 5;

interface Row {
  id: number;
  name: string;
  amount: number;
}

type Call = [tool: string, args: Record<string, unknown>];

/** The same on all three servers; `turn` tells one write from the next. */
interface Workload {
  what: string;
  rounds: number;
  /** The most that the edge may take, in what a peer takes. Neither peer makes a version; the second keeps all in memory. */
  targets: Record<'memory' | 'duckdb', number>;
  edge(turn: number): Call;
  memory(turn: number): Call;
  duckdb(turn: number): Call;
}

const rowsOf = (count: number, turn: number): Row[] =>
  Array.from({ length: count }, (_, i) => ({ id: turn * count + i, name: `${count}/${turn}/${i}`, amount: i / 4 }));

const insertion = (rows: Row[]) =>
  `INSERT INTO sales VALUES ${rows.map(({ id, name, amount }) => `(${id}, '${name}', ${amount})`).join(', ')}`;

const entities = (rows: Row[]) =>
  rows.map(({ id, name, amount }) => ({ name, entityType: 'row', observations: [`${id}`, `${amount}`] }));

function write(count: number, rounds: number, targets: Workload['targets']): Workload {
  return {
    what: `that writes ${count.toLocaleString('en')} ${count === 1 ? 'row' : 'rows'}`,
    rounds,
    targets,
    edge: (turn) => [
      'write_table',
      { table: `by-${count}`, mode: turn === 0 ? 'create' : 'append', rows: rowsOf(count, turn) },
    ],
    memory: (turn) => ['create_entities', { entities: entities(rowsOf(count, turn)) }],
    duckdb: (turn) => ['query_duckdb', { sql: insertion(rowsOf(count, turn)) }],
  };
}

/** Of the rows that the first write of 1,000 left. */
function read(count: number, rounds: number, targets: Workload['targets']): Workload {
  return {
    what: `that reads ${count} ${count === 1 ? 'row' : 'rows'}`,
    rounds,
    targets,
    edge: () => ['query', { sql: `SELECT * FROM "by-1000" WHERE id < ${count} LIMIT ${count}`, limit: count }],
    memory: () => [
      'open_nodes',
      {
        names: rowsOf(1000, 0)
          .slice(0, count)
          .map(({ name }) => name),
      },
    ],
    duckdb: () => ['query_duckdb', { sql: `SELECT * FROM sales WHERE id < ${count} LIMIT ${count}`, limit: count }],
  };
}

const workloads: Workload[] = [
  {
    what: 'that answers nothing',
    rounds: 60,
    targets: { memory: 10, duckdb: 3 },
    edge: () => ['list_tables', { search: 'none' }],
    memory: () => ['search_nodes', { query: 'none' }],
    duckdb: () => ['list_tables', { schema: 'none' }],
  },
  write(1, 60, { memory: 3, duckdb: 8 }),
  write(1000, 20, { memory: 1, duckdb: 3 }),
  read(1, 60, { memory: 1, duckdb: 6 }),
  read(500, 40, { memory: 1, duckdb: 6 }),
];

/** Milliseconds from a request to a workspace's first answer where no process runs and no engine is live. */
async function coldStartMs(edge: LocalEdge, token: string): Promise<number> {
  await edge.kill();
  return timedMs(async () => {
    await edge.start();
    const client = await connect(`${edge.origin}/mcp`, token);
    await call(client, 'list_tables', {});
    await client.close();
  });
}

/** The same where the process runs, and the object and its engine are new. */
async function coldObjectMs(edge: LocalEdge, owner: Owner, turn: number): Promise<number> {
  await owner.createWorkspace(`cold-${turn}`);
  const token = await owner.createToken({ workspace: `cold-${turn}` });
  return timedMs(async () => {
    const client = await connect(`${edge.origin}/mcp`, token);
    await call(client, 'list_tables', {});
    await client.close();
  });
}

interface Peers {
  memory: McpPeer;
  duckdb: McpPeer;
}

async function warmFigures(edge: LocalEdge, token: string, { memory, duckdb }: Peers): Promise<Figure[]> {
  const client = await connect(`${edge.origin}/mcp`, token);
  await duckdb.call('query_duckdb', { sql: 'CREATE TABLE sales (id INTEGER, name VARCHAR, amount DOUBLE)' });
  const figures: Figure[] = [];
  for (const workload of workloads) {
    const turns = { edge: 0, memory: 0, duckdb: 0 };
    const [edgeMs = 0, memoryMs = 0, duckdbMs = 0] = await inTurn(workload.rounds, [
      () => timedMs(() => call(client, ...workload.edge(turns.edge++))),
      () => timedMs(() => memory.call(...workload.memory(turns.memory++))),
      () => timedMs(() => duckdb.call(...workload.duckdb(turns.duckdb++))),
    ]);
    const against = (peer: string, peerMs: number, target: number): Figure => ({
      subject: 'edge',
      what: `a call ${workload.what}, p50 to that of ${peer}`,
      ratio: edgeMs / peerMs,
      target,
      from: `${ms(edgeMs)} against ${ms(peerMs)}`,
    });
    figures.push(
      against('server-memory', memoryMs, workload.targets.memory),
      against('duckdb-mcp-native', duckdbMs, workload.targets.duckdb),
    );
  }
  await client.close();
  return figures;
}

export async function measureEdge(): Promise<Figure[]> {
  const folder = workFolder();
  await setup();
  const edge = await LocalEdge.start({ state: folder.path('state') });
  const memory = await memoryServer(folder.path('memory.json'));
  const duckdb = await duckdbServer(folder.path('cache'));
  try {
    const owner = await Owner.setUp(edge);
    const token = await owner.createToken();
    const warm = await warmFigures(edge, token, { memory, duckdb });
    const objects: number[] = [];
    for (let turn = 0; turn < coldRounds; ++turn) objects.push(await coldObjectMs(edge, owner, turn));
    const processes: number[] = [];
    for (let turn = 0; turn < coldRounds; ++turn) processes.push(await coldStartMs(edge, token));
    const from = `${ms(duckdb.startMs)} for duckdb-mcp-native’s start to its first answer`;
    return [
      ...warm,
      {
        subject: 'edge',
        what: 'the first answer of a cold object to a peer’s start',
        ratio: median(objects) / duckdb.startMs,
        target: 1,
        from: `${ms(median(objects))} against ${from}`,
      },
      {
        subject: 'edge',
        what: 'the first answer of a cold process to a peer’s start',
        ratio: median(processes) / duckdb.startMs,
        target: 2,
        from: `${ms(median(processes))} against ${from}`,
      },
    ];
  } finally {
    await Promise.all([edge.kill(), memory.close(), duckdb.close()]);
    folder.remove();
  }
}
