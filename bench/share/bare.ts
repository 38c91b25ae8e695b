/** What one would write without Stele: the Parquet file beside the page, read by hyparquet, its first rows in a bare table. */
import { asyncBufferFromUrl, parquetReadObjects } from 'hyparquet';

const file = await asyncBufferFromUrl({ url: '/rows.parquet' });
const rows = await parquetReadObjects({ file, rowStart: 0, rowEnd: 100 });
const body = document.querySelector<HTMLTableElement>('table')!.createTBody();
for (const row of rows) {
  const line = body.insertRow();
  for (const value of Object.values(row)) line.insertCell().textContent = String(value);
}
