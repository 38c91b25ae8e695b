/** A page of another origin with an agent in it: the official client, over the transport that MCP-B gives such pages. */
import { IframeParentTransport } from '@mcp-b/transports';
import { Client } from '@modelcontextprotocol/client';

export interface Agent {
  /** Opens the page of the tables and waits for its server. */
  open(how: 'window' | 'frame', url: string): Promise<void>;
  connect(mode?: Mode): Promise<void>;
  tools(): Promise<string[]>;
  call(tool: string, args: Record<string, unknown>): Promise<Result>;
  instructions(): string | undefined;
  /** Posts something that is no message of a client. */
  post(data: unknown): void;
}

export type Mode = 'legacy' | { pin: '2026-07-28' };

export interface Result {
  isError: boolean;
  value: Record<string, unknown>;
}

declare global {
  interface Window {
    agent: Agent;
  }
}

let target: HTMLIFrameElement | undefined;
let client: Client | undefined;

async function connect(mode: Mode = 'legacy'): Promise<void> {
  await client?.close().catch(() => {});
  client = new Client({ name: 'reference agent', version: '1.0' }, { versionNegotiation: { mode } });
  const targetOrigin = new URL(address).origin;
  await client.connect(new IframeParentTransport({ iframe: target!, targetOrigin }));
}

let address = '';

window.agent = {
  async open(how, url) {
    address = url;
    const ready = serverReady();
    target = how === 'frame' ? framed(url) : opened(url);
    await ready;
  },
  connect,
  async tools() {
    return (await client!.listTools()).tools.map(({ name }) => name);
  },
  async call(tool, args) {
    const { isError, structuredContent } = await client!.callTool({ name: tool, arguments: args });
    return { isError: isError === true, value: structuredContent as Record<string, unknown> };
  },
  instructions: () => client!.getInstructions(),
  post: (data) => target!.contentWindow!.postMessage(data, '*'),
};

function framed(url: string): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  frame.src = url;
  document.body.append(frame);
  return frame;
}

/** The transport asks of a frame no more than its window. */
function opened(url: string): HTMLIFrameElement {
  return { contentWindow: window.open(url) } as HTMLIFrameElement;
}

function serverReady(): Promise<void> {
  return new Promise((resolve) => {
    const listen = ({ data, source }: MessageEvent) => {
      if (source !== target?.contentWindow || data?.payload !== 'mcp-server-ready') return;
      removeEventListener('message', listen);
      resolve();
    };
    addEventListener('message', listen);
  });
}
