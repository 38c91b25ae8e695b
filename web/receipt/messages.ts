/**
 * What the frame that shows a receipt and the page around it say to each other. The frame has an origin of its own and no reach
 * to the store or the network; the page around it has both and shows nothing of what the receipt says.
 */
import type { Rerun } from './rerun.ts';

export type ToFrame =
  | { kind: 'receipt'; receipt: unknown; link: string; place: Place; canRerun: boolean }
  | { kind: 'problem'; message: string; hint: string }
  | { kind: 'reran'; outcome: Rerun };

/** Where the receipt came from, and who this host says holds the key. */
export interface Place {
  from: 'link' | 'store' | 'server';
  /** The server it came from, where that is another one than shows it. */
  host?: string;
  /** The host that vouches for keys, and the keys it vouches for; absent where no host vouches. */
  vouching?: { host: string; keys: string[] };
  /** The key of this browser's own workspace, if it has one. */
  ownKey?: string;
}

export type FromFrame = { kind: 'ready' } | { kind: 'height'; px: number } | { kind: 'rerun' };

export function fromFrame(data: unknown): FromFrame | undefined {
  const { kind, px } = (data ?? {}) as { kind?: unknown; px?: unknown };
  if (kind === 'ready' || kind === 'rerun') return { kind };
  return kind === 'height' && typeof px === 'number' && px >= 0 && px < 1e7 ? { kind, px } : undefined;
}
