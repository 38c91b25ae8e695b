/** wrangler as a child process, told to report nothing about its use and to fetch nothing that it does not need. */
import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { configFile, root, rootFolder } from './folders.ts';

const wrangler = fileURLToPath(new URL('node_modules/wrangler/bin/wrangler.js', root));

export interface CommandOptions {
  stdio?: StdioOptions;
}

export function startWrangler(args: string[], { stdio = 'inherit' }: CommandOptions = {}): ChildProcess {
  return spawn(process.execPath, [wrangler, ...args], {
    cwd: rootFolder,
    stdio,
    env: {
      ...process.env,
      WRANGLER_SEND_METRICS: 'false',
      WRANGLER_SEND_ERROR_REPORTS: 'false',
      CLOUDFLARE_CF_FETCH_ENABLED: 'false',
      WRANGLER_HIDE_BANNER: 'true',
    },
  });
}

/** Runs a command to its end; `input` is what it reads. Answers its exit code. */
export async function runWrangler(args: string[], { input, quiet = false }: RunOptions = {}): Promise<number> {
  const command = startWrangler(args, {
    stdio: [input === undefined ? 'inherit' : 'pipe', quiet ? 'ignore' : 'inherit', 'inherit'],
  });
  command.stdin?.end(input);
  return new Promise((resolve) => command.once('exit', (code) => resolve(code ?? 1)));
}

export interface RunOptions {
  input?: string;
  /** Shows what goes wrong and nothing else. */
  quiet?: boolean;
}

export interface LocalEdge {
  port: number;
  /** The folder where the objects' SQLite lies. */
  state: string;
  variables: Record<string, string>;
  config?: string;
}

/** What `wrangler dev` is told to serve the edge in workerd on this machine. */
export function localArguments({ port, state, variables, config = configFile }: LocalEdge): string[] {
  return [
    ...['dev', '--config', config, '--ip', '127.0.0.1', '--port', String(port), '--persist-to', resolve(state)],
    ...['--show-interactive-dev-session=false', '--inspector-port', '0'],
    ...Object.entries(variables).flatMap(([name, value]) => ['--var', `${name}:${value}`]),
  ];
}
