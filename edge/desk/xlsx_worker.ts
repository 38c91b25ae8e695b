/** A thread that unpacks one workbook and ends, so that a large one holds up nobody and cannot take the process with it. */
import { parentPort, workerData } from 'node:worker_threads';
import { HomeError } from '../../wasm/home.ts';
import { readXlsx } from '../../wasm/xlsx/table.ts';
import type { XlsxReply, XlsxRequest } from './xlsx.ts';

const linesPerMessage = 5000;
const { bytes, sheet } = workerData as XlsxRequest;

function post(reply: XlsxReply): void {
  parentPort?.postMessage(reply);
}

try {
  const { lines, rows, facts, warnings } = readXlsx(bytes, sheet);
  let batch: string[] = [];
  let done = 0;
  for (const line of lines) {
    batch.push(line);
    if (batch.length < linesPerMessage) continue;
    done += batch.length;
    post({ kind: 'lines', text: batch.join(''), done, rows });
    batch = [];
  }
  post({ kind: 'lines', text: batch.join(''), done: rows, rows });
  post({ kind: 'end', facts, warnings });
} catch (error) {
  if (!(error instanceof HomeError)) throw error;
  post({ kind: 'refused', answer: error.answer });
}
