/** Whether the link of a receipt carried it whole when it was made: by the rule of core/tables/receipts.cpp. */
import type { SqlStore } from '../../wasm/sql_store.ts';

const linkCharsMax = 2000;

/** `base`: where links begin. */
export function fitsInLink(store: SqlStore, id: string, base: string): boolean {
  const [row] = store.query('SELECT length(CAST(document AS BLOB)) FROM receipts WHERE id = ?', [id]);
  const bytes = Number(row?.[0] ?? 0);
  return `${base}/r#`.length + Math.ceil((bytes * 4) / 3) <= linkCharsMax;
}
