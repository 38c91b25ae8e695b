/** A full disk refuses the write that does not fit, says so, and leaves every version as it was. */
import { answer, call, expect, openTab, rowsOf, test } from '../support/harness.ts';

test('a write beyond the quota is storage_full, changes nothing, and goes through once there is room', async ({
  context,
  host,
}) => {
  const page = await openTab(context, host);
  await call(page, 'write_table', { table: 't', rows: [{ n: 0, text: 'first' }] });
  const cdp = await context.newCDPSession(page);
  const usage = await page.evaluate(async () => (await navigator.storage.estimate()).usage ?? 0);
  await cdp.send('Storage.overrideQuotaForOrigin', { origin: host.origin, quotaSize: usage + (2 << 20) });

  // Text that does not compress.
  const rows = Array.from({ length: 5000 }, (_, n) => ({ n, text: crypto.randomUUID().repeat(30) + Math.random() }));
  let refused;
  for (let attempt = 0; attempt < 8 && !refused?.isError; ++attempt) {
    refused = await answer(page, 'write_table', {
      table: `big/${attempt}`,
      rows: rows.map((row) => ({ ...row, text: `${row.text}${Math.random()}${crypto.randomUUID().repeat(9)}` })),
    });
  }
  expect(refused).toMatchObject({ isError: true, value: { error: 'storage_full' } });
  expect(await rowsOf(page, 'SELECT text FROM t')).toEqual([['first']]);

  await cdp.send('Storage.overrideQuotaForOrigin', { origin: host.origin });
  await call(page, 'write_table', { table: 't', rows: [{ n: 1, text: 'second' }], mode: 'append' });
  expect(await rowsOf(page, 'SELECT count(*) FROM t')).toEqual([[2]]);
});

test('the space that is used is told', async ({ context, host }) => {
  const page = await openTab(context, host);
  await call(page, 'write_table', { table: 't', rows: [{ n: 0 }] });
  const { usedBytes, availableBytes, storeBytes, persisted } = await page.evaluate(() => window.workspace.storage());
  expect(storeBytes).toBeGreaterThan(0);
  expect(usedBytes).toBeGreaterThanOrEqual(storeBytes);
  // What browsers say here need not be what there is: a disk that is full is found out by writing.
  expect(availableBytes).toBeGreaterThan(0);
  expect(persisted).toBe(false);
});
