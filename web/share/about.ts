/** What a server tells of a shared table at its link's /about. It was written by someone else, and is looked at before it is used. */
import * as v from 'valibot';
import type { DescribedColumn } from '../../wasm/answers.ts';
import { fetchJson } from './rows_api.ts';

const counts = v.array(v.tuple([v.unknown(), v.number()]));

const aboutSchema = v.object({
  table: v.string(),
  version: v.number(),
  description: v.string(),
  rows: v.number(),
  changed_at: v.string(),
  columns: v.array(
    v.looseObject({
      name: v.string(),
      type: v.string(),
      class: v.optional(v.string(), ''),
      description: v.optional(v.string()),
      nulls: v.optional(v.number()),
      distinct: v.optional(v.number()),
      top: v.optional(counts),
      histogram: v.optional(counts),
    }),
  ),
});

/** Of a shared table by its link; the profile of each column by name. */
export async function fetchAbout(
  shareUrl: string,
  signal?: AbortSignal,
): Promise<{ rows: number; profiles: Map<string, DescribedColumn> }> {
  const { rows, columns } = v.parse(aboutSchema, await fetchJson(`${shareUrl}/about`, signal));
  return { rows, profiles: new Map(columns.map((column) => [column.name, column as DescribedColumn])) };
}
