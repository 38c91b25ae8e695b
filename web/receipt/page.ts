/** receipt.html's script: a receipt for whoever has its link, without the app. It shows nothing itself; the frame does. */
import { findReceipt } from './find.ts';
import { receiptFrame } from './frame.ts';
import { baseAddress } from '../base.ts';
import './page.css';

// Another link that is opened in the same tab may differ in the fragment alone.
addEventListener('hashchange', () => location.reload());
// The link as it was handed on, whichever file of this host shows it.
const link = location.hash ? `${baseAddress()}/r${location.hash}` : location.href;
document.querySelector('main')!.append(receiptFrame({ find: findReceipt, link }));
