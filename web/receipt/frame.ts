/** The page around a receipt: makes the frame that shows it, hands the receipt in, and runs it again when asked to. */
import { under } from '../base.ts';
import { parseReceipt } from './document.ts';
import { fromFrame, type Place, type ToFrame } from './messages.ts';
import type { Rerun } from './rerun.ts';
import type { Content } from './document.ts';

export type Found = { receipt: unknown; place: Place } | { problem: string; hint: string };

export interface FrameOptions {
  find(): Promise<Found>;
  /** What "cite" puts beside the sentence. */
  link: string;
  /** Absent where no engine is at hand. */
  rerun?: (content: Content) => Promise<Rerun>;
}

const viewUrl = under('receipt_view.html');

/** Scripts of the frame run in an origin of their own: no storage, no cookies, no reach to this page. */
export function receiptFrame({ find, link, rerun }: FrameOptions): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  frame.className = 'receipt-frame';
  frame.title = 'Receipt';
  frame.setAttribute('sandbox', 'allow-scripts allow-popups allow-popups-to-escape-sandbox');
  frame.allow = 'clipboard-write';
  const finding = find();
  let content: Content | undefined;
  // An opaque origin can only be addressed as "*"; what is sent is the receipt, which the frame is there to show.
  const send = (message: ToFrame) => frame.contentWindow?.postMessage(message, '*');

  async function handIn(): Promise<void> {
    const found = await finding;
    if ('problem' in found) return send({ kind: 'problem', message: found.problem, hint: found.hint });
    try {
      content = parseReceipt(found.receipt).content;
    } catch {
      return send({
        kind: 'problem',
        message: 'This is not a receipt, or its link is damaged.',
        hint: 'Ask for the link again.',
      });
    }
    send({ kind: 'receipt', receipt: found.receipt, link, place: found.place, canRerun: rerun !== undefined });
  }

  addEventListener('message', function listen(event) {
    if (!frame.isConnected && content) return removeEventListener('message', listen);
    if (event.source !== frame.contentWindow) return;
    const message = fromFrame(event.data);
    if (message?.kind === 'ready') void handIn();
    if (message?.kind === 'height') frame.style.blockSize = `${Math.ceil(message.px)}px`;
    if (message?.kind === 'rerun' && rerun && content)
      void rerun(content).then((outcome) => send({ kind: 'reran', outcome }));
  });
  frame.src = viewUrl;
  return frame;
}
