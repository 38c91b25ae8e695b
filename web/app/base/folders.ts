/** Folders, which are nothing but parts of paths. */

export interface Folder {
  name: string;
  /** Below it, at any depth. */
  tables: number;
  rows: number;
}

/** Folders directly below `folder`, and the tables that lie in it. */
export function levelOf<T extends { path: string; rows: number }>(
  tables: T[],
  folder: string,
): { folders: Folder[]; here: T[] } {
  const prefix = folder ? `${folder}/` : '';
  const folders = new Map<string, Folder>();
  const here: T[] = [];
  for (const table of tables) {
    const [first, ...rest] = table.path.slice(prefix.length).split('/');
    if (rest.length === 0) {
      here.push(table);
      continue;
    }
    const found = folders.get(first!) ?? { name: first!, tables: 0, rows: 0 };
    folders.set(first!, { name: first!, tables: found.tables + 1, rows: found.rows + table.rows });
  }
  return { folders: [...folders.values()], here };
}
