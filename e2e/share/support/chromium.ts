/** Chromium as the tests run it, and what is wrong with a page in it for those who see, point or hear differently. */
import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, chromium, expect, type Page } from '@playwright/test';
import { gzipSync } from 'node:zlib';

/** On a machine where other tests run. */
export const browserExpect = expect.configure({ timeout: 20_000 });

/** `more`: switches for the browser beside those of every test. */
export function launch(more: string[] = []): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.STELE_CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-quic', '--disable-background-networking', ...more],
  });
}

/** What axe calls serious or critical, in these colour schemes. */
export async function barriers(of: Page, schemes: ('light' | 'dark')[] = ['light', 'dark']): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of schemes) {
    await of.emulateMedia({ colorScheme });
    const { violations } = await new AxeBuilder({ page: of }).analyze();
    found.push(
      ...violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, nodes }) => `${colorScheme} ${id}: ${nodes.map(({ target }) => target).join(', ')}`),
    );
  }
  return found;
}

/** What runs over the window's edge sideways, in pixels. */
export function overflow(of: Page): Promise<number> {
  return of.evaluate(() => document.documentElement.scrollWidth - innerWidth);
}

/** What the console complained of: refused by a policy, thrown, not found. */
export function complaints(of: Page): string[] {
  const heard: string[] = [];
  of.on('console', (message) => message.type() === 'error' && heard.push(message.text()));
  of.on('pageerror', (error) => heard.push(String(error)));
  return heard;
}

/** Answers, when it is asked, how many bytes of script the page has loaded since now, compressed. */
export function scriptBytes(of: Page): () => Promise<number> {
  const sizes: Promise<number>[] = [];
  of.on('response', (response) => {
    if (response.url().endsWith('.js')) sizes.push(response.body().then((body) => gzipSync(body, { level: 9 }).length));
  });
  return async () => (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
