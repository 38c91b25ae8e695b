/** <st-agents-page>: how agents reach these tables. The grants themselves are the in-page server's, which mounts below. */
import { html, nothing } from 'lit';
import { baseAddress, under } from '../../base.ts';
import { Page } from '../base/page.ts';
import { Fetching } from '../base/fetching.ts';
import { copyLine } from '../base/shown.ts';
import type { ToolDefinition } from '../../../wasm/core.ts';

export class AgentsPage extends Page {
  #tools = new Fetching<ToolDefinition[]>(this, 'Asking for the tools');

  override get heading(): string {
    return 'Agents';
  }

  protected override load(isChange: boolean): void {
    if (isChange) return;
    void this.#tools.run(async () => (await this.context.workspace.tools()).tools);
  }

  override render() {
    const { value } = this.#tools;
    return html`<div class="page agents-page">
      <h1>Agents</h1>
      <p class="lead">
        This page is an MCP server. An agent sees nothing, not even names of tables, until you allow it.
      </p>
      <div id="grants">${this.context.panels?.grants ?? nothing}</div>
      <h2>An agent in another page</h2>
      <p>
        A page of another site opens this address in a frame or a window and speaks MCP over <code>postMessage</code>.
        The first time you are asked here.
      </p>
      ${copyLine(`${baseAddress()}/`, 'the address of this page', this.context)}
      <h2>An agent outside the browser</h2>
      <p>
        Claude Code, Cursor and others reach a desk, the same Stele as a program on your machine. Move this workspace
        there with a <a href=${under('storage')}>backup</a>.
      </p>
      ${copyLine('claude mcp add --transport http stele http://127.0.0.1:7411/mcp', 'the command that connects Claude Code', this.context)}
      <h2>What an agent can do</h2>
      ${
        value
          ? html`<dl class="tools">
              ${value.map(
                ({ name, description }) =>
                  html`<div>
                    <dt><code>${name}</code></dt>
                    <dd>${firstSentence(description)}</dd>
                  </div>`,
              )}
            </dl>`
          : this.#tools.bar
      }
      <p class="quiet">Every change an agent makes is a new version under its name; you can restore what was before.</p>
    </div>`;
  }
}

function firstSentence(text: string): string {
  return /^.*?[.;:](?=\s|$)/s.exec(text)?.[0].replace(/[;:]$/, '.') ?? text;
}

customElements.define('st-agents-page', AgentsPage);
