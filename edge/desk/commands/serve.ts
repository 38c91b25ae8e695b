/** The commands that stay: `stele serve` and `stele mcp`. */
import { spawn } from 'node:child_process';
import { mcpServerFactory } from '../../../wasm/mcp_server.ts';
import { DeskError, openDesk } from '../open_desk.ts';
import { deskCaller, type RunningServer, startServer } from '../server.ts';
import { SharedDesk } from '../shared_desk.ts';
import { serveStdin } from '../stdio.ts';
import type { WatchedCore } from '../watched_core.ts';
import type { Options } from './run.ts';

const usualPort = 7411;

export async function serve(options: Options, port: number | undefined, open: boolean): Promise<number> {
  const desk = await openDesk(options);
  if (!desk.own) throw new DeskError(`${options.file} is served already: ${desk.url}`);
  const server = await listen(desk.own, options, port);
  process.stdout.write(`Stele    ${server.origin}
MCP      ${server.origin}/mcp
Store    ${options.file}

Connect an agent:
  claude mcp add --transport http stele ${server.origin}/mcp

Stop with Ctrl+C.
`);
  if (open) openInBrowser(server.origin);
  await untilStopped();
  await server.close();
  await desk.own.close();
  return 0;
}

export async function mcp(options: Options): Promise<number> {
  const desk = await SharedDesk.join(options, (core) => listen(core, options, 0));
  await serveStdin(await mcpServerFactory(desk, (client) => deskCaller(client, desk.origin)));
  await desk.leave();
  return 0;
}

async function listen(core: WatchedCore, { file }: Options, port: number | undefined): Promise<RunningServer> {
  const onError = (error: unknown) => process.stderr.write(`${String(error)}\n`);
  const start = (at: number) => startServer({ core, storeFile: file, port: at, onError });
  try {
    return await start(port ?? usualPort);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    if (port !== undefined) throw new DeskError(`Port ${port} is taken. Name another --port, or 0 for a free one.`);
    return start(0);
  }
}

function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });
}

function openInBrowser(url: string): void {
  const command = process.platform === 'darwin' ? 'open' : process.platform === 'win32' ? 'explorer' : 'xdg-open';
  spawn(command, [url], { stdio: 'ignore', detached: true })
    .on('error', () => process.stderr.write(`Open ${url} in a browser.\n`))
    .unref();
}
