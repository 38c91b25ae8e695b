/** The script of a receipt's page at a home that keeps receipts: shows it in the frame, and has the server run it again. */
import * as v from 'valibot';
import { type Content, parseReceipt } from './document.ts';
import { findReceipt } from './find.ts';
import { type Found, receiptFrame } from './frame.ts';
import type { Rerun } from './rerun.ts';
import './page.css';

const main = document.querySelector<HTMLElement>('main[data-receipts]')!;
/** Where this home keeps its receipts. */
const receipts = main.dataset.receipts!;

const rerunSchema = v.variant('kind', [
  v.object({ kind: v.literal('same'), rows: v.number(), isReordered: v.boolean(), by: v.string() }),
  v.object({ kind: v.literal('different'), rows: v.number(), by: v.string() }),
  v.object({ kind: v.literal('impossible'), why: v.string() }),
]);

async function rerunAtServer({ id, digest }: { id?: string | undefined; digest: string }): Promise<Rerun> {
  if (!id) return { kind: 'impossible', why: 'This receipt says no name under which a server could keep it.' };
  try {
    const url = `${receipts}/${encodeURIComponent(id)}/rerun?digest=${encodeURIComponent(digest)}`;
    const response = await fetch(url, { method: 'POST', headers: { accept: 'application/json' } });
    const answer: unknown = await response.json();
    if (response.ok) return v.parse(rerunSchema, answer);
    return { kind: 'impossible', why: String((answer as { message?: unknown }).message) };
  } catch {
    return { kind: 'impossible', why: 'The server could not be reached.' };
  }
}

function sealedOf(found: Found): { id?: string | undefined; digest: string } {
  return 'receipt' in found ? parseReceipt(found.receipt).sealed : { digest: '' };
}

// Another link that is opened in the same tab may differ in the fragment alone.
addEventListener('hashchange', () => location.reload());

const finding = findReceipt();
const rerun = async (_content: Content) => rerunAtServer(sealedOf(await finding));
main.replaceChildren(receiptFrame({ find: () => finding, link: location.href, rerun }));
