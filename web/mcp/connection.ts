/** The SDK's server at the end of a transport. It is a file of its own, so that pages load the SDK when someone is let in. */
import type { McpServerFactory, Transport } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Tools } from '../../wasm/core.ts';
import { HomeError } from '../../wasm/home.ts';
import { mcpServerFactory } from '../../wasm/mcp_server.ts';
import { RefusingTools } from './refusing_tools.ts';

/** Serves a client of either era until the transport is closed. */
export function serveConnection(transport: Transport, tools: Tools): void {
  // The author is the client's own name until GatedTools adds what the browser vouches for, with the scopes.
  const callerFor = (author: string) => ({ author, read: false, write: false, share: false, origin: '' });
  const factory: McpServerFactory = async (context) =>
    (await mcpServerFactory(await offered(tools), callerFor))(context);
  // Made for standard input, it decides the era of any connection by its first message.
  serveStdio(factory, { transport });
}

/** A store that cannot be opened has no tools either. */
async function offered(tools: Tools): Promise<Tools> {
  try {
    await tools.tools();
    return tools;
  } catch (error) {
    if (error instanceof HomeError) return new RefusingTools(error.answer);
    throw error;
  }
}
