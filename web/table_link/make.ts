/** Puts a table's rows into a link, if they fit one. */
import type { TableFacts } from '../../wasm/table_facts.ts';
import { type CarriedFacts, carriedCharsMax, carriedTable, fragmentOf, linkCharsMax } from './carried.ts';

export interface ToCarry {
  facts: TableFacts;
  /** Whether the rows are some of the table's and not all of them. */
  isPart: boolean;
  pages: AsyncIterable<{ rows: unknown[][] }>;
}

/** The rows do not fit. `chars`: how long the link would be; undefined of rows so many that they were not even packed. */
export class LinkTooLong extends Error {
  readonly chars: number | undefined;

  constructor(chars: number | undefined) {
    super('the rows do not fit a link');
    this.chars = chars;
  }
}

/** `base`: where the app lies, without a slash at the end. Throws LinkTooLong. */
export async function linkOfTable({ facts, isPart, pages }: ToCarry, base: string): Promise<string> {
  const rows: unknown[][] = [];
  let chars = 0;
  for await (const page of pages) {
    chars += JSON.stringify(page.rows).length;
    if (chars > carriedCharsMax / 2) throw new LinkTooLong(undefined);
    rows.push(...page.rows);
  }
  const { table, description, version, changed_at: changedAt, columns } = facts;
  const carried: CarriedFacts = {
    ...{ table, version, columns },
    ...(description ? { description } : {}),
    ...(changedAt ? { changed_at: changedAt } : {}),
    ...(isPart ? { rows_in_all: facts.rows } : {}),
  };
  const link = `${base}/table.html#${await fragmentOf(carriedTable(carried, rows))}`;
  if (link.length > linkCharsMax) throw new LinkTooLong(link.length);
  return link;
}
