/** Receipts: made, shown, checked, run again; and never called more than they are. */
import type { Page } from '@playwright/test';
import { expect, samplePath, test as base, visit } from '../support/app.ts';

const sql = `SELECT sum(cups)::INT AS cups FROM "${samplePath}"`;
const shown = (page: Page) => page.frameLocator('iframe[title="Receipt"]');

/** The link of the one receipt that there is in the shared browser. */
const test = base.extend<object, { link: string }>({
  link: [
    async ({ sampled }, use) => {
      const page = await sampled.newPage();
      await visit(page, new URL(`/query?${new URLSearchParams({ sql })}`, sampled.pages()[0]!.url()).href);
      await page.getByRole('button', { name: 'Make a receipt' }).click();
      const link = (await page.locator('.receipt-note code').textContent())!;
      await page.close();
      await use(link);
    },
    { scope: 'worker' },
  ],
});

/** The link with its receipt changed. */
function tampered(link: string, change: (receipt: Record<string, string>) => void): string {
  const [start, fragment] = link.split('#');
  const receipt = JSON.parse(Buffer.from(fragment!, 'base64url').toString()) as Record<string, string>;
  change(receipt);
  return `${start}#${Buffer.from(JSON.stringify(receipt)).toString('base64url')}`;
}

test('a receipt of this browser names its own key, and runs again to the same rows', async ({ read, link }) => {
  expect(link.length).toBeLessThan(2000);
  const page = await read('/receipts');
  await page.locator('.receipts [data-row]').click();
  await expect(shown(page).getByRole('status').first()).toContainText('the key of the workspace in this browser');
  await expect(shown(page).locator('.figure')).toContainText('cups');
  await expect(shown(page).getByText(`${samplePath}, version 2`)).toBeVisible();
  await shown(page).getByRole('button', { name: 'Run it again' }).click();
  await expect(shown(page).getByText('same 1 row.')).toBeVisible();
});

test('receipts are listed with what they read', async ({ read, link }) => {
  expect(link).toContain('/r#');
  const page = await read('/receipts');
  await expect(page.locator('.receipts > li')).toHaveCount(1);
  await expect(page.locator('.receipts > li')).toContainText(`1 row from ${samplePath}@2`);
  await expect(page.locator('.receipts > li')).toContainText('cannot be recalled from whoever has it');
});

test('a receipt too long for a link says that it opens in this browser only', async ({ openWithSample }) => {
  const page = await openWithSample();
  await visit(page, `/query?${new URLSearchParams({ sql: `SELECT 1 AS one /* ${'x'.repeat(2000)} */` })}`);
  await page.getByRole('button', { name: 'Make a receipt' }).click();
  await expect(page.getByRole('link', { name: 'Open the receipt' })).toBeVisible();
  await visit(page, '/receipts');
  await expect(page.locator('.receipts > li')).toContainText('It opens in this browser only.');
});

test('a stranger reads a link without the app, and is told that nobody vouches', async ({ link, browser }) => {
  const stranger = await (await browser.newContext()).newPage();
  await stranger.goto(link);
  await expect(shown(stranger).getByRole('status').first()).toContainText('Nobody vouches for this key');
  await expect(shown(stranger).getByText('It came with the link itself.')).toBeVisible();
  const databases = await stranger.evaluate(async () => (await navigator.storage.getDirectory()).keys().next());
  expect(databases.done).toBe(true);
  await stranger.context().close();
});

test('a changed or forged receipt is never called unchanged', async ({ link, page }) => {
  const changed = tampered(link, (receipt) => {
    receipt.document = receipt.document!.replace(/"rows":\[\[\d+\]\]/, '"rows":[[999999]]');
  });
  const { createHash } = await import('node:crypto');
  const forged = tampered(changed, (receipt) => {
    receipt.digest = createHash('sha256').update(receipt.document!).digest('hex');
  });
  for (const [url, word] of [
    [changed, 'Changed'],
    [forged, 'Forged'],
  ] as const) {
    await page.goto('about:blank');
    await page.goto(url);
    const said = shown(page).getByRole('status').first();
    await expect(said).toContainText(word);
    await expect(said).not.toContainText(/Unchanged|vouches|verified/);
    await expect(shown(page).getByRole('button')).toHaveCount(0);
  }
});

test('a receipt that someone else signed anew is not called verified', async ({ link, page }) => {
  const { createHash, generateKeyPairSync, sign } = await import('node:crypto');
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const forged = tampered(link, (receipt) => {
    receipt.document = receipt.document!.replace(/"rows":\[\[\d+\]\]/, '"rows":[[999999]]');
    receipt.digest = createHash('sha256').update(receipt.document).digest('hex');
    receipt.public_key = publicKey.export({ format: 'jwk' }).x!;
    receipt.signature = sign(null, Buffer.from(receipt.digest), privateKey).toString('base64url');
  });
  await page.goto('about:blank');
  await page.goto(forged);
  await expect(shown(page).getByText('999999', { exact: true })).toBeVisible();
  await expect(shown(page).getByRole('status').first()).toContainText('Nobody vouches for this key');
  await expect(shown(page).locator('.said.good')).toHaveCount(0);
  await expect(shown(page).locator('body')).not.toContainText(/verified|this browser\.$|vouched/);
});

test('a link that is cut says so', async ({ link, page }) => {
  await page.goto('about:blank');
  await page.goto(link.slice(0, -40));
  await expect(shown(page).getByText('The link is damaged.')).toBeVisible();
});

test('scripts of a receipt have no reach to the store or the network', async ({ sampled, link }) => {
  const page = await sampled.newPage();
  await visit(page, link);
  await expect(shown(page).getByRole('heading', { name: 'Receipt' })).toBeVisible();
  const frame = page.frames().find((one) => one.url().endsWith('/receipt_view.html'))!;
  const reach = await frame.evaluate(async () => {
    const tried = async (work: () => unknown) => {
      try {
        await work();
        return 'reached';
      } catch (error) {
        return (error as Error).name;
      }
    };
    return {
      origin: origin,
      storage: await tried(() => navigator.storage.getDirectory()),
      local: await tried(() => localStorage.length),
      parent: await tried(() => window.parent.document.title),
      network: await tried(() => fetch('/')),
    };
  });
  expect(reach.origin).toBe('null');
  await page.close();
  for (const [name, outcome] of Object.entries(reach)) if (name !== 'origin') expect(outcome, name).not.toBe('reached');
});
