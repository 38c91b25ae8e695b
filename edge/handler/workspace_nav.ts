/** How the owner's pages of a workspace at the edge lead to one another. */
import { html, type Html } from '../../wasm/html.ts';

const places = {
  tables: ['', 'Tables'],
  shares: ['shares', 'Public tables'],
  receipts: ['receipts', 'Receipts'],
} as const;

export type Place = keyof typeof places;

/** `here` is the page itself, undefined on one that lies deeper. */
export function workspaceNav(workspace: string, here?: Place): Html {
  return html`<nav aria-label="Workspace ${workspace}">
    <b>${workspace}</b>
    ${Object.entries(places).map(
      ([place, [path, name]]) =>
        html`<a href="/w/${workspace}/${path}" ${place === here ? html`aria-current="page"` : ''}>${name}</a>`,
    )}
  </nav>`;
}
