/** Edits: many versions that each change 1 % of 100 K rows: what they take in bytes, and what an old one takes to read. */
import { type Figure, inTurn, kb, ms, timedMs, type Settings } from './figure.ts';
import { Stele } from './stele.ts';

const rows = 100_000;
const edited = 1_000;
const versionsFull = 1_000;
const versionsShort = 200;
const rounds = 5;

// Of all segments that the table ever had, or of those that brought a change: merges write again what had been written.
const segmentBytes = `SELECT sum(b.size) FROM tables t JOIN segment_spans p ON p.table_id = t.id JOIN blobs b ON b.id = p.segment
  WHERE t.path = 'rows'`;
const changedBytes = `${segmentBytes} AND p.data_change = 1`;
const generated = `SELECT range AS id, 'name ' || (range * 7919) % 1000003 AS name, (range * 31) % 1000 AS n,
  (range * 13) % 10007 / 8.0 AS amount FROM range(${rows})`;

/** Numbers that look random and are the same in every run. */
function* pseudoRandom(): Generator<number> {
  for (let state = 1; ; state = (state * 48_271) % 2_147_483_647) yield state;
}

function edit(random: Generator<number>): { id: number; name: string; n: number; amount: number }[] {
  const next = (below: number) => (random.next().value as number) % below;
  const ids = new Set<number>();
  while (ids.size < edited) ids.add(next(rows));
  return [...ids].map((id) => ({ id, name: `edit ${next(1_000_000)}`, n: next(1_000), amount: next(100_000) / 8 }));
}

export async function measureEdits({ full }: Settings): Promise<Figure[]> {
  const versions = full ? versionsFull : versionsShort;
  const stele = await Stele.open();
  try {
    await stele.call('write_table', { table: 'seed', rows: [{ n: 1 }] });
    await stele.call('query', { sql: generated, save_as: 'rows' });
    const random = pseudoRandom();
    const editing = await timedMs(async () => {
      for (let i = 0; i < versions; ++i) {
        await stele.call('write_table', { table: 'rows', mode: 'upsert', key_columns: ['id'], rows: edit(random) });
      }
    });
    console.error(`  ${versions} edits took ${ms(editing)}, ${ms(editing / versions)} each`);

    const changed = stele.stored(changedBytes);
    const all = stele.stored(segmentBytes);
    const read = (version: number) => () =>
      timedMs(() => stele.query(`SELECT count(*), sum(n), sum(amount), max(name) FROM "rows@${version}"`));
    const middle = Math.round(versions / 2);
    await read(middle)();
    await read(versions + 1)();
    const [middleMs, latestMs] = await inTurn(rounds, [read(middle), read(versions + 1)]);
    return [
      {
        subject: 'edits',
        what: `${versions} versions of 1 % edits of 100 K rows, bytes of all segments to those first written`,
        ratio: all / changed,
        target: 1.5,
        from: `${kb(all)} against ${kb(changed)}`,
      },
      {
        subject: 'edits',
        what: `reading version ${middle} to reading the latest`,
        ratio: middleMs! / latestMs!,
        target: 2,
        from: `${ms(middleMs!)} against ${ms(latestMs!)}`,
      },
    ];
  } finally {
    stele.close();
  }
}
