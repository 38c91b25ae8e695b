/** A workspace's file as a desk leaves it, with a table that is shared. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const command = fileURLToPath(new URL('../../edge/desk/stele.ts', import.meta.url));

export async function makeDeskBackup(file: string, table: string): Promise<void> {
  const serving = spawn('node', [command, 'serve', '--port', '0', '--file', file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    await once(serving.stdout, 'data');
    for (const [tool, args] of [
      ['write_table', { table, rows: [{ city: 'Oslo', people: 717_710 }] }],
      ['share_table', { table }],
    ] as const)
      execFileSync('node', [command, 'call', tool, JSON.stringify(args), '--file', file]);
  } finally {
    const ended = once(serving, 'close');
    serving.kill('SIGTERM');
    await ended;
  }
}
