/** The frame of the pages of sign-in, consent and account, and the words that they share. */
import { html, type Html } from '../handler/html.ts';
import type { Scope } from '../handler/access.ts';

export const scopeWords: Record<Scope, string> = {
  read: 'read tables and query them',
  write: 'make, change and delete tables (every version stays)',
  share: 'publish tables and receipts to anyone with a link',
};

export function authPage(title: string, body: Html, withScript = false): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title} · Stele</title>
        <link rel="stylesheet" href="/assets/stele.css" />
        <link rel="stylesheet" href="/assets/auth.css" />
        <link rel="icon" href="data:," />
        ${
          withScript
            ? html`<script src="/assets/simplewebauthn.js"></script>
                <script type="module" src="/assets/passkey.js"></script>`
            : ''
        }
      </head>
      <body>
        <header><strong>Stele</strong></header>
        <main>${body}</main>
      </body>
    </html>`;
}

export function messagePage(title: string, message: string): Html {
  return authPage(
    title,
    html`<h1>${title}</h1>
      <p>${message}</p>
      <p><a href="/account">Your account</a></p>`,
  );
}

export function moment(ms: number): Html {
  const iso = new Date(ms).toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 10)}</time>`;
}
