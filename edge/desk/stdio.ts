/** MCP over standard input and output, with the digits of long integers kept. */
import { StringDecoder } from 'node:string_decoder';
import { Transform } from 'node:stream';
import type { McpServerFactory } from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { parseExactJson } from '../../wasm/exact_json.ts';

const lineBytesMax = 32 << 20;
const longDigits = /\d{16}/;

/** Serves until the client closes its end. */
export function serveStdin(factory: McpServerFactory): Promise<void> {
  const input = process.stdin.pipe(exactLines());
  const transport = new StdioServerTransport(input, process.stdout, { maxBufferSize: lineBytesMax });
  const handle = serveStdio(factory, { transport });
  return new Promise((resolve) => {
    input.once('end', () => void handle.close().finally(resolve));
  });
}

/** The SDK parses each line with JSON.parse; lines that hold long integers are written anew before, with strings for them. */
function exactLines(): Transform {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const lines = (rest + decoder.write(chunk)).split('\n');
      rest = lines.pop()!;
      if (lines.length > 0) this.push(lines.map((line) => `${exactLine(line)}\n`).join(''));
      done(rest.length > lineBytesMax ? new Error('a message is longer than 32 MiB') : null);
    },
    flush(done) {
      if (rest !== '') this.push(exactLine(rest));
      done();
    },
  });
}

function exactLine(line: string): string {
  if (!longDigits.test(line)) return line;
  try {
    return JSON.stringify(parseExactJson(line));
  } catch {
    // The SDK answers what is not JSON.
    return line;
  }
}
