/**
 * RowSource: the rows of a rectangle far larger than memory, a page at a time. What was not fetched yet is `undefined`, which
 * is not the same as an empty row. It never draws: whoever shows rows is told when more are there.
 */

export interface RowPage {
  rows: unknown[][];
  total: number;
}

/** Rows from `offset`, at most `limit`; fewer if they are long, and none past the end. */
export type FetchRows = (offset: number, limit: number, signal: AbortSignal) => Promise<RowPage>;

export const pageRows = 200;
const pagesKept = 64;
const fetchesMax = 2;

export class RowSource {
  #fetch: FetchRows;
  #pages = new Map<number, unknown[][]>();
  #fetching = new Map<number, AbortController>();
  #wanted: number[] = [];
  #total: number;
  /** Pages whose fetch failed: asked for again once they were out of sight. */
  #failed = new Set<number>();
  onRows: () => void = () => {};
  onError: (error: unknown) => void = () => {};

  /** `first` are the rows from 0 on, as far as they are known already. */
  constructor(fetch: FetchRows, total: number, first: unknown[][] = []) {
    this.#fetch = fetch;
    this.#total = total;
    for (let start = 0; start < first.length; start += pageRows)
      this.#pages.set(start, first.slice(start, start + pageRows));
  }

  get total(): number {
    return this.#total;
  }

  get isFetching(): boolean {
    return this.#fetching.size > 0;
  }

  row(index: number): unknown[] | undefined {
    const start = index - (index % pageRows);
    return this.#pages.get(start)?.[index - start];
  }

  /** Fetches what rows [first, end) lack; pages that were wanted before and no longer are, are not fetched. */
  want(first: number, end: number): void {
    const starts: number[] = [];
    for (let start = first - (first % pageRows); start < Math.min(end, this.#total); start += pageRows)
      if (!this.#isWhole(start)) starts.push(start);
      else this.#touch(start);
    this.#wanted = starts;
    for (const start of this.#failed) if (!starts.includes(start)) this.#failed.delete(start);
    for (const [start, aborting] of this.#fetching) if (!starts.includes(start)) aborting.abort();
    this.#fetchNext();
  }

  /** All rows of [first, end), for a copy. */
  async rows(first: number, end: number, signal: AbortSignal): Promise<unknown[][]> {
    const rows: unknown[][] = [];
    while (first + rows.length < Math.min(end, this.#total)) {
      const { rows: more } = await this.#fetch(first + rows.length, end - first - rows.length, signal);
      if (more.length === 0) break;
      rows.push(...more);
    }
    return rows;
  }

  close(): void {
    this.#wanted = [];
    for (const aborting of this.#fetching.values()) aborting.abort();
  }

  #isWhole(start: number): boolean {
    return (this.#pages.get(start)?.length ?? -1) >= Math.min(pageRows, this.#total - start);
  }

  #touch(start: number): void {
    const page = this.#pages.get(start)!;
    this.#pages.delete(start);
    this.#pages.set(start, page);
  }

  #fetchNext(): void {
    for (const start of this.#wanted) {
      if (this.#fetching.size >= fetchesMax) return;
      if (!this.#fetching.has(start) && !this.#failed.has(start)) void this.#fetchPage(start);
    }
  }

  async #fetchPage(start: number): Promise<void> {
    const aborting = new AbortController();
    this.#fetching.set(start, aborting);
    const page = this.#pages.get(start) ?? [];
    try {
      while (!aborting.signal.aborted) {
        const { rows, total } = await this.#fetch(start + page.length, pageRows - page.length, aborting.signal);
        if (aborting.signal.aborted) break;
        page.push(...rows);
        // Fewer rows than were told of end the rectangle there; asking for them again would never end.
        this.#total = rows.length === 0 ? Math.min(total, start + page.length) : total;
        this.#keep(start, page);
        this.onRows();
        if (rows.length === 0 || page.length >= pageRows || start + page.length >= total) break;
      }
    } catch (error) {
      if (!aborting.signal.aborted) {
        this.#failed.add(start);
        this.onError(error);
      }
    } finally {
      this.#fetching.delete(start);
      this.#wanted = this.#wanted.filter((wanted) => wanted !== start);
      this.#fetchNext();
    }
  }

  #keep(start: number, page: unknown[][]): void {
    this.#pages.delete(start);
    this.#pages.set(start, page);
    for (const oldest of this.#pages.keys()) {
      if (this.#pages.size <= pagesKept) return;
      this.#pages.delete(oldest);
    }
  }
}

/** Rows that are all here already, such as a query's. */
export function sourceOf(rows: unknown[][]): RowSource {
  const fetch: FetchRows = (offset, limit) =>
    Promise.resolve({ rows: rows.slice(offset, offset + limit), total: rows.length });
  return new RowSource(fetch, rows.length, rows);
}
