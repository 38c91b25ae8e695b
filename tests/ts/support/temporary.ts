/** A folder that is gone when the test is over, or the suite, by `temporaryFolder(afterAll)` in its body. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

export function temporaryFolder(atEnd: (clean: () => void) => void = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), 'stele-test-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
