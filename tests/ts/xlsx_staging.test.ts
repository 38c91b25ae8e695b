/** A staged workbook becomes the same staged cells wherever it is unpacked, and a refusal leaves nothing staged. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { unpackXlsx } from '../../edge/desk/xlsx.ts';
import type { AskContext, SheetRequest, Staging } from '../../wasm/home.ts';
import { repliesTo, stageCells } from '../../wasm/xlsx/unpack.ts';
import { MemoryStaging } from './support/memory_staging.ts';

async function staged(bytes: Uint8Array): Promise<{ staging: MemoryStaging; workbook: number }> {
  const staging = new MemoryStaging();
  const workbook = await staging.begin();
  await staging.append(workbook, bytes);
  return { staging, workbook };
}

const caseFile = (name: string) => readFileSync(new URL(`../cases/${name}`, import.meta.url));
const context: AskContext = { signal: new AbortController().signal, onProgress: () => {}, trusted: false };

const ways: [string, (workbook: number, sheet: SheetRequest, staging: Staging) => Promise<unknown>][] = [
  ['on a thread', (workbook, sheet, staging) => unpackXlsx(workbook, sheet, staging, context)],
  [
    'in place',
    (workbook, sheet, staging) =>
      stageCells(workbook, staging, context, {
        bytesMax: 1 << 20,
        unpack: (bytes) => repliesTo({ bytes, sheet }),
      }),
  ],
];

test.each(ways)('%s', async (_name, unpack) => {
  const { staging, workbook } = await staged(caseFile('33-merged.xlsx'));
  const answer = await unpack(workbook, { sheet: null }, staging);
  expect(answer).toMatchObject({ staged: 2, warnings: [{ kind: 'merged_cells_filled' }] });
  expect(staging.blobs.get(2)!.toString().split('\n').slice(0, 3)).toEqual([
    '["shed","bench","score"]',
    '["East","b1",1]',
    '["East","b2",2]',
  ]);
});

test.each(ways)('%s, what is no workbook is refused', async (_name, unpack) => {
  const { staging, workbook } = await staged(Buffer.from('a,b\n1,2\n'));
  await expect(unpack(workbook, { sheet: null }, staging)).rejects.toMatchObject({ answer: { error: 'not_xlsx' } });
  expect([...staging.blobs.keys()]).toEqual([workbook]);
});

test('a workbook beyond the bound is not unpacked at all', async () => {
  const { staging, workbook } = await staged(Buffer.alloc(1001));
  const unpack = () => {
    throw new Error('it was');
  };
  const answer = stageCells(workbook, staging, context, { bytesMax: 1000, unpack });
  await expect(answer).rejects.toMatchObject({ answer: { error: 'too_large' } });
});
