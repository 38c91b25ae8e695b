/** The desk's HTTP server on the loopback address: MCP, pages and the link for commands. It answers no foreign Host or Origin. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
} from '@modelcontextprotocol/server';
import type { Caller, CoreApi } from '../../wasm/core.ts';
import { type Access, callerOf, scopes } from '../handler/access.ts';
import { Agents } from '../handler/agents.ts';
import { handle, type HandlerEnv } from '../handler/handler.ts';
import { fileAsset } from './assets.ts';
import { announce, linkHandler, linkPath } from './cli_link.ts';
import { nodeListener } from './http_adapter.ts';

export interface ServerOptions {
  core: CoreApi;
  storeFile: string;
  /** 0 for a free one. */
  port: number;
  onError(error: unknown): void;
}

export interface RunningServer {
  origin: string;
  close(): Promise<void>;
}

/** Everyone on the loopback address is the owner: the operating system's users are the border here. */
const owner: Access = { id: 'owner', author: '', scopes };

export function deskCaller(author: string, origin: string): Caller {
  return callerOf(owner, author, origin);
}

export async function startServer({ core, storeFile, port, onError }: ServerOptions): Promise<RunningServer> {
  const server = createServer();
  await listen(server, port);
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const link = announce(storeFile, origin);
  const agents = new Agents(core, origin);
  const env: HandlerEnv = { core, base: origin, agents, accessOf: () => owner, asset: fileAsset };
  const commands = linkHandler(core, link.token);

  async function route(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    // Shared rows, and the files of pages, which hold no data, are for anyone: the frame of a receipt has an origin of its own.
    const isForAnyone = pathname.startsWith('/s/') || pathname.startsWith('/assets/');
    const refused =
      hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
      (isForAnyone ? undefined : originValidationResponse(request, localhostAllowedOrigins()));
    if (refused) return refused;
    return pathname === linkPath ? commands(request) : handle(request, env);
  }

  server.on('request', nodeListener(route, onError));
  return {
    origin,
    async close() {
      link.withdraw();
      await agents.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function listen(server: Server, port: number): Promise<void> {
  // A long import may go on for minutes before its first byte of an answer.
  server.requestTimeout = 0;
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
}
