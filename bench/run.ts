/**
 * npm run bench: Stele beside its peers, in one run on one machine, as ratios with their targets. --full makes 1,000 versions
 * where 200 are made otherwise, --write puts the figures into docs/bench.md, and names of subjects choose among them.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { measureAppend } from './append.ts';
import { measureCsv } from './csv.ts';
import { measureEdge } from './edge.ts';
import { measureEdits } from './edits.ts';
import type { Figure, Subject } from './figure.ts';
import { measureImport } from './import.ts';
import { measurePage } from './page.ts';
import { measureQueries } from './queries.ts';
import { measureShare } from './share.ts';
import { measureUpsert } from './upsert.ts';

const subjects: Record<string, Subject> = {
  import: measureImport,
  csv: measureCsv,
  queries: measureQueries,
  append: measureAppend,
  upsert: measureUpsert,
  edits: measureEdits,
  page: measurePage,
  edge: measureEdge,
  share: measureShare,
};
const report = new URL('../docs/bench.md', import.meta.url);
const figuresBegin = '<!-- figures -->';
const figuresEnd = '<!-- end of figures -->';

function verdict({ ratio, target }: Figure): [target: string, verdict: string] {
  if (target === undefined) return ['', ''];
  return [`≤ ${target}`, ratio <= target ? 'met' : '**missed**'];
}
const digits = (value: number): string => (value < 0.1 ? value.toFixed(3) : value.toFixed(2));

function table(figures: Figure[]): string {
  const rows = figures.map((figure) => [
    figure.subject,
    figure.what,
    digits(figure.ratio),
    ...verdict(figure),
    figure.from,
  ]);
  const head = ['subject', 'ratio of', 'figure', 'target', '', 'from'];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function writeReport(figures: Figure[]): void {
  const text = readFileSync(report, 'utf8');
  const [before, rest] = text.split(figuresBegin);
  const after = rest?.split(figuresEnd)[1];
  if (before === undefined || after === undefined)
    throw new Error(`docs/bench.md lacks ${figuresBegin} or ${figuresEnd}`);
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}`;
  writeFileSync(report, `${before}${figuresBegin}\n\n${machine}.\n\n${table(figures)}\n\n${figuresEnd}${after}`);
}

const { values, positionals } = parseArgs({
  options: { full: { type: 'boolean', default: false }, write: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const figures: Figure[] = [];
for (const name of positionals.length > 0 ? positionals : Object.keys(subjects)) {
  const measure = subjects[name];
  if (!measure) throw new Error(`There is no subject ${name}; there are ${Object.keys(subjects).join(', ')}.`);
  console.error(name);
  figures.push(...(await measure({ full: values.full })));
}
console.log(table(figures));
if (values.write) writeReport(figures);
