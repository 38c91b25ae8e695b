/** The page inside other pages: out of reach in another site's, and in its own site's without a question to be dressed up. */
import { answer, call, connect, expect, openAgent, question, tablesUrl, test } from '../support/agents.ts';

test('in a frame of another site it answers storage_unavailable and offers a window', async ({ context, hosts }) => {
  const agent = await openAgent(context, hosts.agent);
  await agent.evaluate((url) => window.agent.open('frame', url), tablesUrl(hosts));
  await connect(agent);
  expect(await agent.evaluate(() => window.agent.instructions())).toContain('storage_unavailable');
  const { isError, value } = await call(agent, 'list_tables');
  expect(isError).toBe(true);
  expect(value).toMatchObject({ error: 'storage_unavailable', hint: expect.stringContaining(hosts.tables.origin) });

  const popup = context.waitForEvent('page');
  await agent.frameLocator('iframe').getByRole('button', { name: 'Open Stele in a window' }).click();
  await (await popup).getByRole('switch').first().waitFor();
});

test('in a frame of its own site it asks in a window of its own, and goes on once it is answered there', async ({
  context,
  hosts,
}) => {
  const agent = await openAgent(context, hosts.neighbour);
  await agent.evaluate((url) => window.agent.open('frame', url), tablesUrl(hosts));
  const connecting = connect(agent);
  const frame = agent.frameLocator('iframe');
  const link = frame.getByRole('link', { name: 'Answer in a window of its own' });
  await expect(frame.getByRole('dialog')).toBeHidden();
  const opening = context.waitForEvent('page');
  await link.click();
  const own = await opening;
  expect(await question(own)).toContain(hosts.neighbour.origin);
  await answer(own, 'Allow');
  await connecting;
  expect((await call(agent, 'list_tables')).isError).toBe(false);
  await expect(frame.getByRole('switch').first()).toBeDisabled();
});
