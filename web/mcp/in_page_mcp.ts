/**
 * InPageMcp: the page as an MCP server, by every way in that a browser's agents have. It puts the parts together; what they
 * may do is decided by the person, through grants.ts and consent.ts.
 */
import { baseAddress } from '../base.ts';
import type { CoreApi } from '../../wasm/core.ts';
import { Activity } from './activity.ts';
import { askAsAddressed } from './address.ts';
import { BrowserAgents } from './browser_agents.ts';
import { Consent } from './consent.ts';
import { ExtensionServer } from './extension_server.ts';
import { type Framing, framingOf } from './framing.ts';
import type { House } from './gated_tools.ts';
import { Grants } from './grants.ts';
import { serveParty, serveUnavailable } from './party_server.ts';
import { WindowServer } from './window_server.ts';

export interface InPageMcpOptions {
  core: CoreApi;
  /** Where links in answers begin, without a slash at the end; the page's own origin by default. */
  base?: string;
}

export interface InPageMcp {
  grants: Grants;
  consent: Consent;
  activity: Activity;
  extensions: ExtensionServer;
  core: CoreApi;
  base: string;
  framing: Framing;
  close(): void;
}

/** Agents that opened this page are told that it is ready. The core is not asked for anything before someone is let in. */
export function startInPageMcp({ core, base = baseAddress() }: InPageMcpOptions): InPageMcp {
  const framing = framingOf(window);
  const grants = new Grants(localStorage);
  grants.heedOtherTabs(window);
  const consent = new Consent(grants, framing === 'top');
  const activity = new Activity();
  const house: House = { core, grants, consent, activity, base };
  const windows = new WindowServer(window, (origin, post) => serveParty(house, { kind: 'origin', id: origin }, post));
  const browser = new BrowserAgents(house, document);
  const extensions = new ExtensionServer({
    window,
    grants,
    serve: (id, post) => serveParty(house, { kind: 'extension', id }, post),
    askAbout: (id) => consent.askAccess({ kind: 'extension', id }, 'read', undefined),
  });
  if (framing === 'top') askAsAddressed(consent, location.search);
  return {
    grants,
    consent,
    activity,
    extensions,
    core,
    base,
    framing,
    close() {
      for (const part of [windows, browser, extensions]) part.close();
    },
  };
}

/** In a frame of another site: says to whoever connects that the tables are out of reach here. Needs no core. */
export function startUnavailableMcp(base = baseAddress()): { close(): void } {
  return new WindowServer(window, (_origin, post) => serveUnavailable(base, post));
}
