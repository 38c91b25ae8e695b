/** VersionTab: what the tabs that show one version of a table have in common. */
import type { TablePlace } from '../base/address.ts';
import type { AppContext } from '../base/context.ts';
import { LightElement } from '../base/light_element.ts';

export abstract class VersionTab extends LightElement {
  static override properties = {
    context: { attribute: false },
    place: { attribute: false },
    latest: { attribute: false },
  };
  declare context: AppContext;
  declare place: TablePlace;
  /** The table's latest version, so that a new one is fetched. */
  declare latest: number;

  /** The version that is shown. */
  protected get version(): number {
    return this.place.version ?? this.latest;
  }
}
