/** receipt.html's script: a receipt for whoever has its link, without the app. It shows nothing itself; the frame does. */
import { receiptInFragment } from './document.ts';
import { type Found, receiptFrame } from './frame.ts';
import { baseAddress } from '../base.ts';
import { vouchedKeys } from './vouching.ts';
import './page.css';

async function find(): Promise<Found> {
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
    hint: 'A receipt made in a browser opens in that browser, under Receipts, unless its link carries it whole.',
  };
}

// The link as it was handed on, whichever file of this host shows it.
const link = location.hash ? `${baseAddress()}/r${location.hash}` : location.href;
document.querySelector('main')!.append(receiptFrame({ find, link }));
