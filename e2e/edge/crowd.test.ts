/**
 * Many workspaces at once in one isolate, each with several agents: no error, no workspace sees another's rows, and the
 * engines' memory stays within its budget. STELE_LONG=1 takes 50 workspaces for two minutes.
 */
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../tests/ts/support/temporary.ts';
import { call, connect } from './support/client.ts';
import { LocalEdge } from './support/local_edge.ts';
import { Owner } from './support/owner.ts';

const isLong = Boolean(process.env.STELE_LONG);
const seconds = isLong ? 120 : 5;
const workspaces = isLong ? 50 : 6;
const clientsEach = 4;
const budgetBytes = 90 << 20;

interface CallLine {
  outcome: string;
  used_bytes: number;
  peak_bytes: number;
  engines: number;
}

test(
  `${workspaces} workspaces of ${clientsEach} agents share an isolate for ${seconds} s`,
  { timeout: 240_000 + seconds * 2000 },
  async () => {
    const edge = await LocalEdge.start({ state: temporaryFolder() });
    onTestFinished(() => edge.kill());
    const owner = await Owner.setUp(edge);
    const names = Array.from({ length: workspaces }, (_, i) => `crowd-${i}`);
    const tokens: string[] = [];
    for (const workspace of names) {
      await owner.createWorkspace(workspace);
      tokens.push(await owner.createToken({ workspace }));
    }
    const until = Date.now() + seconds * 1000;
    const times: number[] = [];
    const agents = names.flatMap((name, i) =>
      Array.from({ length: clientsEach }, (_, agent) => work(edge, name, tokens[i]!, agent, until, times)),
    );
    const writes = await Promise.all(agents);

    for (const [i, name] of names.entries()) {
      const client = await connect(`${edge.origin}/w/${name}/mcp`, tokens[i]!);
      const mine = writes.slice(i * clientsEach, (i + 1) * clientsEach).reduce((sum, count) => sum + count, 0);
      const { tables } = (await call(client, 'list_tables', {})) as { tables: { rows: number }[] };
      expect(tables.reduce((sum, { rows }) => sum + rows, 0)).toBe(mine);
      await client.close();
    }
    const lines = edge.log.filter(({ event }) => event === 'call') as unknown as CallLine[];
    expect(lines.filter(({ outcome }) => outcome !== 'ok')).toEqual([]);
    const peak = Math.max(...lines.map(({ peak_bytes: bytes }) => bytes));
    expect(peak).toBeLessThanOrEqual(budgetBytes);
    times.sort((a, b) => a - b);
    const at = (share: number) => Math.round(times[Math.min(times.length - 1, Math.floor(times.length * share))]!);
    console.log(
      `${times.length} calls, p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, max ${at(1)} ms; engines' memory at most ${(peak / 2 ** 20).toFixed(1)} MiB`,
    );
  },
);

/** Writes and reads what it wrote, all of it with the workspace's name, until the time is over. Answers the rows it wrote. */
async function work(
  edge: LocalEdge,
  name: string,
  token: string,
  agent: number,
  until: number,
  times: number[],
): Promise<number> {
  const client = await connect(`${edge.origin}/mcp`, token);
  const table = `of-agent-${agent}`;
  let written = 0;
  const timed = async (tool: string, args: Record<string, unknown>) => {
    const began = performance.now();
    const answer = await call(client, tool, args);
    times.push(performance.now() - began);
    return answer;
  };
  do {
    await timed('write_table', {
      table,
      mode: written === 0 ? 'create' : 'append',
      rows: [{ workspace: name, n: written }],
    });
    written += 1;
    const { rows } = await timed('query', {
      sql: `select count(*), min(workspace), max(workspace), max(n) from "${table}"`,
    });
    expect(rows).toEqual([[written, name, name, written - 1]]);
  } while (Date.now() < until);
  await client.close();
  return written;
}
