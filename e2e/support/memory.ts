/** What the pages of a browser have held in memory at most, as Linux counts it. */
import { readFileSync } from 'node:fs';
import type { BrowserContext } from '@playwright/test';

/** Bytes of the renderer that held most, at its highest. The WebAssembly heap and what the engine copies are in it. */
export async function peakRendererBytes(context: BrowserContext): Promise<number> {
  const cdp = await context.browser()!.newBrowserCDPSession();
  const { processInfo } = await cdp.send('SystemInfo.getProcessInfo');
  await cdp.detach();
  const peaks = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => highWaterBytes(id));
  return Math.max(...peaks);
}

function highWaterBytes(process: number): number {
  const status = readFileSync(`/proc/${process}/status`, 'utf8');
  return Number(/^VmHWM:\s*(\d+) kB$/m.exec(status)?.[1]) * 1024;
}
