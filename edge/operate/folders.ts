/** Where the edge's files lie: what is deployed, and what building it makes. */
import { fileURLToPath } from 'node:url';

export const root = new URL('../../', import.meta.url);
const path = (from: string) => fileURLToPath(new URL(from, root));

export const rootFolder = fileURLToPath(root);
export const configFile = path('edge/worker/wrangler.jsonc');
/** A build without deploying. */
export const bundleFolder = path('build/edge/bundle/');
/** What the assets binding serves. */
export const publicFolder = path('build/edge/public/');
/** What homes serve to whoever has a link. */
export const servedFolder = path('build/served/');
