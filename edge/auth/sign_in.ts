/** Set-up by the one-time link, signing in and out: pages and the two steps of WebAuthn under them. */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { html, type Html } from '../../wasm/html.ts';
import { refusal } from '../handler/refusals.ts';
import { authPage } from './pages.ts';
import {
  cookieOfSession,
  endSession,
  htmlPage,
  limitStrangers,
  readJson,
  redirect,
  requireSameOrigin,
  type Visit,
} from './visit.ts';

/** The link's token is in the fragment, which no server and no log sees; the page's script sends it. */
export function setUpPage(): Response {
  return passkeyPage(
    'Set up',
    html`<h1>Make the owner’s passkey</h1>
      <p class="lead">
        This Stele has no password. A passkey of this device or of your password manager opens it from now on.
      </p>
      <p><button type="button" class="primary" id="create">Make a passkey</button></p>`,
  );
}

export function signInPage(): Response {
  return passkeyPage(
    'Sign in',
    html`<h1>Sign in</h1>
      <p class="lead">This Stele opens with its owner’s passkey.</p>
      <p><button type="button" class="primary" id="sign-in">Sign in with a passkey</button></p>`,
    html`<p class="quiet">
      No passkey yet, or lost it? Whoever deploys this Stele makes a new set-up link:
      <code>npm run edge:setup-link</code>
    </p>`,
  );
}

function passkeyPage(title: string, body: Html, foot: Html | string = ''): Response {
  return htmlPage(
    authPage(
      title,
      html`${body}
        <p id="outcome" role="status"></p>
        <noscript><p class="warning">Passkeys need JavaScript, which is off.</p></noscript>
        ${foot}`,
      { script: 'passkey' },
    ),
  );
}

/** POST /setup/begin, /setup/finish, /signin/begin, /signin/finish: JSON in, JSON out. */
export async function signInStep(visit: Visit): Promise<Response> {
  limitStrangers(visit);
  requireSameOrigin(visit);
  const { auth, origin, url } = visit;
  const body = await readJson(visit);
  const token = typeof body.token === 'string' ? body.token : '';
  switch (url.pathname) {
    case '/setup/begin':
      return optionsOr(await auth.beginSetup(token, origin), setUpRefused);
    case '/setup/finish':
      return sessionOr(await auth.finishSetup(token, origin, body.response as RegistrationResponseJSON), setUpRefused);
    case '/signin/begin':
      return optionsOr(await auth.beginSignIn(origin), signInRefused);
    default:
      return sessionOr(await auth.finishSignIn(origin, body.response as AuthenticationResponseJSON), signInRefused);
  }
}

export async function signOut(visit: Visit): Promise<Response> {
  requireSameOrigin(visit);
  return redirect('/signin', { 'set-cookie': await endSession(visit) });
}

/** Where to go on after signing in: a path of this site and nothing else. */
export function signInFirst({ url }: Visit): Response {
  return redirect(`/signin?next=${encodeURIComponent(url.pathname + url.search)}`);
}

const setUpRefused = {
  message: 'This link has served, is past its time, or is none of this deployment’s.',
  hint: 'Make a new one with npm run edge:setup-link.',
};
const signInRefused = { message: 'This passkey is not the owner’s, or the time was up.', hint: 'Try again.' };

type Refusal = typeof signInRefused;

function optionsOr(options: object | null, refusal: Refusal): Response {
  return options ? Response.json(options, noStore) : refused(refusal);
}

function sessionOr(session: string | null, refusal: Refusal): Response {
  if (session === null) return refused(refusal);
  return Response.json({ ok: true }, { headers: { ...noStore.headers, 'set-cookie': cookieOfSession(session) } });
}

function refused({ message, hint }: Refusal): Response {
  return refusal(403, 'sign_in_refused', message, hint);
}

const noStore = { headers: { 'cache-control': 'no-store' } };
