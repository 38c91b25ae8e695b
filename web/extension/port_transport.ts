/** The client's end of a port that a page opened. */
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';

export class PortTransport implements Transport {
  onclose?: () => void;
  onmessage?: Transport['onmessage'];
  #port: ChromePort;

  constructor(port: ChromePort) {
    this.#port = port;
  }

  async start(): Promise<void> {
    this.#port.onMessage.addListener((message) => this.onmessage?.(message as JSONRPCMessage));
    this.#port.onDisconnect.addListener(() => this.onclose?.());
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#port.postMessage(message);
  }

  async close(): Promise<void> {
    this.#port.disconnect();
    this.onclose?.();
  }
}
