/** wrangler as a child process, told to report nothing about its use and to fetch nothing that it does not need. */
import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = new URL('../../', import.meta.url);
const wrangler = fileURLToPath(new URL('node_modules/wrangler/bin/wrangler.js', root));
export const configFile = fileURLToPath(new URL('../worker/wrangler.jsonc', import.meta.url));

export interface CommandOptions {
  stdio?: StdioOptions;
  /** Leads a process group of its own, so that it ends whole. */
  detached?: boolean;
}

export function startWrangler(
  args: string[],
  { stdio = 'inherit', detached = false }: CommandOptions = {},
): ChildProcess {
  return spawn(process.execPath, [wrangler, ...args], {
    cwd: fileURLToPath(root),
    stdio,
    detached,
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
export async function runWrangler(args: string[], input?: string): Promise<number> {
  const command = startWrangler(args, { stdio: [input === undefined ? 'inherit' : 'pipe', 'inherit', 'inherit'] });
  command.stdin?.end(input);
  return new Promise((resolve) => command.once('exit', (code) => resolve(code ?? 1)));
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
    ...['dev', '--config', config, '--ip', '127.0.0.1', '--port', String(port), '--persist-to', state],
    ...['--show-interactive-dev-session=false', '--inspector-port', '0'],
    ...Object.entries(variables).flatMap(([name, value]) => ['--var', `${name}:${value}`]),
  ];
}
