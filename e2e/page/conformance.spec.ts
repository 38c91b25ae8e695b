/** The page's store, SQLite over OPFS in Chromium, keeps what the port promises: the suite of tests/conformance. */
import { expect, test } from '../support/harness.ts';

test('the store over OPFS passes the conformance suite', async ({ page, host }) => {
  await page.goto(`${host.origin}/`);
  const results = await page.evaluate(() => window.stele.checkConformance());
  expect(results.filter(({ failure }) => failure !== null)).toEqual([]);
  expect(results.length).toBeGreaterThan(20);
});
