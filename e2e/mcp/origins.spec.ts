/** Pages of other origins: refused, allowed, asked each time and refused again, by the person's own hand alone. */
import { answer, call, connect, expect, openAgent, openTables, question, tablesUrl, test } from '../support/agents.ts';

const eras = ['legacy', { pin: '2026-07-28' }] as const;

for (const mode of eras) {
  test(`a second origin is refused, allowed after consent and refused after withdrawal (${JSON.stringify(mode)})`, async ({
    context,
    hosts,
  }) => {
    const agent = await openAgent(context, hosts.agent);
    const tables = await openTables(agent, hosts);

    const refused = connect(agent, mode);
    refused.catch(() => {});
    expect(await question(tables)).toContain(hosts.agent.origin);
    await answer(tables, 'Don’t allow');
    await expect(refused).rejects.toThrow();
    await expect(connect(agent, mode)).rejects.toThrow();

    await tables.getByRole('button', { name: `Forget ${hosts.agent.origin}` }).click();
    const allowed = connect(agent, mode);
    await question(tables);
    await answer(tables, 'Allow');
    await allowed;
    expect(await agent.evaluate(() => window.agent.tools())).toContain('list_tables');
    expect(await call(agent, 'list_tables')).toMatchObject({ isError: false, value: { tables: [] } });

    await tables.getByRole('switch', { name: `Read: ${hosts.agent.origin}` }).click();
    await expect(call(agent, 'list_tables')).rejects.toThrow(/forbidden/);
    await expect(connect(agent, mode)).rejects.toThrow();
  });
}

test('a grant is remembered over a reload, and is for one origin', async ({ context, hosts }) => {
  const agent = await openAgent(context, hosts.agent);
  const tables = await openTables(agent, hosts);
  const connecting = connect(agent);
  await question(tables);
  await answer(tables, 'Allow');
  await connecting;
  await tables.reload();
  await tables.getByRole('switch', { name: `Read: ${hosts.agent.origin}` }).waitFor();
  await connect(agent);
  expect((await call(agent, 'list_tables')).isError).toBe(false);

  const neighbour = await openAgent(context, hosts.neighbour);
  const other = await openTables(neighbour, hosts);
  const refused = connect(neighbour);
  refused.catch(() => {});
  expect(await question(other)).toContain(hosts.neighbour.origin);
  await answer(other, 'Don’t allow');
  await expect(refused).rejects.toThrow();
});

test('a call that needs more asks for more, and shows what it wants to do', async ({ context, hosts }) => {
  const agent = await openAgent(context, hosts.agent);
  const tables = await openTables(agent, hosts);
  const connecting = connect(agent);
  await question(tables);
  await answer(tables, 'Allow');
  await connecting;

  const writing = call(agent, 'write_table', { table: 'a/b', rows: [{ n: 1 }] });
  const asked = await question(tables);
  for (const text of ['change your tables', 'write_table', 'a/b', 'reference agent 1.0']) expect(asked).toContain(text);
  await answer(tables, 'Allow');
  expect(await writing).toMatchObject({ isError: false, value: { version: 1 } });

  const publishing = call(agent, 'query', { sql: 'select n from "a/b"', receipt: true });
  expect(await question(tables)).toContain('publish tables and receipts');
  await answer(tables, 'Don’t allow');
  expect(await publishing).toMatchObject({ isError: true, value: { error: 'forbidden' } });
});

test('a destructive tool asks each time', async ({ context, hosts }) => {
  const agent = await openAgent(context, hosts.agent);
  const tables = await openTables(agent, hosts);
  const connecting = connect(agent);
  await question(tables);
  await tables.getByRole('dialog').getByRole('switch', { name: 'Write' }).click();
  await answer(tables, 'Allow');
  await connecting;
  for (const button of ['Go ahead, this once', 'Go ahead, this once', 'Don’t']) {
    expect(await call(agent, 'write_table', { table: 't', rows: [{ n: 1 }] })).toMatchObject({ isError: false });
    const deleting = call(agent, 'delete_table', { table: 't' });
    expect(await question(tables)).toContain('delete_table');
    await answer(tables, button);
    expect((await deleting).isError).toBe(button === 'Don’t');
  }
});

test('clicks of scripts grant nothing', async ({ context, hosts }) => {
  const agent = await openAgent(context, hosts.agent);
  const tables = await openTables(agent, hosts);
  const connecting = connect(agent);
  connecting.catch(() => {});
  await question(tables);
  // After the time in which no click counts, a click that does nothing is one that was not trusted.
  await expect(tables.getByRole('dialog').getByRole('button', { name: 'Allow', exact: true })).toBeEnabled();
  await tables.evaluate(() => {
    for (const button of document.querySelectorAll<HTMLButtonElement>('button')) {
      button.click();
      button.dispatchEvent(new MouseEvent('click', { bubbles: true }));
      button.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
    }
  });
  await expect(tables.getByRole('dialog')).toBeVisible();
  expect(await tables.evaluate(() => localStorage.getItem('stele.grants'))).toBeNull();
  await answer(tables, 'Not now');
  await expect(connecting).rejects.toThrow();

  await tables.evaluate(() => document.querySelectorAll<HTMLElement>('[role=switch]').forEach((one) => one.click()));
  expect(await tables.evaluate(() => localStorage.getItem('stele.grants'))).toBeNull();
});

test('the page itself has no grant of its own', async ({ context, hosts }) => {
  const tables = await context.newPage();
  await tables.goto(tablesUrl(hosts));
  await tables.getByRole('switch').first().waitFor();
  await tables.evaluate(() => {
    const payload = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_tables', arguments: {} } };
    window.postMessage({ channel: 'mcp-default', type: 'mcp', direction: 'client-to-server', payload }, '*');
  });
  expect(await question(tables)).toContain(hosts.tables.origin);
});

test('messages of a sandboxed frame, which names no origin, are neither answered nor asked about', async ({
  context,
  hosts,
}) => {
  const agent = await openAgent(context, hosts.agent);
  const popup = agent.waitForEvent('popup');
  await agent.evaluate((url) => {
    const frame = document.createElement('iframe');
    frame.sandbox.add('allow-scripts', 'allow-popups', 'allow-popups-to-escape-sandbox');
    frame.srcdoc = `<script>
      heard = [];
      onmessage = ({ data }) => heard.push(data);
      const tables = open(${JSON.stringify(url)});
      const request = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
      setInterval(() => {
        for (const channel of ['mcp-default', 'mcp-iframe'])
          for (const payload of ['mcp-check-ready', request])
            tables.postMessage({ channel, type: 'mcp', direction: 'client-to-server', payload }, '*');
      }, 100);
    </script>`;
    document.body.append(frame);
  }, tablesUrl(hosts));
  const tables = await popup;
  await tables.evaluate(() => {
    const heard: string[] = [];
    Object.assign(window, { heard });
    addEventListener('message', ({ origin }) => heard.push(origin));
  });
  await tables.getByRole('switch').first().waitFor();
  // The page has messages of its own too. Four come from the frame at a time; the first ones may find no server yet.
  const heard = () =>
    tables.evaluate(
      () => (window as unknown as { heard: string[] }).heard.filter((origin) => origin === 'null').length,
    );
  const before = await heard();
  await expect.poll(heard).toBeGreaterThan(before + 12);
  await expect(tables.getByRole('dialog')).toBeHidden();
  // That there is a server is told to whoever opened it, and nothing else.
  const announcement = expect.objectContaining({ payload: 'mcp-server-ready' });
  expect(await agent.frames().at(-1)!.evaluate('heard')).toEqual([announcement]);
});
