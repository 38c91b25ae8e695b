/** What clients of both eras get from the page, by the official client, with and without the person's leave. */
import type { Client } from '@modelcontextprotocol/client';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { House } from '../../../web/mcp/gated_tools.ts';
import { serveParty, serveUnavailable } from '../../../web/mcp/party_server.ts';
import { ScriptedCore } from '../support/scripted_core.ts';
import { agent, byHand, connected, houseOf, type Mode, personWho, type Serve } from './support.ts';

let core: ScriptedCore;
let house: House;
const serve: Serve = (post) => serveParty(house, agent, post);

beforeEach(() => {
  core = new ScriptedCore();
  house = houseOf(core);
});

const eras: [string, Mode][] = [
  ['2025', 'legacy'],
  ['2026-07-28', { pin: '2026-07-28' }],
];

describe.each(eras)('a client of %s', (_, mode) => {
  test('waits for the person, and then has the tools', async () => {
    const { asked } = personWho(house.consent, { answer: 'allow', also: [] });
    const client = await connected(serve, mode);
    expect(asked).toEqual(['access read']);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['echo', 'fail', 'measure', 'slow']);
    expect(client.getInstructions()).toBe('Look around with echo.');
    const { structuredContent } = await client.callTool({ name: 'echo', arguments: { a: 1 } });
    expect(structuredContent).toEqual({ a: 1 });
    await client.close();
  });

  test('is named by what it says and by what the browser vouches for', async () => {
    house.grants.decide(agent, { read: 'allowed', share: 'allowed' });
    const client = await connected(serve, mode);
    await client.callTool({ name: 'echo', arguments: {} });
    expect(core.callers).toEqual([
      {
        author: 'tester 9.8 (https://agent.example)',
        read: true,
        write: false,
        share: true,
        origin: 'https://home.example',
      },
    ]);
    await client.close();
  });

  test('is refused when the person says no, and learns nothing', async () => {
    const { asked } = personWho(house.consent, { answer: 'refuse' });
    const sent: unknown[] = [];
    const overheard: Serve = (post) =>
      serve((message) => {
        sent.push(message);
        post(message);
      });
    for (let attempt = 0; attempt < 2; ++attempt) await expect(connected(overheard, mode)).rejects.toThrow();
    expect(asked).toEqual(['access read']);
    const refusal = {
      error: { message: expect.stringMatching(/may not use these tables/), data: { error: 'forbidden' } },
    };
    expect(sent).toMatchObject([refusal, refusal]);
    expect(house.activity.entries).toEqual([]);
  });

  test('gets no further answer once it was withdrawn, until it is allowed again', async () => {
    house.grants.decide(agent, { read: 'allowed' });
    const client = await connected(serve, mode);
    house.grants.withdraw(agent);
    await expect(client.callTool({ name: 'echo', arguments: {} })).rejects.toThrow(/forbidden/);
    await expect(client.listTools()).rejects.toThrow(/forbidden/);
    house.grants.decide(agent, { read: 'allowed' });
    expect((await client.callTool({ name: 'echo', arguments: { a: 2 } })).structuredContent).toEqual({ a: 2 });
    await client.close();
  });

  test('has its running calls cancelled by a withdrawal', async () => {
    house.grants.decide(agent, { read: 'allowed' });
    const client = await connected(serve, mode);
    const calling = client.callTool({ name: 'slow', arguments: {} });
    await vi.waitFor(() => expect(house.activity.entries).toHaveLength(1));
    house.grants.withdraw(agent);
    await expect(calling).rejects.toThrow(/forbidden/);
    expect(core.cancelled).toEqual(['slow']);
    await client.close();
  });

  test('is told in a frame of another site where to go', async () => {
    const client = await connected((post) => serveUnavailable('https://home.example', post), mode);
    expect(client.getInstructions()).toMatch(/storage_unavailable.*window\.open/s);
    const { structuredContent, isError } = await client.callTool({ name: 'list_tables', arguments: {} });
    expect(isError).toBe(true);
    expect(structuredContent).toMatchObject({
      error: 'storage_unavailable',
      hint: expect.stringContaining('https://home.example/'),
    });
    await client.close();
  });
});

describe('messages without leave', () => {
  test('are held while the person thinks, and answered in order', async () => {
    const sent: unknown[] = [];
    const transport = serve((message) => sent.push(message));
    transport.receive({ jsonrpc: '2.0', id: 1, method: 'ping' });
    transport.receive({ jsonrpc: '2.0', id: 2, method: 'ping' });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(sent).toEqual([]);
    house.consent.answer(house.consent.current!.id, { answer: 'allow', also: [] }, byHand);
    await vi.waitFor(() => expect(sent).toHaveLength(2));
    expect(sent).toMatchObject([
      { id: 1, result: {} },
      { id: 2, result: {} },
    ]);
  });

  test('are refused beyond fifty, so that nobody fills the memory', () => {
    const sent: unknown[] = [];
    const transport = serve((message) => sent.push(message));
    for (let id = 0; id < 60; ++id) transport.receive({ jsonrpc: '2.0', id, method: 'ping' });
    expect(sent).toHaveLength(10);
    expect(sent[0]).toMatchObject({ id: 50, error: { data: { error: 'forbidden' } } });
  });

  const cyclic: Record<string, unknown> = { jsonrpc: '2.0', id: 1, method: 'ping' };
  cyclic.params = cyclic;

  test.each([
    ['text', 'hello'],
    ['nothing', undefined],
    ['another version', { jsonrpc: '1.0', id: 1, method: 'ping' }],
    ['a cycle', cyclic],
    ['a big integer', { jsonrpc: '2.0', id: 1, method: 'ping', params: { n: 1n } }],
    ['a batch', [{ jsonrpc: '2.0', id: 1, method: 'ping' }]],
  ])('are dropped unasked when they are %s', (_, payload) => {
    const sent: unknown[] = [];
    serve((message) => sent.push(message)).receive(payload);
    expect(sent).toEqual([]);
    expect(house.consent.current).toBeUndefined();
  });
});

describe('the activity', () => {
  let client: Client;
  beforeEach(async () => {
    house.grants.decide(agent, { read: 'allowed' });
    client = await connected(serve);
  });

  test('shows a call with its client and arguments, and how it ended', async () => {
    await client.callTool({ name: 'echo', arguments: { rows: [[1], [2]], row_count: 2 } });
    await client.callTool({ name: 'fail', arguments: {} });
    expect(house.activity.entries).toMatchObject([
      {
        tool: 'fail',
        state: 'failed',
        outcome: { error: { kind: 'unknown_table', message: 'There is no table x.' } },
        undo: undefined,
      },
      { tool: 'echo', client: 'tester 9.8', party: agent, state: 'done', outcome: { rows: 2 } },
    ]);
    expect(house.activity.entries[1]!.tookMs).toBeGreaterThanOrEqual(0);
  });

  test('shows progress as it happens', async () => {
    const cancelling = new AbortController();
    const calling = client.callTool({ name: 'slow', arguments: {} }, { signal: cancelling.signal });
    await vi.waitFor(() =>
      expect(house.activity.entries).toMatchObject([{ state: 'running', progress: { what: 'counting' } }]),
    );
    cancelling.abort();
    await expect(calling).rejects.toThrow();
    await vi.waitFor(() => expect(house.activity.entries).toMatchObject([{ state: 'failed', progress: undefined }]));
  });
});
