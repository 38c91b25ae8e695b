/** What a program's request for rows is read as, and that its description says the same. */
import { describe, expect, test } from 'vitest';
import { openApi } from '../../edge/handler/open_api.ts';
import { rowRequest, RowRequestError, sqlRequest } from '../../edge/handler/row_request.ts';

const read = (search: string, accept: string | null = null) =>
  rowRequest(new URL(`https://stele.example/w/main/s/token/rows${search}`), accept);

describe('a request', () => {
  test.each([
    ['', { format: 'json', limit: 500, offset: 0, what: { filters: [], order_by: [] } }],
    ['?select=a,b\\,c&select=d', { what: { columns: ['a', 'b,c', 'd'], filters: [], order_by: [] } }],
    [
      '?order=-a,b',
      {
        what: {
          order_by: [
            { column: 'a', descending: true },
            { column: 'b', descending: false },
          ],
          filters: [],
        },
      },
    ],
    ['?where=a.eq.1.5', { what: { filters: [{ column: 'a', op: '=', value: '1.5' }], order_by: [] } }],
    ['?where=a.eq.', { what: { filters: [{ column: 'a', op: '=', value: '' }], order_by: [] } }],
    ['?where=a\\.b.is_null', { what: { filters: [{ column: 'a.b', op: 'is_null' }], order_by: [] } }],
    ['?limit=10000&offset=7', { limit: 10_000, offset: 7 }],
    ['?limit=all&select=a', { limit: Infinity }],
    ['?format=csv&escape=formulas', { escapesFormulas: true }],
    ['?order=\\-a', { what: { filters: [], order_by: [{ column: '-a', descending: false }] } }],
    ['?search=x', { what: { search: 'x', filters: [], order_by: [] } }],
  ])('%s is read', (search, expected) => {
    expect(read(search)).toMatchObject(expected);
  });

  test.each([
    [null, 'json'],
    ['*/*', 'json'],
    ['text/html, text/csv;q=0.9', 'csv'],
    ['application/x-ndjson', 'ndjson'],
  ])('that accepts %s is answered in %s', (accept, format) => {
    expect(read('', accept).format).toBe(format);
  });

  test.each([
    '?where=a',
    '?where=a.eq',
    '?where=a.is_null.1',
    '?where=.eq.1',
    '?limit=1e3',
    '?limit=-1',
    '?limit=all&order=a',
    '?limit=all&search=a',
    '?escape=formulas',
    '?format=csv&escape=html',
    '?format=toString',
  ])('%s is refused with a hint', (search) => {
    expect(() => read(search)).toThrow(RowRequestError);
  });
});

test('a SELECT goes with format and limit, and with nothing else', () => {
  const readSql = (search: string) => sqlRequest(new URL(`https://stele.example/rows${search}`), null);
  expect(readSql('?limit=3')).toBeUndefined();
  expect(readSql('?sql=SELECT%201&format=csv&limit=3')).toMatchObject({ sql: 'SELECT 1', format: 'csv', limit: 3 });
  for (const search of ['?sql=x&where=a.eq.1', '?sql=x&limit=501', '?sql=x&limit=all', '?sql=x&format=exe'])
    expect(() => readSql(search)).toThrow(RowRequestError);
});

test('the document names each parameter, and a workspace where there are several', () => {
  const { servers, paths } = openApi('https://stele.example/w/{workspace}') as {
    servers: object[];
    paths: Record<string, { get: { parameters: { name: string }[] } }>;
  };
  expect(servers).toEqual([
    { url: 'https://stele.example/w/{workspace}', variables: { workspace: { default: 'main' } } },
  ]);
  const names = paths['/s/{token}/rows']!.get.parameters.map(({ name }) => name);
  expect(names).toEqual([
    'format',
    'select',
    'where',
    'search',
    'order',
    'limit',
    'offset',
    'escape',
    'sql',
    'If-None-Match',
  ]);
});
