/** What a deployment binds: wrangler.jsonc names it, `stele doctor` looks after it. */
import type { Auth } from '../auth/auth_object.ts';
import type { Share } from './share_object.ts';
import type { Workspace } from './workspace_object.ts';

export interface Env {
  WORKSPACE: DurableObjectNamespace<Workspace>;
  SHARE: DurableObjectNamespace<Share>;
  AUTH: DurableObjectNamespace<Auth>;
  ASSETS: Fetcher;
  /** The one origin of this deployment, https://stele.example; without it, the origin that a request names. */
  STELE_ORIGIN?: string;
  /** Secret: what the one-time link carries that makes the owner's passkey, "<expiry in ms since 1970>.<random>". */
  STELE_SETUP_TOKEN?: string;
  /** Secret: the Ed25519 key that signs receipts, as a JWK. */
  STELE_SIGNING_KEY?: string;
  /** "true" in local trials: imports may reach addresses that are not public. */
  STELE_ALLOW_PRIVATE?: string;
}
