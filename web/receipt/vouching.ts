/** Which keys a host vouches for: an edge publishes them; a static host or a desk has no such list. */
import * as v from 'valibot';

const keyText = v.string();
const keysSchema = v.object({ keys: v.array(v.union([keyText, v.object({ public_key: keyText })])) });

/** Of the host that shows the receipt, or of another one. */
export async function vouchedKeys(origin = location.origin): Promise<{ host: string; keys: string[] } | undefined> {
  try {
    const url = new URL('/.well-known/stele/keys.json', origin);
    const response = await fetch(url, { headers: { accept: 'application/json' } });
    if (!response.ok) return undefined;
    const { keys } = v.parse(keysSchema, await response.json());
    return { host: url.host, keys: keys.map((key) => (typeof key === 'string' ? key : key.public_key)) };
  } catch {
    return undefined;
  }
}
