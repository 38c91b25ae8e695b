/** Access: what one request may do, as whoever let it in decided. The handler acts on it and never decides it. */
import type { Caller } from '../../wasm/core.ts';

export const scopes = ['read', 'write', 'share'] as const;
export type Scope = (typeof scopes)[number];

export interface Access {
  /** Tells one token or session from another; sessions of agents are kept apart by it. It is no secret. */
  id: string;
  /** Who writes, where the client does not say its name. */
  author: string;
  scopes: readonly Scope[];
}

export function callerOf(access: Access, client: string, base: string): Caller {
  const may = (scope: Scope) => access.scopes.includes(scope);
  return {
    author: client || access.author,
    read: may('read'),
    write: may('write'),
    share: may('share'),
    origin: base,
  };
}
