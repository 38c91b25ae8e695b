/** The Auth object's SQLite as it lies on disk, for what a test cannot wait for. The edge must not run meanwhile. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export function changeAuth(state: string, sql: string): void {
  const folder = join(state, 'stele-Auth');
  const files = readdirSync(folder).filter((name) => name.endsWith('.sqlite'));
  for (const file of files) {
    const database = new DatabaseSync(join(folder, file));
    if (database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'tokens'").get()) database.exec(sql);
    database.close();
  }
}
