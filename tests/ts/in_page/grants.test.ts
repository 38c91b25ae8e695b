/** What is remembered of the person's decisions, and that nothing else ever counts as one. */
import { expect, test } from 'vitest';
import { Grants } from '../../../web/mcp/grants.ts';
import { isOrigin, type Party } from '../../../web/mcp/party.ts';
import { agent, MapStore } from './support.ts';

const extension: Party = { kind: 'extension', id: 'a'.repeat(32) };

test('nobody may do anything at first', () => {
  const grants = new Grants(new MapStore());
  expect(grants.list()).toEqual([]);
  expect(grants.admits(agent)).toBe(false);
  expect(grants.decisionOn(agent, 'read')).toBeUndefined();
});

test('a grant is for one party and one scope, and outlives the page', () => {
  const store = new MapStore();
  new Grants(store).decide(agent, { read: 'allowed' });
  const grants = new Grants(store);
  expect(grants.allows(agent, 'read')).toBe(true);
  expect(grants.allows(agent, 'write')).toBe(false);
  for (const other of ['http://agent.example', 'https://agent.example:444', 'https://x.agent.example'])
    expect(grants.admits({ kind: 'origin', id: other })).toBe(false);
  expect(grants.admits(extension)).toBe(false);
});

test('deciding on one scope leaves the others as they were', () => {
  const grants = new Grants(new MapStore());
  grants.decide(agent, { read: 'allowed' });
  grants.decide(agent, { write: 'refused' });
  expect(grants.list()).toMatchObject([{ party: agent, read: 'allowed', write: 'refused' }]);
});

test('what was withdrawn is refused without another question, what was forgotten may ask again', () => {
  const grants = new Grants(new MapStore());
  grants.decide(agent, { read: 'allowed', write: 'allowed' });
  grants.withdraw(agent);
  expect([grants.admits(agent), grants.shunned(agent)]).toEqual([false, true]);
  grants.forget(agent);
  expect([grants.admits(agent), grants.shunned(agent)]).toEqual([false, false]);
});

test('a decision in one tab is heard in another', () => {
  const store = new MapStore();
  const [here, there] = [new Grants(store), new Grants(store)];
  const tab = new EventTarget();
  there.heedOtherTabs(tab);
  let heard = 0;
  there.addEventListener('change', () => ++heard);
  here.decide(agent, { read: 'allowed' });
  tab.dispatchEvent(Object.assign(new Event('storage'), { key: 'stele.grants' }));
  tab.dispatchEvent(Object.assign(new Event('storage'), { key: 'something else' }));
  expect([heard, there.admits(agent)]).toEqual([1, true]);
});

test.each([
  ['no JSON', '{'],
  ['no list', '{"party":{"kind":"origin","id":"https://agent.example"},"read":"allowed"}'],
  ['an unknown kind', '[{"party":{"kind":"any","id":"https://agent.example"},"read":"allowed","decidedAt":1}]'],
  [
    'an origin with a path',
    '[{"party":{"kind":"origin","id":"https://agent.example/x"},"read":"allowed","decidedAt":1}]',
  ],
  ['an opaque origin', '[{"party":{"kind":"origin","id":"null"},"read":"allowed","decidedAt":1}]'],
  ['a wild card', '[{"party":{"kind":"origin","id":"*"},"read":"allowed","decidedAt":1}]'],
  ['another word', '[{"party":{"kind":"origin","id":"https://agent.example"},"read":"yes","decidedAt":1}]'],
])('a store that holds %s grants nothing', (_, text) => {
  const store = new MapStore();
  store.setItem('stele.grants', text);
  expect(new Grants(store).list()).toEqual([]);
});

test('one damaged entry takes no other with it', () => {
  const store = new MapStore();
  store.setItem('stele.grants', `[7, {"party":${JSON.stringify(agent)},"read":"allowed","decidedAt":1}]`);
  expect(new Grants(store).admits(agent)).toBe(true);
});

test.each([
  ['https://agent.example', true],
  ['http://localhost:8080', true],
  ['chrome-extension://abc', false],
  ['null', false],
  ['', false],
  ['https://Agent.example', false],
])('%s is an origin that can be granted something: %s', (text, expected) => {
  expect(isOrigin(text)).toBe(expected);
});
