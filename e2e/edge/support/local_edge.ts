/** A real edge: workerd over the bundle that globalSetup made, on a free port, and a state folder that outlives it. */
import type { ChildProcess } from 'node:child_process';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { newSetupToken, newSigningKey } from '../../../edge/operate/secrets.ts';
import { bundleFolder, configFile, publicFolder } from '../../../edge/operate/folders.ts';
import { startWorkerd } from './workerd.ts';

const startMsMax = 60_000;

export interface EdgeOptions {
  /** The folder of the objects' SQLite. */
  state: string;
  allowPrivate?: boolean;
  /** See WorkerdOptions. */
  internet?: number | undefined;
  bundle?: string;
  config?: string;
}

export class LocalEdge {
  readonly origin: string;
  readonly setupToken = newSetupToken();
  /** The structured lines of the log so far. */
  readonly log: Record<string, unknown>[] = [];
  /** All that it printed. */
  printed = '';
  #options: EdgeOptions;
  #port: number;
  #signingKey: string;
  #process: ChildProcess | undefined;

  static readonly #running = new Set<LocalEdge>();

  private constructor(options: EdgeOptions, port: number, signingKey: string) {
    this.#options = options;
    this.#port = port;
    this.#signingKey = signingKey;
    this.origin = `http://localhost:${port}`;
  }

  static async start(options: EdgeOptions): Promise<LocalEdge> {
    const edge = new LocalEdge(options, await freePort(), await newSigningKey());
    await edge.start();
    return edge;
  }

  static async killAll(): Promise<void> {
    await Promise.all([...LocalEdge.#running].map((edge) => edge.kill()));
  }

  /** For the end of this process, which waits for nothing. */
  static killAllNow(): void {
    for (const edge of LocalEdge.#running) edge.#process?.kill('SIGKILL');
  }

  /** Starts it, also again after kill(), over the same state. */
  async start(): Promise<void> {
    const variables = {
      STELE_ORIGIN: this.origin,
      STELE_SETUP_TOKEN: this.setupToken,
      STELE_SIGNING_KEY: this.#signingKey,
      STELE_ALLOW_PRIVATE: String(this.#options.allowPrivate ?? false),
    };
    const { state, bundle = bundleFolder, config = configFile, internet } = this.#options;
    const started = startWorkerd({
      port: this.#port,
      bundle,
      assets: publicFolder,
      configFile: config,
      state,
      variables,
      internet,
    });
    this.#process = started;
    LocalEdge.#running.add(this);
    const reader = this.#reader();
    started.stdout?.setEncoding('utf8').on('data', reader);
    started.stderr?.setEncoding('utf8').on('data', reader);
    const until = Date.now() + startMsMax;
    for (;;) {
      const answered = await fetch(`${this.origin}/health`).then(
        (response) => response.ok,
        () => false,
      );
      if (answered) return;
      if (started.exitCode !== null || Date.now() > until) throw new Error(`the edge did not start:\n${this.printed}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** Ends workerd at once, as a power cut would. */
  async kill(): Promise<void> {
    const running = this.#process;
    LocalEdge.#running.delete(this);
    if (!running || running.exitCode !== null) return;
    const ended = new Promise((resolve) => running.once('close', resolve));
    running.kill('SIGKILL');
    await ended;
    this.#process = undefined;
  }

  #reader(): (text: string) => void {
    let rest = '';
    return (text) => {
      this.printed += text;
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (line.startsWith('{"event"')) this.log.push(JSON.parse(line) as Record<string, unknown>);
      }
    };
  }
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
