/** Which keys this host vouches for: an edge publishes them; a static host or a desk has no such list. */
import * as v from 'valibot';

const keyText = v.string();
const keysSchema = v.object({ keys: v.array(v.union([keyText, v.object({ public_key: keyText })])) });

export async function vouchedKeys(): Promise<{ host: string; keys: string[] } | undefined> {
  try {
    const response = await fetch('/.well-known/stele/keys.json', { headers: { accept: 'application/json' } });
    if (!response.ok) return undefined;
    const { keys } = v.parse(keysSchema, await response.json());
    return { host: location.host, keys: keys.map((key) => (typeof key === 'string' ? key : key.public_key)) };
  } catch {
    return undefined;
  }
}
