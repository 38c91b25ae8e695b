/**
 * The one handle that may write a file of the origin. A worker that was killed holds its handles until the browser has noticed,
 * each for itself, which takes seconds on a busy machine: so an opening waits. The caller holds the lock that says it may.
 */

export const lockedRetryMs = 25;
/** Ten seconds. */
export const lockedAttempts = 400;

export async function accessHandle(file: FileSystemFileHandle): Promise<FileSystemSyncAccessHandle> {
  for (let attempt = 1; ; ++attempt) {
    try {
      return await file.createSyncAccessHandle();
    } catch (error) {
      if (!isLocked(error) || attempt === lockedAttempts) throw error;
      await new Promise((resolve) => setTimeout(resolve, lockedRetryMs));
    }
  }
}

/** Whether another handle holds the file. */
export function isLocked(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'NoModificationAllowedError';
}
