/** Framing: where this page stands in its window. It decides nothing about who may use the tables. */

/**
 * top: a window of its own, where the person can be asked. same_site: in a frame that shares the tables' storage, where a
 * page around it could dress up a question. cross_site: in a frame that browsers keep from that storage.
 */
export type Framing = 'top' | 'same_site' | 'cross_site';

export function framingOf(window: Window): Framing {
  if (window.top === window) return 'top';
  const { ancestorOrigins } = window.location;
  // Where a browser does not say who is around, nobody is trusted to be of this site.
  if (!ancestorOrigins) return 'cross_site';
  return [...ancestorOrigins].every((origin) => isSameHost(origin, window.location.origin))
    ? 'same_site'
    : 'cross_site';
}

/** Nothing is to be opened here: mountFramed() says so to the person and to agents. */
export function isOutOfReach(window: Window): boolean {
  return framingOf(window) === 'cross_site';
}

/** Narrower than a site, which takes a list of public suffixes to tell: a sibling domain opens a window instead. */
export function isSameHost(a: string, b: string): boolean {
  if (!URL.canParse(a) || !URL.canParse(b)) return false;
  const [one, other] = [new URL(a), new URL(b)];
  return one.protocol === other.protocol && one.hostname === other.hostname;
}
