/**
 * What the Worker tells a workspace's object with a request that it let in: who asks, and where links begin. Objects are
 * reached by the Worker alone, which takes these headers from whatever came in before it sets its own.
 */
import type { Access } from '../handler/access.ts';

const accessHeader = 'x-stele-access';
const baseHeader = 'x-stele-base';

export interface Admission {
  base: string;
  /** Undefined for a stranger with a link. */
  access: Access | undefined;
}

export function admitted(request: Request, { base, access }: Admission): Request {
  const headers = new Headers(request.headers);
  // What proves who asks is of no use further in, and so cannot be logged there.
  for (const name of ['authorization', 'cookie', accessHeader]) headers.delete(name);
  headers.set(baseHeader, base);
  if (access) headers.set(accessHeader, encodeURIComponent(JSON.stringify(access)));
  return new Request(request, { headers });
}

export function admissionOf(request: Request): Admission {
  const base = request.headers.get(baseHeader);
  const access = request.headers.get(accessHeader);
  if (base === null) throw new Error('a workspace was asked by something else than the Worker');
  return { base, access: access === null ? undefined : (JSON.parse(decodeURIComponent(access)) as Access) };
}
