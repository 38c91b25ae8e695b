/**
 * Tells a page that this extension is there, while its panel is open. The page connects out to the id that it hears, if the
 * person lets it: this script passes no tables on, and the page trusts nothing else that it says.
 */
const hello = () => window.postMessage({ type: 'stele-extension', id: chrome.runtime.id }, window.origin);

// The panel was opened and looks for pages.
chrome.runtime.onMessage.addListener(hello);

// A page with tables was loaded. Only an open panel answers.
window.addEventListener('message', ({ source, data }) => {
  if (source !== window || data?.type !== 'stele-page') return;
  chrome.runtime.sendMessage('page').then(hello, () => {});
});
