/** The owner's pages of a workspace, which lead to one another and to no place of a stranger's. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../tests/ts/support/temporary.ts';
import { call, connect } from './support/client.ts';
import { LocalEdge } from './support/local_edge.ts';
import { Owner } from './support/owner.ts';

const state = temporaryFolder(afterAll);
const places = ['/w/main/', '/w/main/shares', '/w/main/receipts'];
let edge: LocalEdge;
let owner: Owner;

beforeAll(async () => {
  edge = await LocalEdge.start({ state });
  owner = await Owner.setUp(edge);
});
afterAll(() => edge?.kill());

/** What the page's navigation leads to, and which of it is the page itself. */
async function navigation(path: string): Promise<{ hrefs: string[]; here: string[] }> {
  const page = await (await owner.get(path)).text();
  const nav = /<nav aria-label="Workspace main">(.*?)<\/nav>/s.exec(page)?.[1] ?? '';
  const links = [...nav.matchAll(/<a href="([^"]*)"([^>]*)>/g)];
  return {
    hrefs: links.map((link) => link[1]!),
    here: links.filter((link) => link[2]!.includes('aria-current')).map((link) => link[1]!),
  };
}

test('an empty workspace says how its agents connect, and nothing of commands for another home', async () => {
  const page = await (await owner.get('/w/main/')).text();
  expect(page).toContain(`${edge.origin}/w/main/mcp`);
  expect(page).not.toContain('npm run');
});

test.each(places)('%s leads to the others and knows itself', async (path) => {
  expect(await navigation(path)).toEqual({ hrefs: places, here: [path] });
});

test('a table leads to all of them', async () => {
  const client = await connect(`${edge.origin}/mcp`, await owner.createToken());
  await call(client, 'write_table', { table: 'birds', rows: [{ n: 1 }] });
  await client.close();
  expect(await navigation('/w/main/t/birds')).toEqual({ hrefs: places, here: [] });
  expect((await owner.get('/w/main/t/none')).status).toBe(404);
});

test('a stranger sees none of it', async () => {
  for (const path of [...places, '/w/main/t/birds']) {
    const answer = await fetch(`${edge.origin}${path}`);
    expect([path, answer.status]).toEqual([path, 404]);
    expect(await answer.text()).not.toContain('Public tables');
  }
});
