/** The frame of the pages of sign-in, consent and account, and the words and pieces that they share. */
import { documentOf } from '../handler/document.ts';
import { html, type Html } from '../../wasm/html.ts';
import { type Scope, scopes } from '../handler/access.ts';

const scopeWords: Record<Scope, string> = {
  read: 'Read tables and query them',
  write: 'Make, change and delete tables; every version stays',
  share: 'Publish tables and receipts to anyone with a link',
};

export interface Frame {
  script?: 'passkey' | 'copy';
  isSignedIn?: boolean;
  nav?: Html;
}

export function authPage(title: string, body: Html, { script, isSignedIn = false, nav }: Frame = {}): Html {
  return documentOf({
    title: `${title} · Stele`,
    styles: ['tokens', 'base', 'auth'],
    head: html`${script === 'passkey' ? html`<script src="/assets/simplewebauthn.js"></script>` : ''}
    ${script ? html`<script type="module" src="/assets/${script}.js"></script>` : ''}`,
    body: html`<header>
        <div>
          <a href="/account">Stele</a>
          ${nav}
          ${isSignedIn ? html`<form method="post" action="/signout"><button class="plain">Sign out</button></form>` : ''}
        </div>
      </header>
      <main>${body}</main>`,
  });
}

export function messagePage(title: string, message: string): Html {
  return authPage(
    title,
    html`<h1>${title}</h1>
      <p class="lead">${message}</p>
      <p><a href="/account">Your account</a></p>`,
  );
}

/** The scopes to choose from, with what each allows. */
export function scopeChoices(legend: string, checked: readonly Scope[]): Html {
  return html`<fieldset>
    <legend>${legend}</legend>
    ${scopes.map(
      (scope) =>
        html`<label class="choice">
          <input type="checkbox" name="scope" value="${scope}" ${checked.includes(scope) ? html`checked` : ''} />
          <b>${scope}</b> <span>${scopeWords[scope]}</span>
        </label>`,
    )}
  </fieldset>`;
}

export function workspaceChoice(label: string, workspaces: string[]): Html {
  return html`<label
    >${label}
    <select name="workspace">
      ${workspaces.map((name) => html`<option value="${name}">${name}</option>`)}
    </select></label
  >`;
}

/** A line that is there to be copied; copy.js puts a button beside it. */
export function copied(line: Html | string): Html {
  return html`<div class="copied">${typeof line === 'string' ? html`<pre>${line}</pre>` : line}</div>`;
}

export function moment(ms: number): Html {
  const iso = new Date(ms).toISOString();
  return html`<time datetime="${iso}" title="${iso.slice(0, 16).replace('T', ' ')} UTC">${iso.slice(0, 10)}</time>`;
}
