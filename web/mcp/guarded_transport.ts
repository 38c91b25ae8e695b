/**
 * GuardedTransport: one client's messages, which reach the MCP server only while the gate is open. Without it nothing is
 * answered but the refusal. How messages travel is the business of whoever makes it.
 */
import {
  type JSONRPCMessage,
  type JSONRPCRequest,
  parseJSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/server';

/** Whether the other side may be heard, and how it comes to be. */
export interface Gate {
  isOpen(): boolean;
  /** Resolves when it is open or will stay shut. */
  ask(signal: AbortSignal): Promise<void>;
  /** What a refused client is told. */
  refusal(): { error: string; message: string; hint: string };
}

const heldMax = 50;
const charactersMax = 32 << 20;
const refusedCode = -32000;

export class GuardedTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  #gate: Gate;
  #post: (message: JSONRPCMessage) => void;
  #held: JSONRPCMessage[] = [];
  #asking = false;
  #closing = new AbortController();

  constructor(gate: Gate, post: (message: JSONRPCMessage) => void) {
    this.#gate = gate;
    this.#post = post;
  }

  async start(): Promise<void> {}

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#closing.signal.aborted) throw new Error('The connection is closed.');
    // What was asked while the gate was open is not answered once it is shut.
    if (this.#gate.isOpen()) this.#post(message);
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
    let message: JSONRPCMessage;
    try {
      message = jsonMessage(payload);
    } catch (error) {
      this.onerror?.(error as Error);
      return;
    }
    if (this.#gate.isOpen() && this.#held.length === 0) this.onmessage?.(message);
    else this.#hold(message);
  }

  #hold(message: JSONRPCMessage): void {
    if (this.#held.length >= heldMax) {
      if (isRequest(message)) this.#refuse(message.id);
      return;
    }
    this.#held.push(message);
    if (!this.#asking) void this.#ask();
  }

  async #ask(): Promise<void> {
    this.#asking = true;
    await this.#gate.ask(this.#closing.signal);
    this.#asking = false;
    const isOpen = this.#gate.isOpen();
    for (const message of this.#held.splice(0)) {
      if (isOpen) this.onmessage?.(message);
      else if (isRequest(message)) this.#refuse(message.id);
    }
  }

  #refuse(id: JSONRPCRequest['id'] | undefined): void {
    const data = this.#gate.refusal();
    const error = { code: refusedCode, message: `${data.error}: ${data.message} ${data.hint}`, data };
    this.#post({ jsonrpc: '2.0', ...(id === undefined ? {} : { id }), error });
  }
}

/** A structured clone holds more than JSON does: only what JSON says of it goes on. */
function jsonMessage(payload: unknown): JSONRPCMessage {
  const text = JSON.stringify(payload) as string | undefined;
  if (text === undefined || text.length > charactersMax) throw new Error('The message is not JSON or too long.');
  return parseJSONRPCMessage(JSON.parse(text));
}

function isRequest(message: JSONRPCMessage): message is JSONRPCRequest {
  return 'method' in message && 'id' in message;
}
