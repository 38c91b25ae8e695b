/** The owner's way in a real browser: the one-time link, the passkey, signing in, consent, a token, all by the pages' own buttons. */
import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../tests/ts/support/temporary.ts';
import { LocalEdge } from './support/local_edge.ts';
import { mcpRequest } from './support/mcp_request.ts';
import { MemoryOAuth } from './support/oauth_client.ts';

const state = temporaryFolder(afterAll);
let edge: LocalEdge;
let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  edge = await LocalEdge.start({ state });
  browser = await chromium.launch({
    executablePath: process.env.STELE_CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-quic', '--disable-background-networking'],
  });
  context = await browser.newContext();
  page = await context.newPage();
  await addAuthenticator(page);
});
afterAll(async () => {
  await browser?.close();
  await edge?.kill();
});

/** What a laptop's fingerprint reader is to the browser, pressed by itself. */
async function addAuthenticator(of: Page): Promise<void> {
  const devtools = await of.context().newCDPSession(of);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

/** What is wrong with the page for those who see, point or hear differently, in either colour scheme. */
async function barriers(of: Page): Promise<string[]> {
  const found = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await of.emulateMedia({ colorScheme });
    const { violations } = await new AxeBuilder({ page: of }).analyze();
    found.push(
      ...violations.map(({ id, nodes }) => `${colorScheme} ${id}: ${nodes.map(({ target }) => target).join(', ')}`),
    );
  }
  return found;
}

const setupLink = () => `${edge.origin}/setup#${edge.setupToken}`;

test('the link makes the owner’s passkey and leads to the account', async () => {
  await page.goto(setupLink());
  expect(await barriers(page)).toEqual([]);
  await page.getByRole('button', { name: 'Make a passkey' }).click();
  await page.getByRole('heading', { name: 'Your account' }).waitFor();
});

test('the link does not serve a second browser', async () => {
  const other = await (await browser.newContext()).newPage();
  await addAuthenticator(other);
  await other.goto(setupLink());
  await other.getByRole('button', { name: 'Make a passkey' }).click();
  await other.getByText('This link has served').waitFor();
  await other.goto(`${edge.origin}/account`);
  await other.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await other.locator('#outcome').filter({ hasText: /.+/ }).waitFor();
  expect(new URL(other.url()).pathname).toBe('/signin');
  await other.context().close();
});

test('after signing out the passkey signs in again', async () => {
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.goto(`${edge.origin}/account`);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByRole('heading', { name: 'Your account' }).waitFor();
});

test('a token is made, shown once, and serves', async () => {
  await page.getByLabel('Name', { exact: true }).fill('laptop');
  await page.getByRole('button', { name: 'Make a token' }).click();
  const token = await page.locator('#token').innerText();
  expect((await mcpRequest(`${edge.origin}/mcp`, `Bearer ${token}`)).status).toBe(200);
  await page.goto(`${edge.origin}/account`);
  expect(await page.content()).not.toContain(token);
  expect(await barriers(page)).toEqual([]);
  await page.getByRole('button', { name: 'Revoke laptop' }).click();
  await page.getByRole('heading', { name: 'Your account' }).waitFor();
  expect((await mcpRequest(`${edge.origin}/mcp`, `Bearer ${token}`)).status).toBe(401);
});

test('an assistant’s request leads over the sign-in to consent and back to the assistant', async () => {
  const provider = new MemoryOAuth();
  const registered = await fetch(`${edge.origin}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(provider.clientMetadata),
  });
  const { client_id: clientId } = (await registered.json()) as { client_id: string };
  const url = new URL('/authorize', edge.origin);
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: provider.redirectUrl,
    state: 'xyz',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  }).toString();
  let arrived = '';
  await context.route(`${provider.redirectUrl}*`, (route) => {
    arrived = route.request().url();
    return route.fulfill({ body: 'done' });
  });
  await context.clearCookies();
  await page.goto(url.href);
  expect(await barriers(page)).toEqual([]);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByRole('heading', { name: /Allow Assistant <b>under test<\/b>/ }).waitFor();
  expect(await page.getByText('127.0.0.1').count()).toBe(1);
  expect(await page.getByText('program on your own computer').count()).toBe(1);
  expect(await barriers(page)).toEqual([]);
  await page.getByLabel(/share/).check();
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByText('done').waitFor();
  const { searchParams } = new URL(arrived);
  expect(searchParams.get('state')).toBe('xyz');
  expect(searchParams.get('code')).toBeTruthy();
});
