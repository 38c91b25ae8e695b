/** Receipts as their readers see them: parsed with distrust, checked, and called no more than what was checked. */
import { describe, expect, test } from 'vitest';
import type { CoreApi } from '../../../wasm/core.ts';
import { type Content, parseReceipt, receiptInFragment, type Sealed } from '../../../web/receipt/document.ts';
import { fromFrame } from '../../../web/receipt/messages.ts';
import { rerun } from '../../../web/receipt/rerun.ts';
import { verify } from '../../../web/receipt/verify.ts';
import { said, saidOfRerun } from '../../../web/receipt/words.ts';

const content = {
  stele_receipt: 1,
  sql: 'SELECT count(*) AS n FROM "shop/orders"',
  reads: [{ table: 'shop/orders', table_id: '01', version: 3, digest: 'abcd' }],
  columns: [{ name: 'n', type: 'BIGINT' }],
  rows: [[42]],
  row_count: 1,
  truncated: false,
  made_at: '2026-11-30T12:00:00.000Z',
  made_by: 'claude',
  engine: 'DuckDB 1.4.4',
};

const base64url = (bytes: ArrayBuffer) => Buffer.from(bytes).toString('base64url');

async function signed(document = JSON.stringify(content)): Promise<Sealed> {
  const pair = (await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])) as CryptoKeyPair;
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(document));
  const digest = Buffer.from(hash).toString('hex');
  const signature = await crypto.subtle.sign('Ed25519', pair.privateKey, new TextEncoder().encode(digest));
  return {
    document,
    digest,
    algorithm: 'Ed25519',
    public_key: base64url(await crypto.subtle.exportKey('raw', pair.publicKey)),
    signature: base64url(signature),
  };
}

describe('a check', () => {
  test('finds a receipt that is as it was signed', async () => {
    const sealed = await signed();
    expect(await verify(sealed)).toEqual({ kind: 'signed', key: sealed.public_key });
  });

  test('finds a changed row', async () => {
    const sealed = await signed();
    expect(await verify({ ...sealed, document: sealed.document.replace('42', '43') })).toEqual({ kind: 'changed' });
  });

  test('finds a document that was digested anew without the key', async () => {
    const sealed = await signed();
    const other = await signed(sealed.document.replace('42', '43'));
    expect(await verify({ ...other, public_key: sealed.public_key! })).toMatchObject({ kind: 'forged' });
    expect(await verify({ ...other, signature: sealed.signature! })).toMatchObject({ kind: 'forged' });
  });

  test.each([
    ['a signature that is none', { signature: '!!' }],
    ['a key that is none', { public_key: 'AAAA' }],
  ])('calls %s forged', async (_name, part) => {
    expect((await verify({ ...(await signed()), ...part })).kind).toBe('forged');
  });

  test('does not call an unsigned receipt signed', async () => {
    const { signature: _signature, ...sealed } = await signed();
    expect(await verify({ ...sealed, unsigned: 'No key here.' })).toEqual({ kind: 'unsigned', why: 'No key here.' });
  });

  test('says of an algorithm that it does not know that it did not check', async () => {
    expect((await verify({ ...(await signed()), algorithm: 'RSA' })).kind).toBe('unchecked');
  });
});

describe('the words', () => {
  const key = 'Ixc39nIrGWBTA98iOGZ5';
  const link = { from: 'link' as const };

  test('vouch only for a key that this host vouches for', () => {
    const vouching = { host: 'stele.example', keys: [key] };
    expect(said({ kind: 'signed', key }, { ...link, vouching }).sentences.join(' ')).toContain(
      'stele.example vouches for this key.',
    );
    expect(said({ kind: 'signed', key: 'another' }, { ...link, vouching }).sentences.join(' ')).toContain(
      'Nobody vouches for this key',
    );
    expect(said({ kind: 'signed', key }, link).tone).toBe('plain');
  });

  test.each([
    { kind: 'changed' },
    { kind: 'forged', key },
    { kind: 'unsigned', why: '' },
    { kind: 'unchecked', key },
  ] as const)('never sound good for %o, even where the key is vouched for', (verdict) => {
    const { tone, heading, sentences } = said(verdict, { ...link, vouching: { host: 'stele.example', keys: [key] } });
    expect(tone).not.toBe('good');
    expect(`${heading} ${sentences.join(' ')}`).not.toMatch(/vouches|Unchanged|verified/);
  });

  test('of a re-run say what was compared', () => {
    expect(saidOfRerun({ kind: 'same', rows: 1, isReordered: false }).sentences[0]).toContain('same 1 row.');
    expect(saidOfRerun({ kind: 'different', rows: 2 }).tone).toBe('bad');
  });
});

describe('a receipt from outside', () => {
  test('comes whole out of a link', async () => {
    const sealed = await signed();
    const fragment = Buffer.from(JSON.stringify(sealed)).toString('base64url');
    expect(parseReceipt(receiptInFragment(fragment)).content.rows).toEqual([[42]]);
  });

  test.each([
    ['another document', { document: '{"a":1}', digest: '' }],
    ['rows that are no rows', { document: JSON.stringify({ ...content, rows: ['<b>'] }), digest: '' }],
    ['a list', []],
    ['nothing', null],
  ])('is refused when it is %s', (_name, value) => {
    expect(() => parseReceipt(value)).toThrow();
  });

  test('says nothing to the page around it but what is known', () => {
    expect(fromFrame({ kind: 'height', px: 120 })).toEqual({ kind: 'height', px: 120 });
    for (const data of [null, 'ready', { kind: 'height', px: Infinity }, { kind: 'height' }, { kind: 'navigate' }])
      expect(fromFrame(data)).toBeUndefined();
  });
});

describe('running again', () => {
  function answering(value: object, isError = false): CoreApi {
    return { view: async () => ({ value, isError }) } as unknown as CoreApi;
  }
  const caller = { author: 'owner', read: true, write: false, share: false, origin: '' };
  const receipt = { ...content, rows: [[1], [2]], row_count: 2 } as Content;

  test.each([
    ['the same rows', { rows: [[1], [2]] }, { kind: 'same', rows: 2, isReordered: false }],
    ['the same rows otherwise ordered', { rows: [[2], [1]] }, { kind: 'same', rows: 2, isReordered: true }],
    ['other rows', { rows: [[1], [3]] }, { kind: 'different', rows: 2 }],
  ])('tells %s', async (_name, answer, expected) => {
    expect(await rerun(receipt, answering(answer), caller)).toEqual(expected);
  });

  test('compares nothing where the versions are not at hand', async () => {
    const refusal = { error: 'unknown_version', message: 'Version 3 is another here.', hint: 'Run it elsewhere.' };
    expect(await rerun(receipt, answering(refusal, true), caller)).toEqual({
      kind: 'impossible',
      why: 'Version 3 is another here.',
    });
    const gone = { pathOf: () => undefined };
    expect(await rerun(receipt, answering({ rows: [[1], [2]] }), caller, gone)).toMatchObject({ kind: 'impossible' });
  });
});
