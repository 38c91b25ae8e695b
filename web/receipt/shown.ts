/**
 * A receipt as a page shows it, like a proof: what was found out about it, the figure, what was asked and read, who made it, and
 * what was checked. Every value becomes text; nothing here makes markup of one.
 */
import { kindOf, typeWord, cellText, count, counted, exactTime } from '../app/base/words.ts';
import type { Content, Receipt, Sealed } from './document.ts';
import type { Place } from './messages.ts';
import type { Rerun } from './rerun.ts';
import { shortName, type Verdict } from './verify.ts';
import { type Said, said, saidOfRerun } from './words.ts';

type Child = Node | string;

export interface ShownReceipt {
  receipt: Receipt;
  verdict: Verdict;
  place: Place;
  /** What "cite" puts beside the sentence. */
  link: string;
  /** Absent where it cannot be run again. */
  rerun?: (() => Promise<Rerun>) | undefined;
}

export function receiptShown({
  receipt: { sealed, content },
  verdict,
  place,
  link,
  rerun,
}: ShownReceipt): HTMLElement[] {
  return [
    element('h1', {}, 'Receipt'),
    saidShown(said(verdict, place)),
    figure(content),
    ...section('Asked', element('pre', {}, content.sql)),
    ...section('Read', reads(content)),
    ...section('Made', made(content)),
    ...section('Checked', checked(sealed, verdict, place), again(rerun, verdict)),
    cite(content, verdict, link),
  ];
}

export function problemShown(message: string, hint: string): HTMLElement[] {
  return [
    element('h1', {}, 'Receipt'),
    element('p', { className: 'bad' }, message),
    element('p', { className: 'quiet' }, hint),
  ];
}

function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  properties: Partial<HTMLElementTagNameMap[K]> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

function saidShown({ tone, heading, sentences }: Said): HTMLElement {
  const box = element(
    'div',
    { className: `said ${tone}` },
    element('strong', {}, heading),
    element('span', {}, ` ${sentences.join(' ')}`),
  );
  box.setAttribute('role', 'status');
  return box;
}

function section(title: string, ...children: Child[]): HTMLElement[] {
  return [element('section', {}, element('h2', {}, title), ...children)];
}

/** One value stands alone as the figure it is; more are a table. */
function figure({ columns, rows, row_count, truncated, notice }: Content): HTMLElement {
  if (rows.length === 1 && columns.length === 1) {
    return element(
      'div',
      { className: 'figure' },
      element('p', { className: 'value' }, cellText(rows[0]![0]) || 'null'),
      element('p', { className: 'quiet' }, columns[0]!.name),
    );
  }
  const head = columns.map(({ name, type }) => {
    const cell = element('th', { scope: 'col', title: type }, name, element('small', {}, typeWord(type)));
    cell.dataset.kind = kindOf(type);
    return cell;
  });
  const body = rows.map((row) => element('tr', {}, ...columns.map(({ type }, x) => valueCell(row[x], kindOf(type)))));
  const table = element('table', {}, element('thead', {}, element('tr', {}, ...head)), element('tbody', {}, ...body));
  const scroll = element('div', { className: 'scroll', tabIndex: 0 }, table);
  scroll.setAttribute('role', 'region');
  scroll.setAttribute('aria-label', 'Rows');
  const isCut = truncated || rows.length < row_count;
  return element(
    'div',
    {},
    scroll,
    element(
      'p',
      { className: 'quiet' },
      isCut ? (notice ?? `The first ${count(rows.length)} rows.`) : counted(rows.length, 'row'),
    ),
  );
}

function valueCell(value: unknown, kind: string): HTMLElement {
  const isNull = value === null || value === undefined;
  const cell = element('td', { className: isNull ? 'null' : '' }, isNull ? 'null' : cellText(value));
  cell.dataset.kind = kind;
  return cell;
}

function reads({ reads: tables }: Content): HTMLElement {
  if (tables.length === 0) return element('p', {}, 'No table: the query holds all that it answers.');
  return element(
    'ul',
    {},
    ...tables.map(({ table, version, digest }) =>
      element(
        'li',
        {},
        element('strong', {}, table),
        `, version ${version} `,
        element('code', { className: 'quiet', title: digest }, shortName(digest)),
      ),
    ),
  );
}

function made({ made_at, made_by, engine, message, run }: Content): HTMLElement {
  const time = element('time', { dateTime: made_at, title: made_at }, exactTime(made_at));
  return element('p', {}, time, ` by ${made_by}, ${engine}`, run ? `, run ${run}` : '', message ? `. ${message}` : '');
}

function checked({ digest, public_key }: Sealed, verdict: Verdict, { from, host }: Place): HTMLElement {
  const digestFits = verdict.kind !== 'changed';
  const where = {
    link: 'It came with the link itself.',
    store: 'It came from the store in this browser.',
    server: host ? `It came from ${host}.` : 'It came from this server.',
  }[from];
  return element(
    'ul',
    {},
    element(
      'li',
      {},
      digestFits ? 'The digest fits, computed here: ' : 'The digest does not fit: ',
      element('code', {}, digest),
    ),
    ...(public_key ? [element('li', {}, 'Key named: ', element('code', {}, public_key))] : []),
    element('li', {}, where),
  );
}

function again(rerun: (() => Promise<Rerun>) | undefined, verdict: Verdict): HTMLElement {
  const place = element('div');
  if (!rerun || verdict.kind === 'changed' || verdict.kind === 'forged') return place;
  const button = element('button', { type: 'button', className: 'primary' }, 'Run it again');
  button.addEventListener('click', () => {
    button.disabled = true;
    button.textContent = 'Running …';
    void rerun().then((outcome) => place.replaceChildren(saidShown(saidOfRerun(outcome))));
  });
  place.append(button);
  return place;
}

/** A sentence with the link, for whoever states the figure; not offered for what does not hold. */
function cite(content: Content, verdict: Verdict, link: string): HTMLElement {
  if (verdict.kind === 'changed' || verdict.kind === 'forged') return element('p');
  const tables = content.reads.map(({ table, version }) => `${table}, version ${version}`).join('; ');
  const isOne = content.rows.length === 1 && content.columns.length === 1;
  const what = isOne
    ? `${content.columns[0]!.name}: ${cellText(content.rows[0]![0])}`
    : counted(content.row_count, 'row');
  const sentence = `${what}${tables ? `, from ${tables}` : ''} (${content.made_at.slice(0, 10)}). Receipt: ${link}`;
  const button = element('button', { type: 'button' }, 'Cite');
  const told = element('span', { className: 'quiet' });
  told.setAttribute('role', 'status');
  button.addEventListener('click', () => {
    void copy(sentence).then(
      (isCopied) => (told.textContent = isCopied ? 'Copied: ' + sentence.slice(0, 80) + '…' : sentence),
    );
  });
  return element('p', { className: 'cite' }, button, ' ', told);
}

async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
