/** The in-page server with its panels, over a workspace, without the app around them. */
import { isOutOfReach, mountAgents, mountFramed } from '../../web/mcp/mount.ts';
import { openWorkspace } from '../../worker/client.ts';

if (isOutOfReach()) {
  mountFramed();
} else {
  const person = { author: 'owner', read: true, write: true, share: true, origin: location.origin };
  const { grants, activity } = mountAgents(await openWorkspace(), person);
  document.body.append(grants, activity);
}
