/**
 * A newcomer's day, by the official MCP client, on real data: import, describe, query, save, upsert, restore, rename, delete,
 * bring back, receipt. Every figure is checked against another DuckDB on the same files. Each home's tests run it.
 */
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../ts/support/temporary.ts';
import { serveData } from './data_server.ts';
import { type Oracle, openOracle } from './oracle.ts';

const flights = '"flights/three-million"';

interface Answer {
  [name: string]: unknown;
  rows?: unknown;
  version?: number;
  warnings?: { kind: string; column?: string }[];
}

export interface Connection {
  client: Client;
  close(): Promise<void>;
}

/** `connect` is given a folder for whatever the home keeps. */
export function walkThrough(way: string, connect: (folder: string) => Promise<Connection>): void {
  describe(`a walk through Stele ${way}`, () => {
    const folder = temporaryFolder(afterAll);
    let data: Awaited<ReturnType<typeof serveData>>;
    let oracle: Oracle;
    let stele: Connection;

    beforeAll(async () => {
      data = await serveData();
      oracle = await openOracle();
      stele = await connect(folder);
    });
    afterAll(async () => {
      await stele.close();
      oracle.close();
      await data.close();
    });

    /** Calls a tool that must succeed; text and structure must say the same. */
    async function call(name: string, args: Record<string, unknown>): Promise<Answer> {
      const { content, structuredContent, isError } = await stele.client.callTool(
        { name, arguments: args },
        { timeout: 120_000 },
      );
      expect({ isError: isError ?? false, structuredContent }).toMatchObject({ isError: false });
      expect(JSON.parse((content as { text: string }[])[0]!.text)).toEqual(structuredContent);
      return structuredContent as Answer;
    }

    /** Calls a tool that must refuse; answers its error. */
    async function refusal(name: string, args: Record<string, unknown>): Promise<Answer> {
      const { structuredContent, isError } = await stele.client.callTool({ name, arguments: args });
      expect(isError).toBe(true);
      expect(Object.keys(structuredContent as Answer)).toEqual(['error', 'message', 'hint']);
      return structuredContent as Answer;
    }

    /** The rows of a query, cells as strings, as the oracle gives them. */
    async function rows(sql: string): Promise<(string | null)[][]> {
      const answer = await call('query', { sql, limit: 500 });
      return (answer.rows as unknown[][]).map((row) => row.map((cell) => (cell === null ? null : String(cell))));
    }

    /** The same question to Stele and to the oracle, `TABLE` standing for the table and for the file. */
    async function agree(sql: string, table: string, file: string): Promise<void> {
      expect(await rows(sql.replaceAll('TABLE', table))).toEqual(await oracle.rows(sql.replaceAll('TABLE', file)));
    }

    test('imports six files by URL, nothing lost', async () => {
      const imports = [
        ['geo/zipcodes', 'zipcodes.csv'],
        ['films', 'movies.json'],
        ['flights/three-million', 'flights-3m.parquet'],
        ['geo/quakes', 'earthquakes.json'],
        ['weather/seattle', 'seattle-weather.csv'],
        ['geo/airports', 'airports.csv'],
      ] as const;
      for (const [table, name] of imports) {
        const answer = await call('import_table', { table, source_url: data.url(name), message: `from ${name}` });
        expect(answer).toMatchObject({ table, version: 1 });
      }
      const { tables, total } = await call('list_tables', {});
      expect(total).toBe(6);
      const counts = Object.fromEntries(
        (tables as { path: string; rows: number }[]).map(({ path, rows }) => [path, rows]),
      );
      const expected = async (file: string) => Number((await oracle.rows(`select count(*) from ${file}`))[0]![0]);
      expect(counts).toEqual({
        'geo/zipcodes': await expected("read_csv('data/zipcodes.csv', all_varchar = true)"),
        films: await expected("read_json('data/movies.json', maximum_object_size = 100000000)"),
        'flights/three-million': 3_000_000,
        'geo/quakes': await expected(
          "(select unnest(features) from read_json('data/earthquakes.json', maximum_object_size = 100000000))",
        ),
        'weather/seattle': await expected("read_csv('data/seattle-weather.csv')"),
        'geo/airports': await expected("read_csv('data/airports.csv', all_varchar = true)"),
      });
    });

    test('keeps leading zeros as text', async () => {
      const file = "read_csv('data/zipcodes.csv', all_varchar = true)";
      await agree('select zip_code, city from TABLE order by zip_code limit 20', '"geo/zipcodes"', file);
      await agree("select count(*) from TABLE where zip_code = '00501'", '"geo/zipcodes"', file);
    });

    test('says what a table holds', async () => {
      const { columns, rows: count } = await call('describe_table', { table: 'geo/zipcodes' });
      expect(count).toBe(Number((await oracle.rows("select count(*) from read_csv('data/zipcodes.csv')"))[0]![0]));
      expect(columns).toMatchObject([
        { name: 'zip_code', type: 'VARCHAR', class: 'identifier' },
        { name: 'latitude', type: 'DOUBLE', class: 'continuous' },
        { name: 'longitude', type: 'DOUBLE', class: 'continuous' },
        { name: 'city', type: 'VARCHAR' },
        { name: 'state', type: 'VARCHAR', class: 'categorical' },
        { name: 'county', type: 'VARCHAR' },
      ]);
      const { correlations } = await call('describe_table', { table: 'weather/seattle', detail: 'full' });
      const [[r]] = (await oracle.rows(
        "select corr(temp_max, temp_min) from read_csv('data/seattle-weather.csv')",
      )) as [[string]];
      const strongest = (correlations as [string, string, number][])[0]!;
      expect(new Set(strongest.slice(0, 2))).toEqual(new Set(['temp_max', 'temp_min']));
      expect(strongest[2]).toBeCloseTo(Number(r), 3);
    });

    test('answers analytical questions as DuckDB does', async () => {
      const file = "read_parquet('data/flights-3m.parquet')";
      await agree(
        'select origin, count(*), avg(delay)::decimal(18, 6) from TABLE group by 1 order by 2 desc, 1 limit 30',
        flights,
        file,
      );
      await agree(
        'select count(*), count(distinct destination), min(delay), max(delay), sum(distance) from TABLE',
        flights,
        file,
      );
      await agree(
        "select date_trunc('month', date)::varchar, median(delay) from TABLE group by 1 order by 1",
        flights,
        file,
      );
      await agree(
        'select weather, count(*), max(temp_max) from TABLE group by 1 order by 1',
        '"weather/seattle"',
        "read_csv('data/seattle-weather.csv')",
      );
      expect(
        await rows(
          `select a.state, count(*) from ${flights} f join "geo/airports" a on a.iata = f.origin group by 1 order by 2 desc, 1 limit 10`,
        ),
      ).toEqual(
        await oracle.rows(
          `select a.state, count(*) from ${file} f join read_csv('data/airports.csv', all_varchar = true) a on a.iata = f.origin group by 1 order by 2 desc, 1 limit 10`,
        ),
      );
    });

    test('says that an answer was cut', async () => {
      const answer = await call('query', { sql: `select * from ${flights}`, limit: 10 });
      expect(Object.keys(answer)[0]).toBe('notice');
      expect(answer).toMatchObject({ truncated: true, row_count: 10 });
    });

    test('saves a result, edits it by key and gets every version back', async () => {
      const question = 'select origin, count(*) as flights, round(avg(delay), 3) as delay';
      await call('query', {
        sql: `${question} from ${flights} group by 1`,
        save_as: 'flights/by-origin',
        message: 'summed up',
      });
      const origins = (await rows('select origin from "flights/by-origin" order by origin')).map(([origin]) => origin);
      expect(origins).toEqual(
        (await oracle.rows("select distinct origin from read_parquet('data/flights-3m.parquet') order by 1")).map(
          ([origin]) => origin,
        ),
      );

      const total = 'select count(*), sum(flights) from "flights/by-origin';
      const before = await rows(`${total}"`);
      const edits = Array.from({ length: 500 }, (_, i) =>
        i < 100
          ? { origin: origins[i], flights: i }
          : { origin: `X${String(i).padStart(3, '0')}`, flights: i, delay: 0.5 },
      );
      const upserted = await call('write_table', {
        table: 'flights/by-origin',
        mode: 'upsert',
        key_columns: ['origin'],
        rows: edits,
      });
      expect(upserted).toMatchObject({ version: 2, added: 400, updated: 100, rows: origins.length + 400 });
      // A column left out of a row keeps its value.
      const kept = `select round(avg(delay), 3) from read_parquet('data/flights-3m.parquet') where origin = '${origins[0]}'`;
      expect(await rows(`select delay from "flights/by-origin" where origin = '${origins[0]}'`)).toEqual(
        await oracle.rows(kept),
      );
      const edited = Array.from({ length: 500 }, (_, i) => i).reduce((sum, i) => sum + i, 0);
      expect(
        await rows(
          "select sum(flights) from \"flights/by-origin\" where flights < 500 and (origin like 'X%' or origin <= '" +
            origins[99] +
            "')",
        ),
      ).toEqual([[String(edited)]]);

      expect(await call('restore_version', { table: 'flights/by-origin', version: 1 })).toMatchObject({ version: 3 });
      expect(await rows(`${total}"`)).toEqual(before);
      expect(await rows(`${total}@1"`)).toEqual(before);
      expect((await rows(`${total}@2"`))[0]![0]).toBe(String(origins.length + 400));
      const { versions } = await call('table_history', { table: 'flights/by-origin' });
      expect(versions).toMatchObject([
        { version: 3, kind: 'restore', restored_from: 1 },
        { version: 2, kind: 'upsert', added: 400, updated: 100, removed: 0 },
        { version: 1, kind: 'create', message: 'summed up' },
      ]);
    });

    test('describes, renames, deletes and brings back', async () => {
      await call('update_table_info', {
        table: 'geo/quakes',
        description: 'A week of earthquakes, from USGS',
        column_descriptions: { properties: 'magnitude, place and time' },
        rename_to: 'geo/earthquakes',
      });
      expect(await call('describe_table', { table: 'geo/earthquakes' })).toMatchObject({
        description: 'A week of earthquakes, from USGS',
      });
      expect(await refusal('describe_table', { table: 'geo/quakes' })).toMatchObject({ error: 'unknown_table' });
      const magnitudes = await rows('select count(*), max((properties->>\'mag\')::double) from "geo/earthquakes"');
      expect(magnitudes).toEqual(
        await oracle.rows(
          "select count(*), max(f.properties.mag) from (select unnest(features) as f from read_json('data/earthquakes.json', maximum_object_size = 100000000))",
        ),
      );
      await call('delete_table', { table: 'geo/earthquakes' });
      const gone = await refusal('query', { sql: 'select 1 from "geo/earthquakes"' });
      expect(gone.error).toBe('unknown_table');
      await call('restore_version', { table: 'geo/earthquakes', version: 1 });
      expect(await rows('select count(*), max((properties->>\'mag\')::double) from "geo/earthquakes"')).toEqual(
        magnitudes,
      );
    });

    test('gives a receipt for a figure', async () => {
      const answer = await call('query', {
        sql: `select count(*) as late from ${flights} where delay > 60`,
        receipt: true,
      });
      expect(String((answer.rows as unknown[][])[0]![0])).toBe(
        (await oracle.rows("select count(*) from read_parquet('data/flights-3m.parquet') where delay > 60"))[0]![0],
      );
      expect(answer.receipt).toMatchObject({ id: expect.any(String), digest: expect.stringMatching(/^[0-9a-f]{64}$/) });
      expect(answer.reads).toMatchObject([{ table: 'flights/three-million', version: 1 }]);
    });

    test('refuses what is not a SELECT over tables', async () => {
      for (const sql of ["select * from read_csv('/etc/passwd')", 'drop table films', 'select 1; select 2']) {
        expect(await refusal('query', { sql })).toMatchObject({ error: 'sql_refused' });
      }
    });
  });
}
