/** <st-history-tab>: a table's versions as a line through time; two of them can be compared, any can be restored. */
import { html, nothing } from 'lit';
import { hrefOf, tablePlace } from '../base/address.ts';
import type { AppContext } from '../base/context.ts';
import { LightElement } from '../base/light_element.ts';
import { moment } from '../base/shown.ts';
import type { VersionShown } from '../../../wasm/answers.ts';
import { changeCounts, counted, verb, who } from '../base/words.ts';

/** Restores a version and offers to take that back. */
export async function restoreWithUndo(
  context: AppContext,
  path: string,
  version: number,
  latest: number,
): Promise<void> {
  const { tables } = context;
  const isDone = await context.attempt(() => tables.restore(path, version));
  if (!isDone) return;
  context.notify({
    text: `Version ${version} is the latest again, as version ${latest + 1}.`,
    undo: () => tables.restore(path, latest, `Undo: back to version ${latest}`),
  });
}

export class HistoryTab extends LightElement {
  static override properties = {
    context: { attribute: false },
    path: { attribute: false },
    versions: { attribute: false },
    notice: { attribute: false },
    from: { state: true },
    to: { state: true },
  };
  declare context: AppContext;
  declare path: string;
  /** Newest first. */
  declare versions: VersionShown[];
  declare notice: string;
  declare private from: number | undefined;
  declare private to: number | undefined;

  override render() {
    const { versions } = this;
    const [latest] = versions;
    const to = this.to ?? latest!.version;
    const from = this.from ?? versions[1]?.version;
    return html`<form class="history" @submit=${(event: Event) => this.#compare(event, from, to)}>
      ${
        versions.length > 1
          ? html`<p class="history-tools">
              <button type="submit" ?disabled=${from === to}>Compare ${from} with ${to}</button>
              <span class="quiet">Choose two versions to compare.</span>
            </p>`
          : nothing
      }
      <ol class="timeline" reversed>
        ${versions.map((version, i) => this.#version(version, versions[i + 1], latest!.version, from, to))}
      </ol>
      ${this.notice ? html`<p class="quiet">Older versions are kept, and not shown here.</p>` : nothing}
    </form>`;
  }

  #version(
    shown: VersionShown,
    before: VersionShown | undefined,
    latest: number,
    from: number | undefined,
    to: number,
  ) {
    const { version, kind, made_at, made_by, message, run, rows } = shown;
    const changes = changeCounts(shown);
    const here = hrefOf(tablePlace(this.path, version === latest ? {} : { version }));
    return html`<li class=${version === latest ? 'latest' : ''}>
      ${
        this.versions.length > 1
          ? html`<span class="choices">
              <input
                type="radio"
                name="from"
                value=${version}
                aria-label=${`Compare from version ${version}`}
                .checked=${version === from}
                @change=${() => (this.from = version)}
              />
              <input
                type="radio"
                name="to"
                value=${version}
                aria-label=${`Compare to version ${version}`}
                .checked=${version === to}
                @change=${() => (this.to = version)}
              />
            </span>`
          : nothing
      }
      <div class="what">
        <p>
          <a href=${here} data-row><strong>Version ${version}</strong></a> ${verb(kind)}
          ${changes ? html`<span class="counts">${changes}</span>` : nothing} ${columnsText(shown)}
        </p>
        ${message ? html`<p class="why">${message}</p>` : nothing}
        <p class="quiet">
          ${moment(made_at)} by ${who(made_by)}${run ? html` in run ${run}` : nothing}, ${counted(rows, 'row')}
        </p>
      </div>
      <div class="row-actions">
        ${before ? html`<a class="button" href=${hrefOf(tablePlace(this.path, { tab: 'diff', from: before.version, to: version }))} aria-label=${`Changes of version ${version}`}>Changes</a>` : nothing}
        ${
          version === latest
            ? html`<span class="quiet">latest</span>`
            : html`<button
                type="button"
                aria-label=${`Restore version ${version}`}
                @click=${() => restoreWithUndo(this.context, this.path, version, latest)}
              >
                Restore
              </button>`
        }
      </div>
    </li>`;
  }

  #compare(event: Event, from: number | undefined, to: number): void {
    event.preventDefault();
    if (from === undefined) return;
    const [first, second] = from < to ? [from, to] : [to, from];
    this.context.go(tablePlace(this.path, { tab: 'diff', from: first, to: second }));
  }
}

function columnsText({ columns_added, columns_removed, columns_retyped }: VersionShown): string {
  const parts: string[] = [];
  if (columns_added?.length) parts.push(`columns added: ${columns_added.join(', ')}`);
  if (columns_removed?.length) parts.push(`columns removed: ${columns_removed.join(', ')}`);
  if (columns_retyped?.length) parts.push(`${counted(columns_retyped.length, 'column')} retyped`);
  return parts.join('; ');
}

customElements.define('st-history-tab', HistoryTab);
