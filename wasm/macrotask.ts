/** macrotask(): resolves after the event loop has had its turn, which a promise alone never gives. */
type Immediate = (callback: () => void) => unknown;

const immediate = (globalThis as { setImmediate?: Immediate }).setImmediate;

export const macrotask: () => Promise<void> = isWorkerd()
  ? () => new Promise((resolve) => void setTimeout(resolve, 0))
  : immediate
    ? () => new Promise((resolve) => void immediate(resolve))
    : messageChannelTask();

/** Of what workerd has, a timer alone lets the next request in, and only there it is not held back. */
function isWorkerd(): boolean {
  const { navigator } = globalThis as { navigator?: { userAgent: string } };
  return navigator?.userAgent === 'Cloudflare-Workers';
}

// setTimeout would be held back to 4 ms and more; a message to oneself is not.
function messageChannelTask(): () => Promise<void> {
  const { port1, port2 } = new MessageChannel();
  const waiting: (() => void)[] = [];
  port1.onmessage = () => waiting.shift()?.();
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      port2.postMessage(null);
    });
}
