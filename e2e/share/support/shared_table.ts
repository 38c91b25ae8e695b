/** A real edge with one shared table that holds what hostile authors would write, for the tests of what strangers see. */
import type { Client } from '@modelcontextprotocol/client';
import { call, connect } from '../../edge/support/client.ts';
import { LocalEdge } from '../../edge/support/local_edge.ts';
import { Owner } from '../../edge/support/owner.ts';

export const hostile = [
  '<script>window.hurt = 1</script>',
  '<img src=x onerror="window.hurt = 1">',
  '=HYPERLINK("http://evil.example","click")',
  '\u202Egnp.exe',
  'x'.repeat(1_000_000),
];
export const rowCount = 2500;
export const table = 'sales/2025';

export interface SharedTable {
  edge: LocalEdge;
  owner: Owner;
  client: Client;
  url: string;
  apiUrl: string;
}

/** `state`: a folder for the edge's objects. The table: id from 1, city, amount and, in its first rows, what is hostile as note. */
export async function shareTable(state: string): Promise<SharedTable> {
  const edge = await LocalEdge.start({ state });
  const owner = await Owner.setUp(edge);
  const client = await connect(`${edge.origin}/mcp`, await owner.createToken());
  const rows = Array.from({ length: rowCount }, (_, i) => ({
    id: i + 1,
    city: ['Lisbon', 'Oslo', 'Zürich', 'Kyoto'][i % 4],
    amount: i / 4,
    note: hostile[i] ?? null,
  }));
  await call(client, 'write_table', { table, rows });
  await call(client, 'update_table_info', {
    table,
    description: 'Orders <b>of</b> 2025',
    column_descriptions: { amount: 'Euros, with tax' },
  });
  const { url, api_url: apiUrl } = (await call(client, 'share_table', { table })) as { url: string; api_url: string };
  return { edge, owner, client, url, apiUrl };
}
