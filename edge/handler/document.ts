/** What every page of a workspace has about it: for small screens, in the reader's colours, and for no search engine. */
import { html, type Html } from '../../wasm/html.ts';

export interface Document {
  title: string;
  /** Names of files under /assets. */
  styles: string[];
  /** More of the head. */
  head?: Html;
  body: Html;
}

export function documentOf({ title, styles, head, body }: Document): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        ${styles.map((name) => html`<link rel="stylesheet" href="/assets/${name}.css" />`)}
        <link rel="icon" href="data:," />
        ${head}
      </head>
      <body>
        ${body}
      </body>
    </html>`;
}
