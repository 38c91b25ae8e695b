/** Other MCP servers over standard input and output, each a process of its own, by the official client. */
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { timedMs } from './figure.ts';

const modules = new URL('../node_modules/', import.meta.url);
const entry = (path: string) => fileURLToPath(new URL(path, modules));

export interface McpPeer {
  /** Milliseconds from the start of its process to its first answer of a tool. */
  startMs: number;
  call(tool: string, args: Record<string, unknown>): Promise<void>;
  close(): Promise<void>;
}

/** A knowledge graph in one JSON file, read and written whole with each call. */
export function memoryServer(file: string): Promise<McpPeer> {
  return start(
    entry('@modelcontextprotocol/server-memory/dist/index.js'),
    { MEMORY_FILE_PATH: file },
    dirname(file),
    'read_graph',
  );
}

/** DuckDB natively, its tables in memory. */
export function duckdbServer(cacheFolder: string): Promise<McpPeer> {
  return start(
    entry('@seed-ship/duckdb-mcp-native/dist/server/mcp-server.js'),
    { DUCKDB_MEMORY: '1GB', DUCKDB_THREADS: '1', MCP_SECURITY_MODE: 'development', MCP_CACHE_DIR: cacheFolder },
    dirname(cacheFolder),
    'list_tables',
  );
}

/** It runs in `cwd`, where it may write logs. */
async function start(
  server: string,
  settings: Record<string, string>,
  cwd: string,
  firstTool: string,
): Promise<McpPeer> {
  const client = new Client({ name: 'bench', version: '1' });
  const env = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...settings };
  const call = async (tool: string, args: Record<string, unknown>) => {
    const { isError, content } = await client.callTool({ name: tool, arguments: args });
    if (isError) throw new Error(`${tool}: ${JSON.stringify(content)}`);
  };
  const startMs = await timedMs(async () => {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [server],
      env,
      cwd,
      stderr: 'ignore',
    });
    await client.connect(transport);
    await call(firstTool, {});
  });
  return { startMs, call, close: () => client.close() };
}
