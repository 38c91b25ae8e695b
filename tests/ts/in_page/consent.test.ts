/** Who is asked what, and whose answers count. */
import { describe, expect, test } from 'vitest';
import { askAddress, askAsAddressed } from '../../../web/mcp/address.ts';
import { Consent } from '../../../web/mcp/consent.ts';
import { Grants } from '../../../web/mcp/grants.ts';
import type { Party } from '../../../web/mcp/party.ts';
import { agent, byHand, byScript, MapStore } from './support.ts';

const other: Party = { kind: 'origin', id: 'https://other.example' };
const deletion = { client: 'tester', tool: 'delete_table', title: 'Delete', args: { table: 't' } };

function made(canShow = true): { grants: Grants; consent: Consent } {
  const grants = new Grants(new MapStore());
  return { grants, consent: new Consent(grants, canShow) };
}

describe('a question about access', () => {
  test('is answered by a hand and kept', async () => {
    const { grants, consent } = made();
    const asking = consent.askAccess(agent, 'read', undefined);
    expect(consent.answer(consent.current!.id, { answer: 'allow', also: ['write'] }, byHand)).toBe(true);
    expect(await asking).toBe('allowed');
    expect(grants.list()).toMatchObject([{ party: agent, read: 'allowed', write: 'allowed' }]);
    expect(grants.allows(agent, 'share')).toBe(false);
  });

  test('is not answered by a script', () => {
    const { grants, consent } = made();
    void consent.askAccess(agent, 'read', undefined);
    expect(consent.answer(consent.current!.id, { answer: 'allow', also: [] }, byScript)).toBe(false);
    expect(consent.current).toBeDefined();
    expect(grants.list()).toEqual([]);
  });

  test('is not answered in a frame, but in a window of its own', async () => {
    const { grants, consent } = made(false);
    const asking = consent.askAccess(agent, 'read', undefined);
    expect(consent.answer(consent.current!.id, { answer: 'allow', also: [] }, byHand)).toBe(false);
    grants.decide(agent, { read: 'allowed' });
    expect(await asking).toBe('allowed');
    expect(consent.current).toBeUndefined();
  });

  test('is not answered by the answer to another', () => {
    const { grants, consent } = made();
    void consent.askAccess(agent, 'read', undefined);
    const { id } = consent.current!;
    consent.answer(id, { answer: 'refuse' }, byHand);
    void consent.askAccess(other, 'read', undefined);
    expect(consent.answer(id, { answer: 'allow', also: [] }, byHand)).toBe(false);
    expect(grants.admits(other)).toBe(false);
  });

  test('that was refused is not asked again, now or after a reload', async () => {
    const { grants, consent } = made();
    const asking = consent.askAccess(agent, 'read', undefined);
    consent.answer(consent.current!.id, { answer: 'refuse' }, byHand);
    expect(await asking).toBe('refused');
    expect(await new Consent(grants, true).askAccess(agent, 'read', undefined)).toBe('refused');
  });

  test('that was put off is not asked again before a reload, unless the person wants it', async () => {
    const { grants, consent } = made();
    const asking = consent.askAccess(agent, 'read', undefined);
    consent.answer(consent.current!.id, { answer: 'later' }, byHand);
    expect(await asking).toBe('refused');
    expect(await consent.askAccess(agent, 'read', undefined)).toBe('refused');
    expect(consent.postponed).toEqual([agent]);
    expect(grants.list()).toEqual([]);
    consent.reconsider(agent);
    void consent.askAccess(agent, 'read', undefined);
    expect(consent.current).toMatchObject({ party: agent, scope: 'read' });
  });

  test('is asked once for all who wait for it', async () => {
    const { consent } = made();
    const both = [consent.askAccess(agent, 'write', undefined), consent.askAccess(agent, 'write', undefined)];
    expect(consent.waiting).toBe(1);
    consent.answer(consent.current!.id, { answer: 'allow', also: [] }, byHand);
    expect(await Promise.all(both)).toEqual(['allowed', 'allowed']);
  });

  test('ends for a call that was given up', async () => {
    const { consent } = made();
    const givingUp = new AbortController();
    const asking = consent.askAccess(agent, 'write', undefined, givingUp.signal);
    givingUp.abort();
    expect(await asking).toBe('refused');
  });

  test('cannot be piled up without end', async () => {
    const { consent } = made();
    const parties = Array.from({ length: 30 }, (_, i): Party => ({ kind: 'origin', id: `https://a${i}.example` }));
    const last = parties.map((party) => consent.askAccess(party, 'read', undefined)).at(-1);
    expect(consent.waiting).toBe(20);
    expect(await last).toBe('refused');
  });
});

describe('a question about one call', () => {
  test('is asked each time', async () => {
    const { consent } = made();
    for (const answer of ['allow', 'refuse'] as const) {
      const asking = consent.askOnce(agent, deletion);
      consent.answer(consent.current!.id, answer === 'allow' ? { answer, also: [] } : { answer }, byHand);
      expect(await asking).toBe(answer === 'allow' ? 'allowed' : 'refused');
    }
  });

  test('allows nothing beyond that call', async () => {
    const { grants, consent } = made();
    void consent.askOnce(agent, deletion);
    consent.answer(consent.current!.id, { answer: 'allow', also: ['read', 'write', 'share'] }, byHand);
    expect(grants.list()).toEqual([]);
  });

  test('disappears with the call', async () => {
    const { consent } = made();
    const givingUp = new AbortController();
    const asking = consent.askOnce(agent, deletion, givingUp.signal);
    givingUp.abort();
    expect(await asking).toBe('refused');
    expect(consent.current).toBeUndefined();
  });

  test('is refused in a frame', async () => {
    expect(await made(false).consent.askOnce(agent, deletion)).toBe('refused');
  });
});

describe('the address that asks', () => {
  test('asks what it says', () => {
    const { consent } = made();
    askAsAddressed(consent, new URL(askAddress('https://home.example', agent, 'write')).search);
    expect(consent.current).toMatchObject({ kind: 'access', party: agent, scope: 'write' });
  });

  test.each(['', '?ask=read', '?ask=all&kind=origin&id=https://a.example', '?ask=read&kind=origin&id=*'])(
    'asks nothing when it is %j',
    (search) => {
      const { consent } = made();
      askAsAddressed(consent, search);
      expect(consent.current).toBeUndefined();
    },
  );
});
