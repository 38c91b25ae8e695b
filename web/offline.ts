import { under } from './base.ts';

/**
 * Registers the service worker, so that the page opens without a network. To be called once the page has what it needs, since
 * the service worker fetches all of it again. Development and tests' pages go without.
 */
export function keepOffline(): void {
  if (!('serviceWorker' in navigator) || !import.meta.env.PROD) return;
  void navigator.serviceWorker.register(under('service_worker.js')).catch(() => {});
}
