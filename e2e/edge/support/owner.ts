/** The owner of an edge, as a browser without a screen: sets it up, signs in, makes tokens and workspaces by the same forms. */
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import type { LocalEdge } from './local_edge.ts';
import { SoftwarePasskey } from './software_passkey.ts';

export interface TokenWish {
  workspace?: string;
  scopes?: string[];
  days?: string;
  name?: string;
}

export class Owner {
  cookie = '';
  #origin: string;
  #passkey: SoftwarePasskey;

  private constructor(origin: string) {
    this.#origin = origin;
    this.#passkey = new SoftwarePasskey(origin);
  }

  /** Makes the passkey by the one-time link. */
  static async setUp(edge: LocalEdge): Promise<Owner> {
    const owner = new Owner(edge.origin);
    const token = edge.setupToken;
    const options = await owner.#json<PublicKeyCredentialCreationOptionsJSON>('/setup/begin', { token });
    await owner.#json('/setup/finish', { token, response: owner.#passkey.create(options) });
    return owner;
  }

  async signIn(): Promise<void> {
    this.cookie = '';
    const options = await this.#json<PublicKeyCredentialRequestOptionsJSON>('/signin/begin', {});
    await this.#json('/signin/finish', { response: this.#passkey.get(options) });
  }

  async createWorkspace(name: string): Promise<void> {
    const response = await this.post('/account/workspaces', { name });
    if (response.status !== 303) throw new Error(`the workspace was answered ${response.status}`);
  }

  /** A personal token as its page shows it once. */
  async createToken({
    workspace = 'main',
    scopes = ['read', 'write', 'share'],
    days = '7',
    name = 'test',
  }: TokenWish = {}) {
    const response = await this.post('/account/tokens', { name, workspace, days, scope: scopes });
    const token = /<pre id="token">([^<]+)<\/pre>/.exec(await response.text())?.[1];
    if (!token) throw new Error(`the token was answered ${response.status}`);
    return token;
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(new URL(path, this.#origin), { redirect: 'manual', headers: { cookie: this.cookie, ...headers } });
  }

  /** A form of ours, posted from our own page. */
  post(
    path: string,
    fields: Record<string, string | string[]>,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const form = new URLSearchParams();
    for (const [name, values] of Object.entries(fields)) for (const value of [values].flat()) form.append(name, value);
    return fetch(new URL(path, this.#origin), {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: this.#origin, cookie: this.cookie, ...headers },
      body: form,
    });
  }

  /** Keeps cookies as a browser would. */
  keepCookies(response: Response): void {
    const kept = new Map(
      this.cookie
        .split('; ')
        .filter(Boolean)
        .map((cookie) => cookie.split('=', 2) as [string, string]),
    );
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';');
      const at = pair.indexOf('=');
      kept.set(pair.slice(0, at), pair.slice(at + 1));
    }
    this.cookie = [...kept].map((pair) => pair.join('=')).join('; ');
  }

  async #json<T>(path: string, body: object): Promise<T> {
    const response = await fetch(new URL(path, this.#origin), {
      method: 'POST',
      headers: { origin: this.#origin, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    this.keepCookies(response);
    return (await response.json()) as T;
  }
}
