/** Registers the service worker, so that the page opens without a network. Development and tests' pages go without. */
export function keepOffline(): void {
  if (!('serviceWorker' in navigator) || !import.meta.env.PROD) return;
  const register = () =>
    void navigator.serviceWorker.register(`${import.meta.env.BASE_URL}service_worker.js`).catch(() => {});
  // Not before the page is there: its first visit loads the engine already, and the network is shared.
  if (document.readyState === 'complete') register();
  else window.addEventListener('load', register, { once: true });
}
