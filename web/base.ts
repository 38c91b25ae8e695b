/** Where these pages lie on their host: at its root, or below a path that the build was told of (STELE_BASE). */

/** Begins and ends with a slash. */
export const basePath = import.meta.env.BASE_URL;

/** The address of a page of these: under('query') is /query at the root, /tables/query below /tables/. */
export function under(path: string): string {
  return basePath + path;
}

/** What links that are handed on begin with, without a slash at the end: https://tables.example, https://example.org/tables. */
export function baseAddress(): string {
  return location.origin + basePath.slice(0, -1);
}
