/** How pages look, made the same on every machine: fonts of the tests' own, and words about time that do not move. */
import AxeBuilder from '@axe-core/playwright';
import { type BrowserContext, expect, type Page } from '@playwright/test';
import { fileURLToPath } from 'node:url';

const sizes = { wide: { width: 1280, height: 800 }, narrow: { width: 360, height: 740 } } as const;
type Scheme = 'light' | 'dark';
type Size = keyof typeof sizes;

const fonts = {
  'sans.woff2': '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
  'mono.woff2': '@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2',
};
const fontHost = 'https://fonts.test';

const fontRules = `
  @font-face { font-family: 'Look Sans'; src: url(${fontHost}/sans.woff2); font-weight: 100 900; }
  @font-face { font-family: 'Look Mono'; src: url(${fontHost}/mono.woff2); font-weight: 100 900; }
  :root { --st-font: 'Look Sans'; --st-mono: 'Look Mono'; }`;

/** For every page that the context opens from now on, which must have been made with bypassCSP. */
export async function sameEverywhere(context: BrowserContext): Promise<void> {
  for (const [name, path] of Object.entries(fonts)) {
    const file = fileURLToPath(new URL(`../../node_modules/${path}`, import.meta.url));
    // The frame of a receipt has an origin of its own.
    const headers = { 'access-control-allow-origin': '*' };
    await context.route(`${fontHost}/${name}`, (route) => route.fulfill({ path: file, headers }));
  }
  await context.addInitScript((rules) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(rules);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  }, fontRules);
}

/** Faults that axe calls serious or critical. */
export async function faultsOf(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ target, failureSummary }) => `${target.join(' ')} ${failureSummary}`).join('; ')}`,
    );
}

/** Compares with the baseline and looks for faults. What differs from day to day and from machine to machine is covered. */
export async function look(page: Page, name: string, scheme: Scheme, size: Size): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme });
  await page.setViewportSize(sizes[size]);
  await page.evaluate(async () => {
    (document.activeElement as HTMLElement | null)?.blur();
    await document.fonts.ready;
  });
  await expect.soft(page).toHaveScreenshot(`${name}-${scheme}-${size}.png`, {
    animations: 'disabled',
    maxDiffPixelRatio: 0.005,
    mask: [
      page.locator('.elapsed, .copy-line code, .link-made input, .measures dd, p:has(meter) + p'),
      // Ports and times of agents.
      page.locator('.consent-who, .grants-table td:first-child, .activity-who, .activity time, .activity-outcome'),
      page.frameLocator('iframe').locator('code, time'),
    ],
    maskColor: '#8888',
  });
  expect.soft(await faultsOf(page), `${name}, ${scheme}, ${size}`).toEqual([]);
  expect
    .soft(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 'wider than the window')
    .toBeLessThanOrEqual(0);
}
