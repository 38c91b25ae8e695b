/**
 * The page that a chat client shows beside an answer (MCP Apps, revision 2026-01-26): the rows of a query, or the columns of a
 * described table. One document without a build, since every home serves the same string; it loads nothing and asks nobody but
 * the client that frames it. Cells are set as text, never as markup.
 */
export const answerViewHtml = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Stele</title>
<style>
  :root {
    color-scheme: light dark;
    --ink: var(--color-text-primary, light-dark(#1a1c22, #e8e9ed));
    --quiet: var(--color-text-secondary, light-dark(#5b6070, #a2a7b5));
    --line: var(--color-border-primary, light-dark(#e2e4e9, #33363f));
    --ground: var(--color-background-primary, light-dark(#fff, #16181d));
    --accent: var(--color-text-info, light-dark(#0b57c2, #7fb0ff));
  }
  * { box-sizing: border-box; }
  body { margin: 0; font: 14px/1.45 var(--font-sans, system-ui, sans-serif); color: var(--ink); background: var(--ground); }
  main { padding: 8px 12px; }
  p { margin: 0 0 8px; color: var(--quiet); overflow-wrap: anywhere; }
  p strong { color: var(--ink); }
  .scroll { max-height: 420px; overflow: auto; border: 1px solid var(--line); border-radius: 6px; margin-bottom: 8px; }
  .scroll:focus-visible, button:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
  table { border-collapse: collapse; min-width: 100%; }
  th { position: sticky; top: 0; background: var(--ground); text-align: left; font-weight: 600; vertical-align: bottom; box-shadow: inset 0 -1px var(--line); }
  th small { display: block; font-weight: 400; color: var(--quiet); }
  th, td { padding: 4px 10px; white-space: nowrap; max-width: 32ch; overflow: hidden; text-overflow: ellipsis; unicode-bidi: plaintext; }
  tbody tr + tr td { border-top: 1px solid var(--line); }
  .number { text-align: right; font-variant-numeric: tabular-nums; }
  .null { color: var(--quiet); font-style: italic; }
  button { font: inherit; color: var(--accent); background: none; border: 1px solid var(--line); border-radius: 5px; padding: 3px 10px; cursor: pointer; }
</style>
<main></main>
<script type="module">
  const main = document.querySelector('main');
  const waiting = new Map();
  let lastId = 0;

  const send = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
  const ask = (method, params) => new Promise((resolve, reject) => {
    send({ id: ++lastId, method, params });
    waiting.set(lastId, { resolve, reject });
  });

  const element = (name, text, className) => {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (className) made.className = className;
    return made;
  };
  const counted = (n, one) => Number(n).toLocaleString() + ' ' + one + (Number(n) === 1 ? '' : 's');
  const shown = (value) => (typeof value === 'string' ? value : JSON.stringify(value));
  const isNumeric = (type) => /^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|DOUBLE|FLOAT|DECIMAL.*)$/.test(type);

  function cell(value, numeric) {
    const made = element('td', value === null || value === undefined ? 'NULL' : shown(value), numeric ? 'number' : '');
    if (value === null || value === undefined) made.classList.add('null');
    made.title = made.textContent;
    return made;
  }

  function table(label, columns, rows) {
    const made = element('table');
    const head = made.createTHead().insertRow();
    for (const { name, type, numeric } of columns) {
      const column = element('th', name, numeric ? 'number' : '');
      column.scope = 'col';
      if (type) column.append(element('small', type));
      head.append(column);
    }
    const body = made.createTBody();
    for (const row of rows) {
      const line = body.insertRow();
      columns.forEach(({ numeric }, at) => line.append(cell(row[at], numeric)));
    }
    const scroll = element('div', undefined, 'scroll');
    scroll.tabIndex = 0;
    scroll.setAttribute('role', 'region');
    scroll.setAttribute('aria-label', label);
    scroll.append(made);
    return scroll;
  }

  function line(...parts) {
    const made = element('p');
    made.append(...parts);
    main.append(made);
  }

  function showRows({ columns, rows, row_count: count, truncated, notice, reads = [], receipt }) {
    line(element('strong', counted(count, 'row')), truncated ? ' shown of more' : '');
    if (notice) line(notice);
    main.append(table('Rows', columns.map(({ name, type }) => ({ name, type, numeric: isNumeric(type) })), rows));
    if (reads.length) line('From ' + reads.map(({ table, version }) => table + ', version ' + version).join('; '));
    if (!receipt?.url) return;
    const check = element('button', 'Check this figure');
    check.addEventListener('click', () => ask('ui/open-link', { url: receipt.url }).catch(() => line(receipt.url)));
    main.append(check);
  }

  function described({ name, type, class: kind, nulls, distinct, min, max, top, description }) {
    const values = top ? top.map(([value, n]) => shown(value) + ' (' + n + ')').join(', ') : min === undefined ? '' : shown(min) + ' to ' + shown(max);
    return [name, type, kind, nulls, distinct, values, description ?? ''];
  }

  function showTable({ table: path, version, rows, description, columns }) {
    line(element('strong', path), ', version ' + version + ', ' + counted(rows, 'row'));
    if (description) line(description);
    const heads = ['column', 'type', 'class', 'nulls', 'distinct', 'values', 'meaning'];
    const numeric = (name) => name === 'nulls' || name === 'distinct';
    main.append(table('Columns', heads.map((name) => ({ name, numeric: numeric(name) })), columns.map(described)));
  }

  function show({ structuredContent: answer }) {
    main.replaceChildren();
    if (!answer) return line('This client passed on no rows.');
    if (answer.error) return line(element('strong', answer.message), ' ' + (answer.hint ?? ''));
    if (Array.isArray(answer.rows)) return showRows(answer);
    if (Array.isArray(answer.columns)) return showTable(answer);
    line('Saved as ', element('strong', answer.table), ', version ' + answer.version + ', ' + counted(answer.rows, 'row'));
  }

  function dress({ theme, styles } = {}) {
    if (theme) document.documentElement.style.colorScheme = theme;
    for (const [name, value] of Object.entries(styles?.variables ?? {}))
      if (value) document.documentElement.style.setProperty(name, value);
  }

  const heard = {
    'ui/notifications/tool-result': show,
    'ui/notifications/tool-cancelled': () => { main.replaceChildren(); line('The call was cancelled.'); },
    'ui/notifications/host-context-changed': dress,
  };

  addEventListener('message', ({ source, data }) => {
    if (source !== parent || data?.jsonrpc !== '2.0') return;
    if (data.method) {
      heard[data.method]?.(data.params);
      if (data.id !== undefined) send({ id: data.id, result: {} });
      return;
    }
    const { resolve, reject } = waiting.get(data.id) ?? {};
    waiting.delete(data.id);
    if (data.error) reject?.(data.error);
    else resolve?.(data.result);
  });

  const { hostContext } = await ask('ui/initialize', {
    appInfo: { name: 'stele', title: 'Stele', version: '0.1.0' },
    appCapabilities: {},
    protocolVersion: '2026-01-26',
  });
  dress(hostContext);
  send({ method: 'ui/notifications/initialized', params: {} });
  new ResizeObserver(() => send({
    method: 'ui/notifications/size-changed',
    params: { height: Math.ceil(main.getBoundingClientRect().height) },
  })).observe(main);
</script>
</html>
`;
