/**
 * /published: what a home elsewhere does about what is public at this edge, by a token with the scope share. A table is sent
 * as what describes it; the answer says which of its bytes are missing, and with the last of them it is public. Receipts are
 * those that were made at this edge: whoever may read the workspace lists them, and any such token withdraws one.
 *
 *   GET    /published                              where links begin: the token says whose
 *   POST   /w/NAME/published/TOKEN                 a TableCopy; 409 {"missing": [{of, id, sha256}]} until all is there
 *   PUT    /w/NAME/published/TOKEN/SHA256/N        one chunk, at most 1 MiB
 *   DELETE /w/NAME/published/TOKEN                 ends the link
 *   GET    /w/NAME/published/receipts              a PublicReceiptsAnswer, newest first; needs the scope read too
 *   DELETE /w/NAME/published/receipts/ID           withdraws one
 */
import type { Admit } from '../auth/oauth.ts';
import type { Visit } from '../auth/visit.ts';
import type { Access } from '../handler/access.ts';
import { notFound, refusal, tooLarge } from '../handler/refusals.ts';
import { chunkBytesMax, parseCopy } from '../share/incoming.ts';
import { shareName, shareToken } from './share_name.ts';

const copyBytesMax = 4 << 20;

export function publishing(visit: Visit): Admit {
  return async (workspace, access) => {
    if (!access.scopes.includes('share'))
      return refusal(403, 'forbidden', 'Publishing needs the scope share.', 'Make a token that has it.');
    const base = `${visit.origin}/w/${workspace}`;
    const [token = '', ...rest] = visit.url.pathname.replace(/^.*?\/published\/?/, '').split('/');
    const { request } = visit;
    if (token === '') return request.method === 'GET' ? Response.json({ base }, { headers: fresh }) : notFound();
    if (token === 'receipts') return receipts(visit, workspace, access, base, rest);
    if (!shareToken.test(token)) return notFound();
    if (request.method === 'POST' && rest.length === 0) return publish(visit, workspace, token, base);
    if (request.method === 'PUT' && rest.length === 2) return keep(visit, workspace, token, rest);
    if (request.method !== 'DELETE' || rest.length > 0) return notFound();
    await visit.env.WORKSPACE.getByName(workspace).endPageShare(token);
    return new Response(null, { status: 204 });
  };
}

const fresh = { 'cache-control': 'no-store' };

async function receipts(
  { request, env }: Visit,
  workspace: string,
  access: Access,
  base: string,
  [id, ...more]: string[],
): Promise<Response> {
  const object = env.WORKSPACE.getByName(workspace);
  if (request.method === 'DELETE' && id && more.length === 0) {
    await object.withdrawReceipt(id);
    return new Response(null, { status: 204 });
  }
  if (request.method !== 'GET' || id !== undefined) return notFound();
  if (!access.scopes.includes('read'))
    return refusal(
      403,
      'forbidden',
      'Listing receipts needs the scope read, which this token does not have.',
      'Use a token that has read and share.',
    );
  return Response.json(await object.receipts(base), { headers: fresh });
}

async function publish({ request, env }: Visit, workspace: string, token: string, base: string): Promise<Response> {
  const text = await request.text();
  if (text.length > copyBytesMax) return tooLarge(copyBytesMax);
  const copy = parseCopy(parsedJson(text));
  if (!copy || copy.token !== token) return invalid('This describes no table.');
  const missing = (await env.WORKSPACE.getByName(workspace).publishPageShare(copy)) as object[] | undefined;
  if (missing === undefined)
    return refusal(410, 'share_ended', 'This link was ended here.', 'Share the table again for another link.');
  if (missing.length > 0) return Response.json({ missing }, { status: 409, headers: fresh });
  const url = `${base}/s/${token}`;
  return Response.json({ url, api_url: `${url}/rows` }, { headers: fresh });
}

async function keep(
  visit: Visit,
  workspace: string,
  token: string,
  [sha256 = '', n = '']: string[],
): Promise<Response> {
  if (!/^[0-9a-f]{64}$/.test(sha256) || !/^\d{1,6}$/.test(n)) return notFound();
  const bytes = new Uint8Array(await visit.request.arrayBuffer());
  if (bytes.length > chunkBytesMax) return tooLarge(chunkBytesMax);
  await visit.env.SHARE.getByName(shareName(workspace, token)).keepChunk(sha256, Number(n), bytes);
  return new Response(null, { status: 204 });
}

function invalid(message: string): Response {
  return refusal(400, 'invalid_request', message, 'Send what describeCopy makes of a shared table.');
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
