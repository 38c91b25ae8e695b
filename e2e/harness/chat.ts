/** A chat client that can show MCP Apps: the official bridge around a sandboxed frame, with answers that a test hands in. */
import { AppBridge, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge';

export interface Chat {
  /** Frames the view, gives it the answer, and waits until it has said how high it is. */
  show(html: string, answer: Record<string, unknown>, theme: 'light' | 'dark'): Promise<number>;
  /** The addresses that the view asked to be opened. */
  opened: string[];
}

declare global {
  interface Window {
    chat: Chat;
  }
}

const opened: string[] = [];

async function show(html: string, answer: Record<string, unknown>, theme: 'light' | 'dark'): Promise<number> {
  document.querySelector('iframe')?.remove();
  const frame = document.createElement('iframe');
  frame.title = 'Answer';
  frame.sandbox.add('allow-scripts');
  frame.style.cssText = 'width: 100%; border: 0';
  document.body.append(frame);
  const bridge = new AppBridge(null, { name: 'chat', version: '1' }, { openLinks: {} }, { hostContext: { theme } });
  bridge.onopenlink = ({ url }) => {
    opened.push(url);
    return Promise.resolve({});
  };
  const height = new Promise<number>((resolve) => {
    bridge.onsizechange = ({ height = 0 }) => {
      if (height < 40) return; // before it has anything to show
      frame.style.height = `${height}px`;
      resolve(height);
    };
  });
  bridge.oninitialized = () => {
    void bridge.sendToolInput({ arguments: {} });
    void bridge.sendToolResult({ content: [], structuredContent: answer });
  };
  await bridge.connect(new PostMessageTransport(frame.contentWindow!, frame.contentWindow!));
  frame.srcdoc = html;
  return height;
}

window.chat = { show, opened };
