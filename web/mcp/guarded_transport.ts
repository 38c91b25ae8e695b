/**
 * GuardedTransport: one client's messages, which reach the MCP server only while the gate is open. Without it nothing is
 * answered but the refusal. How messages travel is the business of whoever makes it.
 */
import type { JSONRPCMessage, JSONRPCRequest, Transport } from '@modelcontextprotocol/server';
import * as v from 'valibot';

/** Whether the other side may be heard, and how it comes to be. */
export interface Gate {
  isOpen(): boolean;
  /** Resolves when it is open or will stay shut. */
  ask(signal: AbortSignal): Promise<void>;
  /** What a refused client is told. */
  refusal(): { error: string; message: string; hint: string };
}

export interface GuardedTransportOptions {
  gate: Gate;
  /** Sends to the client. */
  post(message: JSONRPCMessage): void;
  /** Brings the server to this transport, once, when the first message is let through. */
  attach(transport: GuardedTransport): Promise<void>;
}

const heldMax = 50;
const charactersMax = 32 << 20;
const refusedCode = -32000;

/** As far as this file looks into a message. The SDK looks into the rest. */
const messageSchema = v.looseObject({
  jsonrpc: v.literal('2.0'),
  id: v.optional(v.union([v.string(), v.number()])),
  method: v.optional(v.string()),
});

export class GuardedTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  #options: GuardedTransportOptions;
  #held: JSONRPCMessage[] = [];
  #advancing = false;
  #attached = false;
  #closing = new AbortController();

  constructor(options: GuardedTransportOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {}

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#closing.signal.aborted) throw new Error('The connection is closed.');
    // What was asked while the gate was open is not answered once it is shut.
    if (this.#options.gate.isOpen()) this.#options.post(message);
    else if ('id' in message && !('method' in message)) this.#refuse(message.id);
  }

  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    this.#held = [];
    this.onclose?.();
  }

  /** Something came from outside; what is no JSON-RPC message is dropped. */
  receive(payload: unknown): void {
    if (this.#closing.signal.aborted) return;
    const message = jsonMessage(payload);
    if (!message) return;
    if (this.#held.length < heldMax) {
      this.#held.push(message);
      void this.#advance();
    } else if (isRequest(message)) {
      this.#refuse(message.id);
    }
  }

  /** Lets through what is held, in order, or refuses it: as soon as the gate is open or known to stay shut. */
  async #advance(): Promise<void> {
    if (this.#advancing) return;
    this.#advancing = true;
    const { gate } = this.#options;
    if (!gate.isOpen()) await gate.ask(this.#closing.signal);
    if (gate.isOpen()) await this.#attach();
    this.#advancing = false;
    for (const message of this.#held.splice(0)) {
      if (gate.isOpen() && this.#attached) this.onmessage?.(message);
      else if (isRequest(message)) this.#refuse(message.id);
    }
  }

  async #attach(): Promise<void> {
    if (this.#attached) return;
    try {
      await this.#options.attach(this);
      this.#attached = true;
    } catch (error) {
      this.onerror?.(error as Error);
    }
  }

  #refuse(id: JSONRPCRequest['id'] | undefined): void {
    const data = this.#options.gate.isOpen() ? notStarted : this.#options.gate.refusal();
    const error = { code: refusedCode, message: `${data.error}: ${data.message} ${data.hint}`, data };
    this.#options.post({ jsonrpc: '2.0', ...(id === undefined ? {} : { id }), error });
  }
}

const notStarted = {
  error: 'busy',
  message: 'The server could not be started or has too much to do.',
  hint: 'Wait a little and connect again.',
};

/** A structured clone holds more than JSON does: only what JSON says of it goes on. */
function jsonMessage(payload: unknown): JSONRPCMessage | undefined {
  try {
    const text = JSON.stringify(payload) as string | undefined;
    if (text === undefined || text.length > charactersMax) return undefined;
    const message: unknown = JSON.parse(text);
    return v.is(messageSchema, message) ? (message as unknown as JSONRPCMessage) : undefined;
  } catch {
    // A cycle, or an integer that JSON has no form for.
    return undefined;
  }
}

function isRequest(message: JSONRPCMessage): message is JSONRPCRequest {
  return 'method' in message && 'id' in message;
}
