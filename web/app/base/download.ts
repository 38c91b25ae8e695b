/** Hands files to the person: streamed to a place they choose where the browser can, else as a download. */

interface SaveWindow {
  showSaveFilePicker?: (options: { suggestedName: string }) => Promise<FileSystemFileHandle>;
}

/** Answers false if the person chose no place. */
export async function saveStream(name: string, bytes: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<boolean> {
  const { showSaveFilePicker } = window as SaveWindow;
  if (!showSaveFilePicker) {
    saveBlob(name, await new Response(bytes).blob());
    return true;
  }
  let handle: FileSystemFileHandle;
  try {
    handle = await showSaveFilePicker({ suggestedName: name });
  } catch (error) {
    await bytes.cancel();
    if ((error as Error).name === 'AbortError') return false;
    throw error;
  }
  await bytes.pipeTo(await handle.createWritable());
  return true;
}

export function saveBlob(name: string, blob: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The browser has taken the address by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

const sqliteHeader = 'SQLite format 3\0';

/** A backup is a SQLite file; it is looked at, not believed: whether it is one of ours is for the import to say. */
export async function looksLikeBackup(file: Blob): Promise<boolean> {
  return (await file.slice(0, sqliteHeader.length).text()) === sqliteHeader;
}
