/** The store goes from tab to tab, in races and with damaged headers, and no byte of it is lost. */
import type { Page } from '@playwright/test';
import { flipHeaders, removeRecord } from '../support/damage.ts';
import { columnOf, expect, openTab, rowsOf, test } from '../support/harness.ts';

const handovers = process.env.STELE_LONG ? 501 : 21;
const tabs = 3;

/** Opens, writes a row, closes, over and over. Answers the rows that were acknowledged. */
function openWriteClose(page: Page, tab: number, times: number): Promise<string[]> {
  return page.evaluate(
    async ([tab, times]) => {
      const caller = { author: 'test', read: true, write: true, share: false, origin: '' };
      const acknowledged: string[] = [];
      for (let n = 0; n < times; ++n) {
        const workspace = await window.stele.openWorkspace();
        const row = `${tab}-${n}`;
        const { isError, value } = await workspace.call(
          'write_table',
          { table: 't', rows: [{ row }], mode: 'append' },
          caller,
        );
        if (isError) throw new Error(JSON.stringify(value));
        acknowledged.push(row);
        await workspace.close();
      }
      return acknowledged;
    },
    [tab, times] as const,
  );
}

test(`${handovers} racing hand-overs among ${tabs} tabs lose nothing`, async ({ context, host }) => {
  const pages = await Promise.all(
    Array.from({ length: tabs }, async () => {
      const page = await context.newPage();
      await page.goto(`${host.origin}/`);
      return page;
    }),
  );
  const written = (await Promise.all(pages.map((page, tab) => openWriteClose(page, tab, handovers / tabs)))).flat();
  const page = await openTab(context, host);
  expect(await columnOf<string>(page, 'SELECT row FROM t ORDER BY row')).toEqual(written.sort());
});

test('a flipped byte in the header of any of the pool’s files loses nothing', async ({ context, host }) => {
  const page = await openTab(context, host);
  const caller = { author: 'test', read: true, write: true, share: false, origin: '' };
  const write = (n: number) =>
    page.evaluate(
      ([n, caller]) =>
        window.workspace.call('write_table', { table: 't', rows: [{ n }], mode: 'append' }, caller) as Promise<unknown>,
      [n, caller] as const,
    );
  // In the path, in the flags and in the digest.
  const offsets = process.env.STELE_LONG ? [0, 3, 300, 512, 513, 515, 516, 519, 523] : [3, 514, 520];
  for (const [n, offset] of offsets.entries()) {
    await write(n);
    await page.evaluate(() => window.workspace.close());
    expect(await flipHeaders(page, offset)).toBeGreaterThan(0);
    await page.evaluate(async () => void (window.workspace = await window.stele.openWorkspace()));
    expect(await page.evaluate(() => window.workspace.state.problem), `offset ${offset}`).toBeNull();
    expect(await rowsOf(page, 'SELECT count(*) FROM t')).toEqual([[n + 1]]);
  }
});

test('a header that nothing can mend stops the opening, and what lies there can be taken away', async ({
  context,
  host,
}) => {
  const page = await openTab(context, host);
  await page.evaluate(async () => {
    const caller = { author: 'test', read: true, write: true, share: false, origin: '' };
    await window.workspace.call('write_table', { table: 't', rows: [{ n: 1 }] }, caller);
    await window.workspace.close();
  });
  await removeRecord(page);
  expect(await flipHeaders(page, 3)).toBeGreaterThan(0);
  const seen = await page.evaluate(async () => {
    const workspace = (window.workspace = await window.stele.openWorkspace());
    const files = await workspace.salvage();
    const found = await Promise.all(files.map(async (file) => (await file.slice(0, 15).text()) === 'SQLite format 3'));
    return { problem: workspace.state.problem?.error, sqlite: found.includes(true) };
  });
  expect(seen).toEqual({ problem: 'storage_damaged', sqlite: true });
  const after = await page.evaluate(async () => {
    const caller = { author: 'test', read: true, write: true, share: false, origin: '' };
    const refused = await window.workspace.call('list_tables', {}, caller);
    const { problem } = await window.workspace.startEmpty();
    const empty = await window.workspace.call('list_tables', {}, caller);
    return { refused: refused.value.error, problem, total: empty.value.total };
  });
  expect(after).toEqual({ refused: 'storage_damaged', problem: null, total: 0 });
});

test('files that a worker still holds seconds after its end are waited for', async ({ context, host }) => {
  const page = await openTab(context, host);
  const caller = { author: 'test', read: true, write: true, share: false, origin: '' };
  const problem = await page.evaluate(async (caller) => {
    await window.workspace.call('write_table', { table: 't', rows: [{ n: 1 }] }, caller);
    await window.workspace.close();
    const holding = async () => {
      const root = await navigator.storage.getDirectory();
      const workspace = await (await root.getDirectoryHandle('stele')).getDirectoryHandle('default');
      const pool = await (await workspace.getDirectoryHandle('g1')).getDirectoryHandle('.opaque');
      const handles: FileSystemSyncAccessHandle[] = [];
      for (const folder of [workspace, pool])
        for await (const entry of folder.values())
          if (entry.kind === 'file') handles.push(await (entry as FileSystemFileHandle).createSyncAccessHandle());
      postMessage(handles.length);
      setTimeout(() => handles.forEach((handle) => handle.close()), 6000);
    };
    const holder = new Worker(URL.createObjectURL(new Blob([`(${holding.toString()})()`])));
    const held = await new Promise<number>((resolve) => (holder.onmessage = ({ data }) => resolve(data as number)));
    window.workspace = await window.stele.openWorkspace();
    holder.terminate();
    return held > 2 ? window.workspace.state.problem : 'nothing was held';
  }, caller);
  expect(problem).toBeNull();
  expect(await rowsOf(page, 'SELECT n FROM t')).toEqual([[1]]);
});
