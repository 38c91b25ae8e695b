/** This browser's agents, at document.modelContext: Chromium's own where it is turned on, the polyfill elsewhere. */
import { chromium, type Page } from '@playwright/test';
import { answer, expect, question, tablesUrl, test } from '../support/agents.ts';

interface Tool {
  name: string;
}

interface Context {
  getTools(): Promise<Tool[]>;
  executeTool(tool: Tool, input: unknown): Promise<string | null>;
}

async function toolNames(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const { modelContext } = document as unknown as { modelContext?: Context };
    return (await modelContext?.getTools())?.map(({ name }) => name) ?? [];
  });
}

/** Chromium's own takes the input as it is, the polyfill as text. */
async function execute(page: Page, name: string, input: object, asText: boolean): Promise<unknown> {
  const text = await page.evaluate(
    async ([name, input, asText]) => {
      const { modelContext } = document as unknown as { modelContext: Context };
      const tool = (await modelContext.getTools()).find((one) => one.name === name)!;
      return modelContext.executeTool(tool, asText ? JSON.stringify(input) : input);
    },
    [name, input, asText] as const,
  );
  return JSON.parse(text!);
}

const kinds = [
  { kind: 'Chromium’s own', flags: ['--enable-features=WebMCPTesting,WebMCP'], asText: false },
  { kind: 'the polyfill', flags: [], asText: true },
];

for (const { kind, flags, asText } of kinds) {
  test(`tools are there while they are allowed, by ${kind}`, async ({ hosts }, { project }) => {
    const { args = [], ...launchOptions } = project.use.launchOptions ?? {};
    const browser = await chromium.launch({ ...launchOptions, args: [...args, ...flags] });
    const page = await browser.newPage();
    await page.goto(tablesUrl(hosts));
    const read = page.getByRole('switch', { name: 'Read: This browser’s agents' });
    await read.waitFor();
    expect(await toolNames(page)).toEqual([]);

    await read.click();
    await expect.poll(() => toolNames(page)).toEqual(expect.arrayContaining(['list_tables', 'query', 'delete_table']));
    expect(await execute(page, 'list_tables', {}, asText)).toMatchObject({ tables: [] });
    const writing = execute(page, 'write_table', { table: 't', rows: [{ n: 7 }] }, asText);
    expect(await question(page)).toContain('This browser’s agents');
    await answer(page, 'Allow');
    expect(await writing).toMatchObject({ table: 't', version: 1 });
    expect(await execute(page, 'query', { sql: 'SELECT n FROM t' }, asText)).toMatchObject({ rows: [[7]] });
    expect(await execute(page, 'query', { sql: 'SELECT' }, asText)).toMatchObject({ error: expect.any(String) });
    await expect(page.getByRole('log').getByRole('listitem')).toHaveCount(4);

    if (!asText) {
      const tools = await page.webmcp.tools();
      expect(tools.find(({ name }) => name === 'list_tables')).toMatchObject({ annotations: { readOnly: true } });
      expect(await page.webmcp.callTool('describe_table', { table: 't' })).toMatchObject({ table: 't', rows: 1 });
    }

    for (const scope of ['Read', 'Write'])
      await page.getByRole('switch', { name: `${scope}: This browser’s agents` }).click();
    await expect.poll(() => toolNames(page)).toEqual([]);
    await browser.close();
  });
}
