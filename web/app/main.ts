/** The page's entry: opens the workspace. */
import { openWorkspace } from '../../worker/client.ts';

const workspace = await openWorkspace();
document.body.textContent = workspace.state.problem?.message ?? `Open, as ${workspace.state.role}.`;
