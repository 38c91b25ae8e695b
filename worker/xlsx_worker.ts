/** A worker that unpacks one workbook: the workbook, then an empty message for each further batch of lines. */
import { repliesTo, type XlsxReply, type XlsxRequest } from '../wasm/xlsx/unpack.ts';

let replies: Iterator<XlsxReply, void> | undefined;

self.onmessage = ({ data }: MessageEvent<XlsxRequest | null>) => {
  if (data) replies = repliesTo(data);
  const next = replies?.next();
  if (next && !next.done) self.postMessage(next.value);
};
