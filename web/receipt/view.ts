/** The frame's script: takes a receipt from the page around it, checks it in this browser, and shows it. */
import { parseReceipt } from './document.ts';
import type { FromFrame, ToFrame } from './messages.ts';
import type { Rerun } from './rerun.ts';
import { problemShown, receiptShown } from './shown.ts';
import { verify } from './verify.ts';
import './view.css';

const page = document.querySelector('main')!;
const tell = (message: FromFrame) => window.parent.postMessage(message, '*');
let reran: (outcome: Rerun) => void = () => {};

window.addEventListener('message', (event) => {
  if (event.source !== window.parent) return;
  const message = event.data as ToFrame;
  if (message.kind === 'receipt') void show(message);
  if (message.kind === 'problem') page.replaceChildren(...problemShown(message.message, message.hint));
  if (message.kind === 'reran') reran(message.outcome);
});
new ResizeObserver(() => tell({ kind: 'height', px: document.documentElement.offsetHeight })).observe(
  document.documentElement,
);
tell({ kind: 'ready' });

async function show({ receipt: found, link, place, canRerun }: Extract<ToFrame, { kind: 'receipt' }>): Promise<void> {
  const receipt = parseReceipt(found);
  const verdict = await verify(receipt.sealed);
  const rerun = (): Promise<Rerun> => {
    tell({ kind: 'rerun' });
    return new Promise((resolve) => (reran = resolve));
  };
  page.replaceChildren(...receiptShown({ receipt, verdict, place, link, ...(canRerun ? { rerun } : {}) }));
}
