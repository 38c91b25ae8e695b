/** What the app's shell needs of this folder: the server started, and the elements that show it. */
import type { Caller, CoreApi } from '../../wasm/core.ts';
import { ActivityFeed } from './elements/activity_feed.ts';
import { ConsentDialog } from './elements/consent_dialog.ts';
import { FramedNotice } from './elements/framed_notice.ts';
import { GrantsPanel } from './elements/grants_panel.ts';
import './elements/agents.css';
import { type InPageMcp, startInPageMcp, startUnavailableMcp } from './in_page_mcp.ts';

export interface MountedAgents {
  /** Who may do what. */
  grants: HTMLElement;
  /** What they do. */
  activity: HTMLElement;
  mcp: InPageMcp;
}

/** Starts serving agents. The question that waits for the person is laid over the page; the rest is the shell's to place. */
export function mountAgents(core: CoreApi, person: Caller): MountedAgents {
  const mcp = startInPageMcp({ core });
  document.body.append(new ConsentDialog(mcp));
  return { grants: new GrantsPanel(mcp), activity: new ActivityFeed(mcp, person), mcp };
}

/** In a frame of another site: says so to the person and to whoever connects. */
export function mountFramed(): void {
  startUnavailableMcp();
  document.body.append(new FramedNotice());
}
