/** A worker that unpacks one workbook, a batch of lines at each message, so that what is not yet staged stays small. */
import { HomeError } from '../wasm/home.ts';
import { readXlsx } from '../wasm/xlsx/table.ts';
import type { XlsxReply, XlsxRequest } from './xlsx.ts';

const linesPerMessage = 5000;

let replies: Iterator<XlsxReply, void> | undefined;

self.onmessage = ({ data }: MessageEvent<XlsxRequest | null>) => {
  if (data) replies = repliesTo(data);
  const next = replies?.next();
  if (next && !next.done) self.postMessage(next.value);
};

function* repliesTo({ bytes, sheet }: XlsxRequest): Generator<XlsxReply, void> {
  try {
    const { lines, rows, facts, warnings } = readXlsx(bytes, sheet);
    let batch: string[] = [];
    let done = 0;
    for (const line of lines) {
      batch.push(line);
      if (batch.length < linesPerMessage) continue;
      done += batch.length;
      yield { kind: 'lines', text: batch.join(''), done, rows };
      batch = [];
    }
    if (batch.length > 0) yield { kind: 'lines', text: batch.join(''), done: rows, rows };
    yield { kind: 'end', facts, warnings };
  } catch (error) {
    if (!(error instanceof HomeError)) throw error;
    yield { kind: 'refused', answer: error.answer };
  }
}
