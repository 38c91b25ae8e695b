/** A thread that unpacks one workbook and ends, so that a large one holds up nobody and cannot take the process with it. */
import { parentPort, workerData } from 'node:worker_threads';
import { repliesTo, type XlsxRequest } from '../../wasm/xlsx/unpack.ts';

for (const reply of repliesTo(workerData as XlsxRequest)) parentPort?.postMessage(reply);
