/** `stele doctor`: looks, says what it found and what to do, and exits with 1 if anything is wrong. */
import { examineDesk } from '../doctor/desk_checks.ts';
import { examineEdge } from '../doctor/edge_checks.ts';
import { formatFindings } from '../doctor/finding.ts';
import { DeskError } from '../open_desk.ts';
import type { Options } from './run.ts';

export async function doctor(options: Options, url: string | undefined): Promise<number> {
  if (url !== undefined && !URL.canParse(url)) throw new DeskError(`${url} is no URL.`);
  const findings =
    url === undefined ? await examineDesk(options) : await examineEdge({ url, token: process.env.STELE_TOKEN });
  process.stdout.write(formatFindings(findings));
  return findings.every(({ isWell }) => isWell) ? 0 : 1;
}
