/** Opens the desk's store, or finds the desk that has it open: a file is one process's at a time. */
import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { findRunning, type OwnerTools } from './cli_link.ts';
import { deskHome } from './desk_home.ts';
import { StoreBusy } from './node_store.ts';
import { WatchedCore } from './watched_core.ts';

export interface DeskSettings {
  file: string;
  allowPrivate: boolean;
  verbose: boolean;
}

export type OpenedDesk =
  { own: WatchedCore; tools: OwnerTools; url: undefined } | { own: undefined; tools: OwnerTools; url: string };

/** What a person at a terminal is told and can mend. */
export class DeskError extends Error {}

export function defaultFile(): string {
  return join(process.env.XDG_DATA_HOME || join(homedir(), '.local', 'share'), 'stele', 'stele.sqlite');
}

const attempts = 20;
const attemptMs = 500;

/**
 * Throws DeskError if another process holds the file and does not answer for ten seconds: the time that a desk needs to start
 * or to end.
 */
export async function openDesk({ file, allowPrivate, verbose }: DeskSettings): Promise<OpenedDesk> {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  // A desk that runs already answers much sooner than a module of our own would start.
  const found = await findRunning(file);
  if (found) return { own: undefined, tools: found, url: found.url };
  const core = new WatchedCore({ file, home: deskHome({ keyFile: `${file}.key`, allowPrivate }), verbose });
  for (let attempt = 0; attempt < attempts; ++attempt) {
    try {
      await core.open();
      return { own: core, tools: core, url: undefined };
    } catch (error) {
      if (!(error instanceof StoreBusy)) throw new DeskError(`${file} cannot be opened: ${(error as Error).message}`);
    }
    const running = await findRunning(file);
    if (running) return { own: undefined, tools: running, url: running.url };
    await setTimeout(attemptMs);
  }
  throw new DeskError(`${file} is in use by another process, which does not answer. End it, or name another --file.`);
}
