/** Addresses: every place of the app is a URL that leads back to it. */
import { describe, expect, test } from 'vitest';
import { hrefOf, type Place, placeOf, tablePlace } from '../../../web/app/base/address.ts';

const origin = 'https://stele.example';
const there = (href: string) => placeOf(new URL(href, origin));

const places: [string, Place][] = [
  ['/', { page: 'tables', folder: '', search: '' }],
  ['/?in=research&q=price', { page: 'tables', folder: 'research', search: 'price' }],
  ['/t/research/competitors', tablePlace('research/competitors')],
  ['/t/a/b@12', tablePlace('a/b', { version: 12 })],
  ['/t/a?show=history', tablePlace('a', { tab: 'history' })],
  ['/t/a?show=diff&from=3&to=7', tablePlace('a', { tab: 'diff', from: 3, to: 7 })],
  ['/t/a?q=tea', tablePlace('a', { search: 'tea' })],
  ['/t/a?desc=price&asc=name', tablePlace('a', { order: [{ column: 'price', descending: true }, { column: 'name' }] })],
  ['/query?sql=SELECT+1', { page: 'query', sql: 'SELECT 1' }],
  ['/import?url=https%3A%2F%2Fa.example%2Fb.csv', { page: 'import', url: 'https://a.example/b.csv' }],
  ['/r/swBfEa_K', { page: 'receipt', id: 'swBfEa_K' }],
  ['/trash', { page: 'trash' }],
  ['/storage', { page: 'storage' }],
];

test.each(places)('%s is a place, and the place has this address', (href, place) => {
  expect(there(href)).toEqual(place);
  expect(hrefOf(place)).toBe(href);
});

describe('a filter', () => {
  test.each([
    { column: 'price', op: '>=' as const, value: 9.5 },
    { column: 'a, "b" & c=d', op: 'contains' as const, value: '50 % [off]' },
    { column: 'open', op: '=' as const, value: true },
    { column: 'note', op: 'is_null' as const },
  ])('comes back from the address as it was: $column $op', (filter) => {
    const place = tablePlace('shop/items', { filters: [filter] });
    expect(there(hrefOf(place))).toEqual(place);
  });

  test.each([
    'where=nonsense',
    'where=["a"]',
    'where=["a","; DROP"]',
    'where=["a","="]',
    'where={"a":1}',
    'where=[1,"=",2]',
  ])('that says nothing is left out: %s', (parameter) => {
    expect(there(`/t/a?${parameter}`)).toEqual(tablePlace('a'));
  });
});

test('names with unusual letters survive their address', () => {
  for (const path of ['prix/été 2026', 'a%2Fb', 'x?y#z', '価格/表']) {
    expect(there(hrefOf(tablePlace(path)))).toEqual(tablePlace(path));
  }
});

test.each(['/nothing', '/t/', '/r/', '/trash/more', '/t/%E0%A4%A'])('%s is nowhere', (href) => {
  expect(there(href)).toEqual({ page: 'nowhere' });
});
