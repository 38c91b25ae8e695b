/** table.html's script: makes the frame that shows the table, and hands it the link's fragment. */
import { under } from '../base.ts';
import { fromFrame, type ToFrame } from './messages.ts';
import './page.css';

/** Scripts of the frame run in an origin of their own: no storage, no cookies, no reach to this page. */
const frame = document.createElement('iframe');
frame.title = 'Table';
frame.setAttribute('sandbox', 'allow-scripts allow-downloads');
frame.allow = 'clipboard-write';

addEventListener('message', (event) => {
  if (event.source !== frame.contentWindow) return;
  const message = fromFrame(event.data);
  if (message?.kind === 'title') document.title = message.title;
  if (message?.kind !== 'ready') return;
  const handed: ToFrame = { kind: 'fragment', fragment: location.hash.slice(1), host: location.host };
  // An opaque origin can only be addressed as "*"; what is sent is the table, which the frame is there to show.
  frame.contentWindow?.postMessage(handed, '*');
});
// Another link of this page that is opened in the same tab changes the fragment alone.
addEventListener('hashchange', () => location.reload());

frame.src = under('table_view.html');
document.querySelector('main')!.append(frame);
