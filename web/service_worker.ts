/**
 * The service worker: the pages and the engine are there without a network. Files whose names come from their content are
 * kept as they are; a page comes from the network while there is one, so that a new build is seen at once. It touches no data.
 */

import { unpacked } from '../worker/unpacked.ts';

/** What this build is made of; web/vite/offline.ts puts it in. */
declare const buildFiles: { version: string; assets: string[]; pages: string[] };

const scope = self as unknown as ServiceWorkerGlobalScope;
const base = new URL('./', scope.location.href);
/** Another build may lie below another path of the same host. */
const cachePrefix = `stele-build ${base.pathname} `;
const cacheName = cachePrefix + buildFiles.version;
const networkMsMax = 3000;

scope.addEventListener('install', (event) => {
  event.waitUntil(keepBuild().then(() => scope.skipWaiting()));
});

scope.addEventListener('activate', (event) => {
  event.waitUntil(dropOldBuilds().then(() => scope.clients.claim()));
});

scope.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== scope.location.origin) return;
  if (request.mode === 'navigate') event.respondWith(page(request, url));
  else if (isAsset(url)) event.respondWith(asset(request));
});

const assetUrls = new Set(buildFiles.assets.map((path) => new URL(path, base).href));

function isAsset(url: URL): boolean {
  return assetUrls.has(url.href) || url.pathname.startsWith(`${base.pathname}assets/`);
}

async function keepBuild(): Promise<void> {
  const cache = await caches.open(cacheName);
  const missing: string[] = [];
  for (const url of assetUrls) {
    // Unchanged files of the build before, the engine above all, are not fetched again.
    const kept = await caches.match(url);
    if (kept) await cache.put(url, kept);
    else missing.push(url);
  }
  const pages = buildFiles.pages.map((path) => new Request(new URL(path, base), { cache: 'no-cache' }));
  await cache.addAll([...missing.filter((url) => !isModule(url)), ...pages]);
  for (const url of missing.filter(isModule)) await keepModule(cache, url);
}

const isModule = (url: string) => url.endsWith('.wasm.gz');

/** Unpacked, so that a later visit has only to compile it: measured, a third less. */
async function keepModule(cache: Cache, url: string): Promise<void> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} cannot be fetched (${response.status})`);
  await cache.put(url, unpacked(response));
}

/** Of the build before, the files stay: tabs of it may still load parts of their own. */
async function dropOldBuilds(): Promise<void> {
  const builds = (await caches.keys()).filter((name) => name.startsWith(cachePrefix) && name !== cacheName);
  for (const name of builds.slice(0, -1)) await caches.delete(name);
}

async function asset(request: Request): Promise<Response> {
  return (await caches.match(request)) ?? fetch(request);
}

/** An address of the app is a page of its own to the person, and the same file to the host. */
async function page(request: Request, url: URL): Promise<Response> {
  const kept = () => keptPage(url);
  const network = fetch(request).then((response) => {
    if (response.ok) return response;
    return kept().then((found) => found ?? response);
  });
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, networkMsMax));
  const first = await Promise.race([network, late]).catch(() => undefined);
  return first ?? (await kept()) ?? network;
}

async function keptPage(url: URL): Promise<Response | undefined> {
  const cache = await caches.open(cacheName);
  const path = url.pathname.slice(base.pathname.length);
  const named = buildFiles.pages.find((page) => page === path || page === `${path}.html`);
  return cache.match(new URL(named ?? 'index.html', base));
}
