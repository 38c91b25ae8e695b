/** A bare page that gives tests the workspace, as the app gets it. */
import { openWorkspace } from '../../worker/client.ts';

export interface Harness {
  openWorkspace: typeof openWorkspace;
}

declare global {
  interface Window {
    stele: Harness;
  }
}

window.stele = { openWorkspace };
