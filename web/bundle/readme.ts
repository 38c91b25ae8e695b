/** What a bundle's folder says of itself to whoever opens it. */
import { count, sizeText } from '../../wasm/value_words.ts';
import type { Told } from './bundle_page.ts';

export function readme({ facts, rows, isPart, bytes, parquet }: Told): string {
  const { table, version, changed_at: changedAt } = facts;
  const which = isPart ? `${count(rows)} of its ${count(facts.rows)} rows` : `${count(rows)} rows`;
  return `# ${oneLine(table)}

Version ${version}${changedAt ? ` of ${changedAt.slice(0, 10)}` : ''}, ${which}, as a folder for any static host. It does not follow later changes of the table.

| file | what |
| --- | --- |
| \`index.html\` | the page; without a script it shows the first rows |
| \`${parquet}\` | the rows, exact, with types (${sizeText(bytes)}) |
| \`embed/\` | \`<stele-table>\`, which shows them |
| \`page.css\` | the page's looks |

Upload the folder as it is, at the root of a site or below any path. It loads nothing from elsewhere, and what was downloaded from it stays with whoever did. Opened from the disk, the page has the first rows alone, since browsers let such a page load nothing; \`python3 -m http.server\` in this folder shows all of it.

Another page of the same site shows the table with

    <script type="module" src="PATH/embed/embed.js"></script>
    <stele-table src="PATH/${parquet}"></stele-table>

and programs read it: in Python \`pandas.read_parquet("${parquet}")\`, in DuckDB \`SELECT * FROM '${parquet}'\`.

\`embed/\` is part of Stele (Apache-2.0) and holds lit (BSD-3-Clause), regular-table (Apache-2.0), hyparquet, fzstd, fflate and valibot (MIT).
`;
}

/** A table's path may hold what Markdown takes for markup, but no line of its own. */
function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(/[\\`*_[\]<>]/g, '\\$&');
}
