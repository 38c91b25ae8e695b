/**
 * What the frame that shows a link's table and the page around it say to each other. The frame has an origin of its own, no reach
 * to the store or the network, and unpacks the table itself; the page around it shows nothing of the table but its name.
 */
export type ToFrame = { kind: 'fragment'; fragment: string; host: string };

export type FromFrame = { kind: 'ready' } | { kind: 'title'; title: string };

const titleCharsMax = 200;

export function fromFrame(data: unknown): FromFrame | undefined {
  const { kind, title } = (data ?? {}) as { kind?: unknown; title?: unknown };
  if (kind === 'ready') return { kind };
  return kind === 'title' && typeof title === 'string' ? { kind, title: title.slice(0, titleCharsMax) } : undefined;
}
