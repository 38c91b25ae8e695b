/** The cases of tests/cases/checks in a tab, over OPFS: a test for each lettered check. Each case has a store of its own. */
import type { Page } from '@playwright/test';
import { casesWithinLimits } from '../../tests/ts/support/cases.ts';
import { bytesOf, playSteps } from '../../tests/ts/support/steps.ts';
import type { ToolList } from '../../wasm/core.ts';
import { answer, expect, openTab, test } from '../support/harness.ts';

for (const { case: title, files = {}, checks } of casesWithinLimits) {
  test.describe(`case ${title}`, () => {
    test.describe.configure({ mode: 'serial' });
    let page: Page;
    test.beforeAll(async ({ browser, host }) => {
      const context = await browser.newContext();
      await context.route('https://files.example/**', async (route) => {
        const file = files[route.request().url()];
        if (!file) return route.fulfill({ status: 404 });
        const headers = { 'access-control-allow-origin': '*' };
        return route.fulfill({
          body: bytesOf(file),
          contentType: file.content_type ?? 'application/octet-stream',
          headers,
        });
      });
      page = await openTab(context, host);
    });
    test.afterAll(() => page.context().close());

    for (const { check, holds, steps } of checks) {
      test(`${check}: ${holds}`, async () => {
        const tools = () => page.evaluate(() => window.workspace.tools() as Promise<unknown>) as Promise<ToolList>;
        const failures = await playSteps({ tools, call: (tool, args) => answer(page, tool, args) }, steps);
        expect(failures).toEqual([]);
      });
    }
  });
}
