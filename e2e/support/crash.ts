/** Ends a tab as a crash or the system's memory killer does: at once, without a word to anyone. */
import type { Page } from '@playwright/test';

export async function crash(page: Page): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  const crashed = page.waitForEvent('crash');
  // It has no answer, since whoever would give it is gone.
  void cdp.send('Page.crash').catch(() => {});
  await crashed;
  await page.close();
}
