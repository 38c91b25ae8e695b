/** What `stele doctor` found of one thing, in a line, and what to do about it where something is wrong. */

export interface Finding {
  about: string;
  isWell: boolean;
  found: string;
  /** The next step; empty where all is well. */
  remedy: string;
}

export function well(about: string, found: string): Finding {
  return { about, isWell: true, found, remedy: '' };
}

export function wrong(about: string, found: string, remedy: string): Finding {
  return { about, isWell: false, found, remedy };
}

export function formatFindings(findings: Finding[]): string {
  const width = Math.max(...findings.map(({ about }) => about.length));
  const lines = findings.map(({ about, isWell, found, remedy }) => {
    const line = `${isWell ? 'ok   ' : 'WRONG'}  ${about.padEnd(width)}  ${found}\n`;
    return isWell ? line : `${line}${' '.repeat(9 + width)}→ ${remedy}\n`;
  });
  return lines.join('');
}
