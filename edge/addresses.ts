/** Which addresses lie on the public internet. It resolves nothing and connects to nothing, and runs in any home. */

// IANA's special-purpose registries: what is not globally reachable, or reaches IPv4 by detours.
const special4: [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];
const special6: [string, number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];
const globalUnicast6: [string, number] = ['2000::', 3];

export function isPublicAddress(address: string): boolean {
  const four = bits4(address);
  if (four !== undefined) return !special4.some(([net, length]) => isWithin(four, bits4(net)!, length, 32));
  const six = bits6(address);
  if (six === undefined) return false;
  const inNet = ([net, length]: [string, number]) => isWithin(six, bits6(net)!, length, 128);
  return inNet(globalUnicast6) && !special6.some(inNet);
}

/** A host that is an address and no name, IPv6 without its brackets. */
export function isAddress(host: string): boolean {
  return bits4(host) !== undefined || bits6(host) !== undefined;
}

function isWithin(address: bigint, net: bigint, length: number, width: number): boolean {
  const rest = BigInt(width - length);
  return address >> rest === net >> rest;
}

/** The four decimal parts that URL parsing and resolvers write; other spellings are not addresses here. */
function bits4(text: string): bigint | undefined {
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text)?.slice(1).map(Number);
  if (!parts || parts.some((part) => part > 255)) return undefined;
  return parts.reduce((bits, part) => (bits << 8n) | BigInt(part), 0n);
}

function bits6(text: string): bigint | undefined {
  const spelled = withoutEmbedded4(text);
  if (spelled === undefined || !/^[0-9a-f:]+$/i.test(spelled) || !spelled.includes(':')) return undefined;
  const [head = '', tail, ...more] = spelled.split('::');
  if (more.length > 0) return undefined;
  const groups = (part: string) => (part === '' ? [] : part.split(':'));
  const [before, after] = [groups(head), groups(tail ?? '')];
  const missing = 8 - before.length - after.length;
  if (tail === undefined ? missing !== 0 : missing < 1) return undefined;
  const all = [...before, ...Array<string>(missing).fill('0'), ...after];
  if (!all.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return undefined;
  return all.reduce((bits, group) => (bits << 16n) | BigInt(`0x${group}`), 0n);
}

/** ::ffff:127.0.0.1 as ::ffff:7f00:1. */
function withoutEmbedded4(text: string): string | undefined {
  const found = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text);
  if (!found) return text;
  const bits = bits4(found[2]!);
  return bits === undefined ? undefined : `${found[1]}${(bits >> 16n).toString(16)}:${(bits & 0xffffn).toString(16)}`;
}
