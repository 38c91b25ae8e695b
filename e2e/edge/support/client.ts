/** The official MCP client at an edge, with a personal token. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

export const eras = [
  { era: '2025', mode: 'legacy' },
  { era: '2026-07-28', mode: { pin: '2026-07-28' } },
] as const;

export type Mode = (typeof eras)[number]['mode'];

export async function connect(url: string, token: string, mode: Mode = { pin: '2026-07-28' }): Promise<Client> {
  const client = new Client({ name: 'edge-test', version: '1.0' }, { versionNegotiation: { mode } });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  return client;
}

/** A tool's structured answer; throws if it is an error. */
export async function call(
  client: Client,
  name: string,
  args: Record<string, unknown>,
  signal?: AbortSignal,
): Promise<Record<string, unknown>> {
  const { structuredContent, isError } = await client.callTool(
    { name, arguments: args },
    { timeout: 180_000, ...(signal ? { signal } : {}) },
  );
  if (isError) throw new Error(`${name}: ${JSON.stringify(structuredContent)}`);
  return structuredContent as Record<string, unknown>;
}
