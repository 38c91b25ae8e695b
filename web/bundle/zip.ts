/** The files of a bundle as one ZIP archive with a folder in it, written while they are read. */
import { Zip, ZipDeflate, ZipPassThrough } from 'fflate';
import type { BundleFile } from './bundle.ts';

/** What fits an archive without 64-bit sizes, with room to spare. */
const bytesMax = 3 * 2 ** 30;

/** Fails if the files are more than an archive holds. */
export function zipped(folder: string, files: AsyncGenerator<BundleFile>): ReadableStream<Uint8Array<ArrayBuffer>> {
  const parts = zipParts(folder, files);
  return new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const { done, value } = await parts.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await parts.return(undefined);
      await files.return(undefined);
    },
  });
}

async function* zipParts(
  folder: string,
  files: AsyncGenerator<BundleFile>,
): AsyncGenerator<Uint8Array<ArrayBuffer>, undefined> {
  const made: Uint8Array<ArrayBuffer>[] = [];
  let failure: Error | undefined;
  const zip = new Zip((error, bytes) => {
    if (error) failure = error;
    else made.push(bytes as Uint8Array<ArrayBuffer>);
  });
  const taken = () => {
    if (failure) throw failure;
    return made.splice(0);
  };
  let total = 0;
  for await (const { name, parts } of files) {
    // Parquet is compressed within.
    const entry = name.endsWith('.parquet')
      ? new ZipPassThrough(`${folder}/${name}`)
      : new ZipDeflate(`${folder}/${name}`, { level: 6 });
    zip.add(entry);
    for await (const part of parts) {
      total += part.length;
      if (total > bytesMax) throw new Error('The table is larger than 3 GB, which one archive does not hold.');
      entry.push(part);
      yield* taken();
    }
    entry.push(new Uint8Array(0), true);
    yield* taken();
  }
  zip.end();
  yield* taken();
  return undefined;
}
