/** The walkthrough over both transports of the desk. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { type Connection, walkThrough } from './walkthrough.ts';

const command = fileURLToPath(new URL('../../edge/desk/stele.ts', import.meta.url));

async function overStdio(folder: string): Promise<Connection> {
  const client = new Client({ name: 'walkthrough', version: '1.0' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [command, 'mcp', '--file', join(folder, 'stele.sqlite'), '--allow-private'],
    }),
  );
  return { client, close: () => client.close() };
}

async function overHttp(folder: string): Promise<Connection> {
  const server = spawn(process.execPath, [
    command,
    'serve',
    '--port',
    '0',
    '--file',
    join(folder, 'stele.sqlite'),
    '--allow-private',
  ]);
  const address = await new Promise<string>((resolve, reject) => {
    let printed = '';
    server.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
      const found = /http:\/\/\S+\/mcp/.exec(printed);
      if (found) resolve(found[0]);
    });
    server.once('exit', () => reject(new Error(`stele serve ended: ${printed}`)));
  });
  const client = new Client({ name: 'walkthrough', version: '1.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(address)));
  return {
    client,
    close: async () => {
      await client.close();
      await new Promise((resolve) => {
        server.once('exit', resolve);
        server.kill('SIGTERM');
      });
    },
  };
}

walkThrough('over HTTP', overHttp);
walkThrough('over stdio', overStdio);
