/**
 * The MCP server around the tools, on the official SDK and for any home: one factory for both eras of the protocol. It
 * translates between the SDK and the core, and decides nothing about tables.
 */
import { type CallToolResult, type McpServerFactory, Server, type ServerContext } from '@modelcontextprotocol/server';
import type { Answer, Caller, Tools } from './core.ts';
import type { Progress } from './home.ts';
import type { JsonObject } from './instance.ts';
import { serveViews, withViews } from './mcp_apps.ts';

/** Who calls is the home's to know; the client's name and version are added as the author where it has no better one. */
export type CallerFor = (clientName: string) => Caller;

export const serverInfo = { name: 'stele', title: 'Stele', version: '0.1.0' };

const progressMsMin = 100;

/** The instructions must be known when a server is made, so the list is fetched before. */
export async function mcpServerFactory(core: Tools, callerFor: CallerFor): Promise<McpServerFactory> {
  const { tools, instructions } = await core.tools();
  return () => {
    const server = new Server(serverInfo, { capabilities: { tools: {}, resources: {} }, instructions });
    server.setRequestHandler('tools/list', () => ({ tools: withViews(tools) as never[] }));
    serveViews(server);
    server.setRequestHandler('tools/call', async (request, context) => {
      const { name, arguments: args = {} } = request.params;
      const answer = await core.call(name, args as JsonObject, callerFor(clientName(server, context)), {
        signal: context.mcpReq.signal,
        onProgress: progressNotifier(context),
      });
      return toResult(answer);
    });
    return server;
  };
}

/** Text and structure say the same; some clients show the model only one of them. */
export function toResult({ value, isError }: Answer): CallToolResult {
  const result: CallToolResult = {
    content: [{ type: 'text', text: JSON.stringify(value) }],
    structuredContent: value,
  };
  if (isError) result.isError = true;
  return result;
}

function clientName(server: Server, context: ServerContext): string {
  const envelope = context.mcpReq.envelope as Record<string, unknown> | undefined;
  const client = envelope?.['io.modelcontextprotocol/clientInfo'] ?? server.getClientVersion();
  if (typeof client !== 'object' || client === null) return '';
  const { name, version } = client as { name?: unknown; version?: unknown };
  return [name, version]
    .filter((part) => typeof part === 'string')
    .join(' ')
    .slice(0, 100);
}

/** Progress for a client that asked for it, at most ten times a second. */
function progressNotifier(context: ServerContext): (progress: Progress) => void {
  const progressToken = context.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => {};
  let sentAt = 0;
  let sent = -1;
  return ({ done, total, what }) => {
    const now = Date.now();
    // The protocol wants progress to grow with each notification.
    if (now - sentAt < progressMsMin || done <= sent) return;
    sentAt = now;
    sent = done;
    const params = {
      progressToken,
      progress: done,
      ...(total > 0 ? { total } : {}),
      ...(what ? { message: what } : {}),
    };
    void context.mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
  };
}
