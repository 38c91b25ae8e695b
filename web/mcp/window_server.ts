/**
 * WindowServer: MCP by postMessage with windows of other origins, be they the opener, the parent or a frame. Who speaks is
 * event.origin and nothing else; an answer goes to that window and only while it still shows that origin.
 */
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import * as v from 'valibot';
import type { GuardedTransport } from './guarded_transport.ts';
import { isOrigin } from './party.ts';

/** The envelope of the MCP-B transports, so that their clients find this server; the channels are theirs for frames and for tabs. */
const envelopeSchema = v.object({
  channel: v.picklist(['mcp-iframe', 'mcp-default']),
  type: v.literal('mcp'),
  direction: v.literal('client-to-server'),
  payload: v.unknown(),
});
type Channel = v.InferOutput<typeof envelopeSchema>['channel'];

const greeting = 'mcp-check-ready';
const readiness = 'mcp-server-ready';

export type Serve = (origin: string, post: (message: JSONRPCMessage) => void) => GuardedTransport;

interface Connection {
  source: Window;
  origin: string;
  channel: Channel;
  transport: GuardedTransport;
}

const connectionsMax = 32;

export class WindowServer {
  #window: Window;
  #serve: Serve;
  #connections: Connection[] = [];
  #listen = (event: Event) => this.#receive(event as MessageEvent);

  constructor(window: Window, serve: Serve) {
    this.#window = window;
    this.#serve = serve;
    window.addEventListener('message', this.#listen);
    this.#announce();
  }

  close(): void {
    this.#window.removeEventListener('message', this.#listen);
    for (const { transport } of this.#connections.splice(0)) void transport.close();
  }

  /** To whoever opened or framed this page, and may be waiting for it. It tells them no more than that the page is there. */
  #announce(): void {
    const { parent, opener } = this.#window;
    const near = [parent === this.#window ? null : parent, opener as Window | null];
    for (const other of near) if (other) send(other, '*', 'mcp-iframe', readiness);
  }

  #receive({ data, origin, source }: MessageEvent): void {
    const envelope = v.safeParse(envelopeSchema, data);
    // A sandboxed frame's origin is "null", as is every other's: it can be given no grant, so it is given no answer.
    if (!envelope.success || !isOrigin(origin) || !isWindow(source)) return;
    const { channel, payload } = envelope.output;
    if (payload === greeting) {
      // A client says this when it begins, and what an earlier one in that window agreed upon does not bind it.
      this.#drop((one) => one.source === source && one.origin === origin && one.channel === channel);
      send(source, origin, channel, readiness);
    } else {
      this.#connection(source, origin, channel).transport.receive(payload);
    }
  }

  #connection(source: Window, origin: string, channel: Channel): Connection {
    const known = this.#connections.find(
      (one) => one.source === source && one.origin === origin && one.channel === channel,
    );
    if (known) return known;
    this.#drop((one) => one.source.closed);
    if (this.#connections.length >= connectionsMax) this.#drop((one) => one === this.#connections[0]);
    const transport = this.#serve(origin, (message) => send(source, origin, channel, message));
    const connection = { source, origin, channel, transport };
    this.#connections.push(connection);
    return connection;
  }

  #drop(which: (connection: Connection) => boolean): void {
    const dropped = this.#connections.filter(which);
    this.#connections = this.#connections.filter((one) => !dropped.includes(one));
    for (const { transport } of dropped) void transport.close();
  }
}

function send(to: Window, targetOrigin: string, channel: Channel, payload: unknown): void {
  to.postMessage({ channel, type: 'mcp', direction: 'server-to-client', payload }, targetOrigin);
}

/** A port or a service worker has no `closed`; a window of another origin shows little else. */
function isWindow(source: MessageEventSource | null): source is Window {
  return source !== null && 'closed' in source && 'postMessage' in source;
}
