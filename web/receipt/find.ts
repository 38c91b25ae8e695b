/** Finds the receipt that a page's address names: carried whole by its fragment, or kept by the server that answered the page. */
import { receiptInFragment } from './document.ts';
import type { Found } from './frame.ts';
import { vouchedKeys } from './vouching.ts';

export async function findReceipt(): Promise<Found> {
  const vouching = await vouchedKeys();
  const vouched = vouching ? { vouching } : {};
  if (location.hash.length > 1) {
    try {
      return { receipt: receiptInFragment(location.hash.slice(1)), place: { from: 'link', ...vouched } };
    } catch {
      return { problem: 'The link is damaged.', hint: 'Ask for it again; it must not be cut.' };
    }
  }
  const response = await fetch(`${location.pathname}.json`, { headers: { accept: 'application/json' } }).catch(
    () => undefined,
  );
  const isJson = response?.headers.get('content-type')?.includes('json') === true;
  if (response?.ok && isJson)
    return { receipt: (await response.json()) as unknown, place: { from: 'server', ...vouched } };
  return {
    problem: 'There is no receipt at this address.',
    hint: 'It may have been withdrawn. One that was made in a browser opens there alone, under Receipts, unless its link carries it whole.',
  };
}
