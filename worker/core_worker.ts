/** The page's dedicated worker. It waits for the Web Lock; while it holds it, it keeps the store and serves every tab. */
import { Leader } from './leader.ts';
import { storeLock, type LeadingMessage, type StartMessage } from './protocol.ts';

self.addEventListener('message', function start({ data }: MessageEvent<StartMessage>) {
  if (data?.kind !== 'start') return;
  self.removeEventListener('message', start);
  void lead(data);
});

async function lead(start: StartMessage): Promise<void> {
  const name = storeLock(start.workspace);
  // Held until the worker ends, or until it has closed the store.
  await navigator.locks.request(name, async () => {
    const leader = new Leader(start, {
      postMessage: (message) => self.postMessage(message),
      onMessage: (listener) => self.addEventListener('message', ({ data }) => listener(data)),
    });
    await leader.open();
    self.postMessage({ kind: 'leading', leader: leader.id } satisfies LeadingMessage);
    await leader.ended;
  });
  self.close();
}
