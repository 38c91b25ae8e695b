/** The page beside an answer, framed by the official bridge as a chat client frames it. */
import { AxeBuilder } from '@axe-core/playwright';
import { expect, test } from '../support/agents.ts';
import type {} from '../harness/chat.ts';
import { answerViewHtml } from '../../wasm/answer_view.ts';

const rows = {
  columns: [
    { name: 'company', type: 'VARCHAR' },
    { name: 'price', type: 'DECIMAL(18,3)' },
  ],
  rows: [
    ['<img src=x onerror="top.hacked = 1">', '19.500'],
    ['=HYPERLINK("https://evil.example")', null],
    ['\u202eemca', '0.001'],
  ],
  row_count: 3,
  truncated: true,
  notice: '3 of 40 rows are shown.',
  reads: [{ table: 'research/competitors', version: 4 }],
  receipt: { id: 'abc', url: 'https://stele.example/r#abc' },
};

const described = {
  table: 'research/competitors',
  version: 4,
  rows: 1,
  bytes: 300,
  columns: [
    { name: 'company', type: 'VARCHAR', class: 'categorical', nulls: 0, distinct: 2, top: [['Acme', 1]] },
    {
      name: 'price',
      type: 'DOUBLE',
      class: 'continuous',
      nulls: 1,
      distinct: 2,
      min: 1,
      max: 19.5,
      description: 'USD',
    },
  ],
};

test.beforeEach(async ({ page, hosts }) => {
  await page.goto(`${hosts.agent.origin}/chat.html`);
  await page.waitForFunction(() => 'chat' in window);
});

for (const theme of ['light', 'dark'] as const) {
  test(`the rows of a query are a table, cells are text, in ${theme}`, async ({ page }) => {
    const height = await page.evaluate(([html, answer, theme]) => window.chat.show(html, answer, theme), [
      answerViewHtml,
      rows,
      theme,
    ] as const);
    expect(height).toBeGreaterThan(100);
    const view = page.frameLocator('iframe');
    await expect(view.getByRole('row')).toHaveCount(4);
    await expect(view.getByRole('cell').first()).toHaveText('<img src=x onerror="top.hacked = 1">');
    await expect(view.getByRole('cell', { name: 'NULL' })).toBeVisible();
    await expect(view.getByText('From research/competitors, version 4')).toBeVisible();
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
    await view.getByRole('button', { name: 'Check this figure' }).click();
    await expect.poll(() => page.evaluate(() => window.chat.opened)).toEqual(['https://stele.example/r#abc']);
    const { violations } = await new AxeBuilder({ page }).include('iframe').analyze();
    expect(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')).toEqual([]);
    if (process.env.STELE_SHOTS) await page.screenshot({ path: `${process.env.STELE_SHOTS}/chat-${theme}.png` });
  });
}

test('a described table shows its columns, and an error says what to do', async ({ page }) => {
  const show = (answer: Record<string, unknown>) =>
    page.evaluate(([html, answer]) => window.chat.show(html, answer, 'light'), [answerViewHtml, answer] as const);
  await show(described);
  const view = page.frameLocator('iframe');
  await expect(view.getByRole('row', { name: /price/ })).toContainText('1 to 19.5');
  await expect(view.getByRole('row', { name: /price/ })).toContainText('USD');
  await show({ error: 'unknown_table', message: 'There is no table "x".', hint: 'Did you mean "y"?' });
  await expect(view.getByText('Did you mean "y"?')).toBeVisible();
  await show({ table: 'sums', version: 2, rows: 7, reads: [] });
  await expect(view.getByText('Saved as sums, version 2, 7 rows')).toBeVisible();
});
