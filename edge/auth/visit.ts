/** Visit: one request on its way through the Worker, and the few things that every page of sign-in asks of it. */
import { type Html } from '../../wasm/html.ts';
import { RateLimit } from '../handler/rate_limit.ts';
import { tooLarge, tooMany } from '../handler/refusals.ts';
import type { Env } from '../worker/env.ts';
import type { Auth } from './auth_object.ts';
import { sessionMs } from './sessions.ts';

export interface Visit {
  request: Request;
  url: URL;
  /** Of this deployment: what tokens, passkeys and links are for. */
  origin: string;
  env: Env;
  ctx: ExecutionContext;
  auth: DurableObjectStub<Auth>;
}

const sessionCookie = '__Host-stele-session';
const formBytesMax = 64 << 10;

/** For what a stranger can ask without a token: sign-in, consent, registration of clients. */
const strangers = new RateLimit({ burst: 60, perSecond: 1 });

/** Thrown where a request ends early. */
export class Refused extends Error {
  readonly response: Response;

  constructor(response: Response) {
    super(`refused with ${response.status}`);
    this.response = response;
  }
}

export function limitStrangers({ request }: Visit): void {
  const retryAfterS = strangers.take(request.headers.get('cf-connecting-ip') ?? 'unknown');
  if (retryAfterS > 0) throw new Refused(tooMany(retryAfterS));
}

function sessionSecret(request: Request): string | undefined {
  const cookies = (request.headers.get('cookie') ?? '').split(/;\s*/);
  return cookies.find((cookie) => cookie.startsWith(`${sessionCookie}=`))?.slice(sessionCookie.length + 1);
}

export async function isOwner({ request, auth }: Visit): Promise<boolean> {
  const secret = sessionSecret(request);
  return secret !== undefined && auth.isSession(secret);
}

export function cookieOfSession(secret: string): string {
  return `${sessionCookie}=${secret}; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=${sessionMs / 1000}`;
}

/** Ends the session and answers the cookie that clears it. */
export async function endSession({ request, auth }: Visit): Promise<string> {
  const secret = sessionSecret(request);
  if (secret !== undefined) await auth.endSession(secret);
  return `${sessionCookie}=; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=0`;
}

/** A page of another site cannot post here with the owner's cookie: browsers name the origin of every post. */
export function requireSameOrigin({ request, origin }: Visit): void {
  if (request.headers.get('origin') !== origin)
    throw new Refused(new Response('The form comes from another site.', { status: 403 }));
}

async function readBody({ request }: Visit): Promise<string> {
  const parts: string[] = [];
  const decoder = new TextDecoder();
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    bytes += chunk.length;
    if (bytes > formBytesMax) throw new Refused(tooLarge(formBytesMax));
    parts.push(decoder.decode(chunk, { stream: true }));
  }
  return parts.join('') + decoder.decode();
}

export async function readForm(visit: Visit): Promise<URLSearchParams> {
  return new URLSearchParams(await readBody(visit));
}

/** An object of JSON, or a refusal. */
export async function readJson(visit: Visit): Promise<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(await readBody(visit));
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch (error) {
    if (error instanceof Refused) throw error;
  }
  throw new Refused(new Response('The body is no JSON object.', { status: 400 }));
}

export function htmlPage(
  page: Html,
  status = 200,
  more: { headers?: HeadersInit; formAction?: string } = {},
): Response {
  const headers = new Headers(more.headers);
  headers.set('content-type', 'text/html; charset=utf-8');
  headers.set('cache-control', 'no-store');
  // Under "no-referrer" browsers name no origin in a form's post, and requireSameOrigin would refuse our own.
  headers.set('referrer-policy', 'same-origin');
  headers.set('x-content-type-options', 'nosniff');
  const sources = ["style-src 'self'", "script-src 'self'", "connect-src 'self'", 'img-src data:'];
  const form = `form-action 'self' ${more.formAction ?? ''}`.trim();
  headers.set(
    'content-security-policy',
    ["default-src 'none'", ...sources, form, "base-uri 'none'", "frame-ancestors 'none'"].join('; '),
  );
  return new Response(page.text, { status, headers });
}

export function redirect(to: string, headers: HeadersInit = {}): Response {
  const all = new Headers(headers);
  all.set('location', to);
  all.set('cache-control', 'no-store');
  return new Response(null, { status: 303, headers: all });
}
