/**
 * Receipts for whoever has their link: the page, the document for programs of any origin, and running one again on the versions
 * that it names, of which only whether the rows are the same is told.
 */
import type { Caller, CoreApi } from '../../wasm/core.ts';
import { type Content, parseReceipt } from '../../web/receipt/document.ts';
import { rerun, type Rerun } from '../../web/receipt/rerun.ts';
import { receiptPage } from './receipt_page.ts';
import { notFound, refusal, tooMany } from './refusals.ts';
import { fresh, htmlResponse } from './responses.ts';

/** What a home that has its store at hand brings. */
export interface ReceiptRuns {
  /** Where the table of this id lies now; undefined if it does not. */
  pathOf(tableId: string): string | undefined;
  /** Takes one run of this receipt from its budget; answers the seconds to wait if it is used up. */
  admit(receipt: string): number;
}

export interface ReceiptsOptions {
  core: CoreApi;
  base: string;
  runs?: ReceiptRuns;
}

const runMsMax = 10_000;
const forEveryone = { ...fresh, 'access-control-allow-origin': '*', 'x-robots-tag': 'noindex' };

/** `rest`: what follows /r/ in the path, in parts. */
export async function receipts(request: Request, options: ReceiptsOptions, rest: string[]): Promise<Response> {
  const { core, base } = options;
  const [named = '', action, ...more] = rest;
  const { host, pathname } = new URL(base);
  const page = { receipts: `${pathname.replace(/\/$/, '')}/r`, host };
  if (action === 'rerun' && more.length === 0 && request.method === 'POST') return runAgain(request, options, named);
  if (action !== undefined || request.method === 'POST') return notFound();
  // What a link carries in its fragment no server sees.
  if (named === '') return htmlResponse(receiptPage(page));
  const isForPrograms = named.endsWith('.json');
  const found = await core.receipt(isForPrograms ? named.slice(0, -5) : named);
  if (isForPrograms) return found ? Response.json(found, { headers: forEveryone }) : withdrawnOrNever();
  const content = found ? contentOf(found) : undefined;
  return htmlResponse(receiptPage(content ? { ...page, content } : page), found ? 200 : 404);
}

function withdrawnOrNever(): Response {
  return refusal(
    404,
    'not_found',
    'There is no receipt at this address.',
    'It may have been withdrawn; ask whoever gave you the link.',
    forEveryone,
  );
}

/** Undefined of what an earlier version or another program wrote there. */
function contentOf(found: object): Content | undefined {
  try {
    return parseReceipt(found).content;
  } catch {
    return undefined;
  }
}

async function runAgain(request: Request, { core, base, runs }: ReceiptsOptions, id: string): Promise<Response> {
  const found = await core.receipt(id);
  const content = found ? contentOf(found) : undefined;
  if (!found || !content) return withdrawnOrNever();
  const digest = new URL(request.url).searchParams.get('digest');
  if (digest !== null && digest !== found.digest)
    return Response.json(impossible('This server keeps another receipt under this name.'), { headers: fresh });
  const waitS = runs?.admit(id) ?? 0;
  if (waitS > 0) return tooMany(waitS);
  const reader: Caller = { author: 'receipt', read: true, write: false, share: false, origin: base };
  const ended = AbortSignal.timeout(runMsMax);
  const outcome = await rerun(content, core, reader, {
    signal: AbortSignal.any([request.signal, ended]),
    ...(runs ? { pathOf: ({ table_id: tableId }) => tableId && runs.pathOf(tableId) } : {}),
  });
  if (outcome.kind === 'impossible')
    return Response.json(ended.aborted ? impossible(`It took longer than ${runMsMax / 1000} s.`) : outcome, {
      headers: fresh,
    });
  return Response.json({ ...outcome, by: new URL(base).host }, { headers: fresh });
}

function impossible(why: string): Rerun {
  return { kind: 'impossible', why };
}
