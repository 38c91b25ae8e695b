/** The grid's parts that know no page: rows on demand, where they lie, the cursor, and what goes to the clipboard. */
import { describe, expect, test, vi } from 'vitest';
import { tsvOf } from '../../../web/app/base/tsv.ts';
import { pageRows, type RowPage, RowSource, sourceOf } from '../../../web/app/grid/row_source.ts';
import { firstRowAt, type Geometry, scrollTopOf, scrollTopShowing } from '../../../web/app/grid/scrolling.ts';
import { moved, rectangleOf, type Selection } from '../../../web/app/grid/selection.ts';
import { barsOf, nullShare } from '../../../web/app/grid/spark.ts';

function counting(total: number, rowsAtMost = Infinity) {
  const asked: [number, number][] = [];
  const fetch = async (offset: number, limit: number): Promise<RowPage> => {
    asked.push([offset, limit]);
    const length = Math.max(0, Math.min(limit, rowsAtMost, total - offset));
    return { rows: Array.from({ length }, (_, i) => [offset + i]), total };
  };
  return { asked, fetch };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

describe('a row source', () => {
  test('has no row that was not fetched, and tells when it has', async () => {
    const { fetch } = counting(1_000_000);
    const source = new RowSource(fetch, 1_000_000);
    source.onRows = vi.fn();
    expect(source.row(500_000)).toBeUndefined();
    source.want(500_000, 500_030);
    await settled();
    expect(source.row(500_000)).toEqual([500_000]);
    expect(source.onRows).toHaveBeenCalled();
  });

  test('fetches whole pages, each once', async () => {
    const { asked, fetch } = counting(10_000);
    const source = new RowSource(fetch, 10_000);
    source.want(pageRows - 5, pageRows + 5);
    await settled();
    source.want(pageRows - 5, pageRows + 5);
    await settled();
    expect(asked).toEqual([
      [0, pageRows],
      [pageRows, pageRows],
    ]);
  });

  test('asks on where an answer was cut', async () => {
    const { asked, fetch } = counting(150, 60);
    const source = new RowSource(fetch, 150);
    source.want(0, 20);
    await settled();
    expect(asked.map(([offset]) => offset)).toEqual([0, 60, 120]);
    expect(source.row(149)).toEqual([149]);
  });

  test('ends where there are fewer rows than were told of', async () => {
    const { asked, fetch } = counting(30);
    const source = new RowSource(async (offset, limit) => ({ ...(await fetch(offset, limit)), total: 1000 }), 1000);
    source.onRows = () => source.want(0, 40);
    source.want(0, 40);
    await settled();
    expect(source.total).toBe(30);
    expect(asked.length).toBeLessThan(4);
  });

  test('gives up what is no longer in sight', async () => {
    const aborted: number[] = [];
    const source = new RowSource(
      (offset, _limit, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            aborted.push(offset);
            reject(new Error('aborted'));
          });
        }),
      100_000,
    );
    source.onError = vi.fn();
    source.want(0, 10);
    source.want(50_000, 50_010);
    await settled();
    expect(aborted).toEqual([0]);
    expect(source.onError).not.toHaveBeenCalled();
  });

  test('tells of a failure once, and does not ask again by itself', async () => {
    const fetch = vi.fn().mockRejectedValue(new Error('the engine is gone'));
    const source = new RowSource(fetch, 1000);
    source.onError = vi.fn();
    source.want(0, 10);
    await settled();
    source.want(0, 10);
    await settled();
    expect(source.onError).toHaveBeenCalledTimes(1);
    expect(fetch).toHaveBeenCalledTimes(1);
  });

  test('of rows that are here has them at once', () => {
    const source = sourceOf(Array.from({ length: 450 }, (_, i) => [i]));
    expect([source.total, source.row(0), source.row(449), source.row(450)]).toEqual([450, [0], [449], undefined]);
  });
});

describe('scrolling', () => {
  const small: Geometry = { rows: 1000, rowHeight: 28, headRows: 3, height: 588, panelHeight: 1003 * 28 };
  const large: Geometry = { rows: 5_000_000, rowHeight: 28, headRows: 3, height: 588, panelHeight: 10_000_000 };

  test.each([
    ['a panel as high as its rows', small],
    ['a panel that could not be', large],
  ])('reaches the first and the last row of %s', (_name, geometry) => {
    expect(firstRowAt(0, geometry)).toBe(0);
    expect(firstRowAt(geometry.panelHeight - geometry.height, geometry)).toBeCloseTo(geometry.rows - 18, 5);
    for (const row of [0, 17, 999 % geometry.rows, geometry.rows - 18])
      expect(firstRowAt(scrollTopOf(row, geometry), geometry)).toBeCloseTo(Math.min(row, geometry.rows - 18), 3);
  });

  test('moves only as far as a row needs', () => {
    expect(scrollTopShowing(5, 0, small)).toBeUndefined();
    expect(firstRowAt(scrollTopShowing(18, 0, small)!, small)).toBeGreaterThanOrEqual(1);
    expect(firstRowAt(scrollTopShowing(18, 0, small)!, small)).toBeLessThan(1.1);
    expect(scrollTopShowing(2, 10 * 28, small)).toBeCloseTo(scrollTopOf(2, small), 5);
  });
});

describe('the cursor', () => {
  const extent = { columns: 4, rows: 100, visible: 10 };
  const at = (x: number, y: number): Selection => ({ anchor: { x, y }, cursor: { x, y } });
  const press = (key: string, more: { shift?: boolean; control?: boolean; rightToLeft?: boolean } = {}) => ({
    key,
    shift: false,
    control: false,
    rightToLeft: false,
    ...more,
  });

  test.each([
    ['ArrowDown', {}, 1, 6],
    ['ArrowUp', {}, 1, 4],
    ['ArrowRight', {}, 2, 5],
    ['ArrowRight', { rightToLeft: true }, 0, 5],
    ['ArrowDown', { control: true }, 1, 99],
    ['ArrowLeft', { control: true }, 0, 5],
    ['End', {}, 3, 5],
    ['End', { control: true }, 3, 99],
    ['Home', { control: true }, 0, 0],
    ['PageDown', {}, 1, 15],
    ['PageUp', {}, 1, 0],
    ['j', {}, 1, 6],
  ] as const)('goes with %s %o to column %i, row %i', (key, more, x, y) => {
    expect(moved(at(1, 5), press(key, more), extent)).toEqual(at(x, y));
  });

  test('stays at the edges', () => {
    expect(moved(at(0, 0), press('ArrowUp'), extent)).toEqual(at(0, 0));
    expect(moved(at(3, 99), press('PageDown'), extent)).toEqual(at(3, 99));
  });

  test('selects from where Shift was pressed', () => {
    const selection = moved(
      moved(at(2, 5), press('ArrowDown', { shift: true }), extent)!,
      press('ArrowLeft', { shift: true }),
      extent,
    )!;
    expect(rectangleOf(selection)).toEqual({ x0: 1, y0: 5, x1: 3, y1: 7 });
  });

  test('leaves other keys to others', () => {
    expect(moved(at(1, 1), press('x'), extent)).toBeUndefined();
  });
});

test('what is copied is what spreadsheets read', () => {
  const rows = [
    ['plain', null, 12],
    ['with\ttab', 'line\nbreak', 'say "hi"'],
    [{ a: [1] }, true, '007'],
  ];
  expect(tsvOf(rows, ['a', 'b', 'c'])).toBe(
    'a\tb\tc\nplain\t\t12\n"with\ttab"\t"line\nbreak"\t"say ""hi"""\n"{""a"":[1]}"\ttrue\t007',
  );
});

describe('a profile', () => {
  test.each([
    [0, 100, undefined],
    [100, 100, '100 %'],
    [1, 1000, '< 1 %'],
    [999, 1000, '99 %'],
    [35, 100, '35 %'],
  ])('says of %i nulls in %i rows: %s', (nulls, rows, words) => {
    expect(nullShare({ name: 'a', type: 'BIGINT', class: 'text', nulls }, rows)).toBe(words);
  });

  test('is drawn in proportion to the highest bar, and not at all without counts', () => {
    const column = { name: 'a', type: 'DOUBLE', class: 'continuous' };
    expect(
      barsOf({
        ...column,
        histogram: [
          [0, 2],
          [1, 0],
          [2, 8],
        ],
      }),
    ).toEqual([0.25, 0, 1]);
    expect(barsOf(column)).toEqual([]);
  });
});
