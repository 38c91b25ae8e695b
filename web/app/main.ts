/** The page's entry: the frame first, then the store, then those who may use it. */
import { openWorkspace } from '../../worker/client.ts';
import type { Workspace } from '../../worker/workspace.ts';
import { isOutOfReach } from '../mcp/framing.ts';
import { keepOffline } from '../offline.ts';
import type { AgentPanels } from './base/context.ts';
import { ownerCaller } from './base/tables.ts';
import { baseAddress, under } from '../base.ts';
import './shell/shell.ts';
import './styles/app.css';

/** What serves agents comes apart from the first page, which does not wait for it; agents that opened this page do. */
const loadAgents = () => import('../mcp/mount.ts');

function openApp(): void {
  const agents = loadAgents();
  const app = document.createElement('st-app');
  document.body.append(app);
  const opening = openWorkspace();
  void app.start(
    opening,
    opening.then(async (workspace) => panelsOf(workspace, await agents)),
  );
  // The service worker takes the engine from the browser's cache; fetched by both at once it may reach neither.
  void opening.then(keepOffline, keepOffline);
}

function panelsOf(workspace: Workspace, { mountAgents }: Awaited<ReturnType<typeof loadAgents>>): AgentPanels {
  const { grants, activity, mcp } = mountAgents(workspace, ownerCaller(baseAddress()));
  return {
    grants,
    activity,
    calls: () => mcp.activity.entries.length,
    onCall: (listener) => mcp.activity.addEventListener('change', listener),
  };
}

// A receipt that its link carries whole is shown without the app, to whoever has the link.
if (location.hash && [under('r'), under('r/')].includes(location.pathname))
  location.replace(under(`receipt.html${location.hash}`));
else if (isOutOfReach(window)) void loadAgents().then(({ mountFramed }) => mountFramed());
else openApp();
