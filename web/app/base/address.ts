/**
 * Addresses: every place of the app as a URL and back. Pure functions; whoever moves is router.ts. A path of a table contains
 * no "@", so `/t/<path>@<version>` names one version. All of them lie under the build's base.
 */
import { basePath, under } from '../../base.ts';

export const filterOperators = [
  '=',
  '!=',
  '<',
  '<=',
  '>',
  '>=',
  'contains',
  'starts_with',
  'is_null',
  'is_not_null',
] as const;
export type FilterOperator = (typeof filterOperators)[number];

export interface Filter {
  column: string;
  op: FilterOperator;
  value?: string | number | boolean;
}

export interface Order {
  column: string;
  descending?: boolean;
}

/** What of a table is shown: all of it belongs to the address. */
export interface RowsView {
  filters: Filter[];
  order: Order[];
  search: string;
}

export const tableTabs = ['rows', 'columns', 'history', 'diff'] as const;
export type TableTab = (typeof tableTabs)[number];

export interface TablePlace extends RowsView {
  page: 'table';
  path: string;
  version?: number;
  tab: TableTab;
  /** Of a diff. */
  from?: number;
  to?: number;
}

export type Place =
  | { page: 'tables'; folder: string; search: string }
  | TablePlace
  | { page: 'query'; sql: string }
  | { page: 'import'; url: string }
  | { page: 'receipt'; id: string }
  | { page: 'trash' | 'receipts' | 'shares' | 'agents' | 'storage' | 'nowhere' };

const plainPages = ['trash', 'receipts', 'shares', 'agents', 'storage'] as const;

export function tablePlace(path: string, more: Partial<TablePlace> = {}): TablePlace {
  return { page: 'table', path, tab: 'rows', filters: [], order: [], search: '', ...more };
}

export function placeOf(url: URL): Place {
  const { pathname, searchParams } = url;
  if (!pathname.startsWith(basePath)) return { page: 'nowhere' };
  const [first = '', ...rest] = pathname.slice(basePath.length).split('/');
  switch (first) {
    case '':
    case 'index.html':
      return { page: 'tables', folder: searchParams.get('in') ?? '', search: searchParams.get('q') ?? '' };
    case 't':
      return placeOfTable(rest, searchParams);
    case 'query':
      return { page: 'query', sql: searchParams.get('sql') ?? '' };
    case 'import':
      return { page: 'import', url: searchParams.get('url') ?? '' };
    case 'r':
      return rest[0] ? { page: 'receipt', id: rest[0] } : { page: 'nowhere' };
  }
  const page = plainPages.find((name) => name === first);
  return page && rest.length === 0 ? { page } : { page: 'nowhere' };
}

function placeOfTable(segments: string[], parameters: URLSearchParams): Place {
  const named = decoded(segments.join('/'));
  if (!named) return { page: 'nowhere' };
  const at = /^(.*)@([1-9]\d*)$/.exec(named);
  const place = tablePlace(at ? at[1]! : named, rowsViewOf(parameters));
  if (at) place.version = Number(at[2]);
  place.tab = tableTabs.find((tab) => tab === parameters.get('show')) ?? 'rows';
  const from = versionOf(parameters.get('from'));
  const to = versionOf(parameters.get('to'));
  if (from) place.from = from;
  if (to) place.to = to;
  return place;
}

export function rowsViewOf(parameters: URLSearchParams): RowsView {
  const view: RowsView = { filters: [], order: [], search: parameters.get('q') ?? '' };
  for (const [name, value] of parameters) {
    if (name === 'asc') view.order.push({ column: value });
    if (name === 'desc') view.order.push({ column: value, descending: true });
    const filter = name === 'where' ? filterOf(value) : undefined;
    if (filter) view.filters.push(filter);
  }
  return view;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

function versionOf(text: string | null): number | undefined {
  return text && /^[1-9]\d*$/.test(text) ? Number(text) : undefined;
}

function filterOf(text: string): Filter | undefined {
  let parts: unknown;
  try {
    parts = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!Array.isArray(parts)) return undefined;
  const [column, named, value] = parts as unknown[];
  const op = filterOperators.find((operator) => operator === named);
  if (typeof column !== 'string' || !op) return undefined;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return { column, op, value };
  return takesValue(op) ? undefined : { column, op };
}

export function takesValue(op: FilterOperator): boolean {
  return op !== 'is_null' && op !== 'is_not_null';
}

export function hrefOf(place: Place): string {
  switch (place.page) {
    case 'tables':
      return withParameters(under(''), [
        ['in', place.folder],
        ['q', place.search],
      ]);
    case 'table':
      return hrefOfTable(place);
    case 'query':
      return withParameters(under('query'), [['sql', place.sql]]);
    case 'import':
      return withParameters(under('import'), [['url', place.url]]);
    case 'receipt':
      return under(`r/${encodeURIComponent(place.id)}`);
    case 'nowhere':
      return under('');
    default:
      return under(place.page);
  }
}

function hrefOfTable(place: TablePlace): string {
  const path = place.path.split('/').map(encodeURIComponent).join('/');
  const parameters: [string, string][] = [];
  if (place.tab !== 'rows') parameters.push(['show', place.tab]);
  if (place.tab === 'diff') {
    if (place.from) parameters.push(['from', String(place.from)]);
    if (place.to) parameters.push(['to', String(place.to)]);
  }
  if (place.tab === 'rows') parameters.push(...rowsParameters(place));
  return withParameters(under(`t/${path}${place.version ? `@${place.version}` : ''}`), parameters);
}

function rowsParameters({ search, filters, order }: RowsView): [string, string][] {
  const wheres = filters.map(({ column, op, value }) => [column, op, ...(value === undefined ? [] : [value])]);
  return [
    ['q', search],
    ...wheres.map((where): [string, string] => ['where', JSON.stringify(where)]),
    ...order.map(({ column, descending }): [string, string] => [descending ? 'desc' : 'asc', column]),
  ];
}

export function hrefOfRows(path: string, view: RowsView): string {
  return withParameters(path, rowsParameters(view));
}

/** The order after a click on a column: ascending, then descending, then as the table lies; with Shift beside what is sorted. */
export function nextOrder(order: Order[], column: string, isAdditional: boolean): Order[] {
  const present = order.find((one) => one.column === column);
  const next: Order[] = !present ? [{ column }] : present.descending ? [] : [{ column, descending: true }];
  if (!isAdditional) return next;
  return present ? order.flatMap((one) => (one === present ? next : [one])) : [...order, ...next];
}

function withParameters(path: string, parameters: [string, string][]): string {
  const given = parameters.filter(([, value]) => value !== '');
  return given.length ? `${path}?${new URLSearchParams(given)}` : path;
}
