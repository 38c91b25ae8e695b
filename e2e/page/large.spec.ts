/** Large files go through the page to the disk, are never held in memory as a whole, and hold up nobody. */
import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { call, expect, openTab, rowsOf, test } from '../support/harness.ts';
import { peakRendererBytes } from '../support/memory.ts';

const mib = 2 ** 20;
const fileBytes = (process.env.STELE_LONG ? 2000 : 400) * mib;
/** What the engine may use and some buffers, which do not follow the file's size. */
const grownBytesMax = Math.min(fileBytes, 640 * mib);

async function writeCsv(path: string): Promise<number> {
  const file = createWriteStream(path);
  file.write('id,code,amount,text\n');
  let rows = 0;
  for (let bytes = 0; bytes < fileBytes;) {
    let part = '';
    for (let n = 0; n < 10_000; ++n, ++rows)
      part += `${rows},c${(rows * 7919) % 1009},${(rows % 10_007) / 4},text of row ${rows} ${(rows * 2_654_435_761) % 2 ** 32}\n`;
    bytes += part.length;
    if (!file.write(part)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'finish');
  return rows;
}

test(`a file of ${fileBytes / mib} MiB is imported in less memory than it has`, async ({ context, host }, info) => {
  const path = info.outputPath('large.csv');
  const rows = await writeCsv(path);
  const page = await openTab(context, host);
  await call(page, 'write_table', { table: 'warm', rows: [{ n: 1 }] });
  const before = await peakRendererBytes(context);
  await page.evaluate(() => (document.body.innerHTML = '<input type="file">'));
  await page.locator('input').setInputFiles(path);
  const begun = Date.now();
  const { value, answeredWhile } = await page.evaluate(async () => {
    const file = document.querySelector<HTMLInputElement>('input')!.files![0]!;
    const caller = { author: 'test', read: true, write: true, share: true, origin: '' };
    let doing = '';
    let asking: Promise<string> | undefined;
    const { value } = await window.workspace.importFile(file, { table: 'large' }, caller, {
      onProgress: ({ what }) => {
        doing = what;
        asking ??= window.workspace.call('list_tables', {}, caller).then(() => doing);
      },
    });
    return { value, answeredWhile: await asking };
  });
  const grown = (await peakRendererBytes(context)) - before;
  console.log(
    `${fileBytes / mib} MiB in ${Date.now() - begun} ms; memory ${Math.round(before / mib)} + ${Math.round(grown / mib)} MiB`,
  );
  expect(value).toMatchObject({ rows });
  expect(answeredWhile).toBe('reading the file');
  expect(await rowsOf(page, 'SELECT count(*), min(id), max(id) FROM large')).toEqual([[rows, 0, rows - 1]]);
  expect(grown).toBeLessThan(grownBytesMax);
});
