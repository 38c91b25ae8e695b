/** The operators of a filter as an address spells them: `where` of an api_url, `filter` of an embedded table. */
import type { RowFilter } from './views.ts';

export const filterWords: Readonly<Record<string, RowFilter['op']>> = {
  eq: '=',
  ne: '!=',
  lt: '<',
  le: '<=',
  gt: '>',
  ge: '>=',
  contains: 'contains',
  starts_with: 'starts_with',
  is_null: 'is_null',
  is_not_null: 'is_not_null',
};
