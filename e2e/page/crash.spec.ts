/** A tab that is killed in the middle of writes loses nothing that was acknowledged and leaves nothing half done. */
import type { Page } from '@playwright/test';
import { crash } from '../support/crash.ts';
import { call, columnOf, expect, openTab, rowsOf, test } from '../support/harness.ts';

const kills = process.env.STELE_LONG ? 100 : 10;
const rowsPerWrite = 7;

/** Appends batch after batch until the tab ends, telling the test of each that was acknowledged. */
async function writeWithoutEnd(page: Page, from: number, acknowledged: Set<number>): Promise<void> {
  await page.exposeFunction('acknowledge', (batch: number) => void acknowledged.add(batch));
  await page.evaluate(
    ([from, rowsPerWrite]) => {
      const { acknowledge } = window as unknown as { acknowledge(batch: number): void };
      const caller = { author: 'test', read: true, write: true, share: false, origin: '' };
      void (async () => {
        for (let batch = from; ; ++batch) {
          const rows = Array.from({ length: rowsPerWrite }, (_, n) => ({ batch, n, text: `${batch}-${n}`.repeat(50) }));
          const { isError } = await window.workspace.call('write_table', { table: 't', rows, mode: 'append' }, caller);
          if (!isError) acknowledge(batch);
        }
      })();
    },
    [from, rowsPerWrite] as const,
  );
}

test(`a tab killed in the middle of writes, ${kills} times`, async ({ context, host }) => {
  const acknowledged = new Set<number>();
  for (let kill = 0; kill < kills; ++kill) {
    const page = await openTab(context, host);
    const seen = acknowledged.size;
    await writeWithoutEnd(page, kill * 1_000_000, acknowledged);
    await expect.poll(() => acknowledged.size, { intervals: [5] }).toBeGreaterThan(seen + (kill % 3));
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 100));
    await crash(page);
  }
  const page = await openTab(context, host);
  const halves = await rowsOf(page, `SELECT batch, count(*) FROM t GROUP BY 1 HAVING count(*) <> ${rowsPerWrite}`);
  expect(halves).toEqual([]);
  const stored = new Set(await columnOf<number>(page, 'SELECT DISTINCT batch FROM t ORDER BY batch'));
  expect([...acknowledged].filter((batch) => !stored.has(batch))).toEqual([]);
  await call(page, 'write_table', { table: 't', rows: [{ batch: -1, n: 0, text: '' }], mode: 'append' });
});
