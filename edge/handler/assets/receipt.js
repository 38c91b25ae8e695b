// The receipt page: takes a receipt from the link's fragment or from this server, checks digest and signature here, in this
// browser, and shows what it found in words no stronger than the truth. Every value is set as text.
const page = document.querySelector('main');

const bytesOf = (base64url) =>
  Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));

function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

async function loadReceipt() {
  if (location.hash.length > 1) return JSON.parse(new TextDecoder().decode(bytesOf(location.hash.slice(1))));
  const response = await fetch(`${location.pathname}.json`);
  if (response.status === 404) throw new Error('There is no receipt of this name here.');
  return response.json();
}

async function verify(receipt) {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(receipt.document));
  const digest = Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('');
  if (digest !== receipt.digest)
    return { good: false, text: 'Changed: what is shown does not have the digest that it claims.' };
  if (!receipt.signature)
    return { good: false, text: `Not signed. ${receipt.unsigned ?? ''} Anyone could have written this.` };
  const name = `${receipt.public_key.slice(0, 8)}…`;
  try {
    const key = await crypto.subtle.importKey('raw', bytesOf(receipt.public_key), 'Ed25519', false, ['verify']);
    const signed = await crypto.subtle.verify(
      'Ed25519',
      key,
      bytesOf(receipt.signature),
      new TextEncoder().encode(digest),
    );
    if (!signed) return { good: false, text: `Forged: the signature is not by the key ${name} that it names.` };
  } catch (error) {
    if (error.name === 'NotSupportedError')
      return { good: false, text: 'This browser cannot check Ed25519 signatures; the digest fits.' };
    return { good: false, text: 'The signature cannot be read.' };
  }
  return { good: true, text: `Unchanged since key ${name} signed it. Nobody vouches for this key.` };
}

// By type, since numbers that JSON would bend come as text.
function kindOf(type) {
  if (/^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL.*)$/.test(type)) return 'number';
  return /^(DATE|TIME)/.test(type) ? 'moment' : '';
}

function cell(value, kind) {
  if (value === null) return element('td', { className: `null ${kind}` }, 'null');
  return element('td', { className: kind }, typeof value === 'string' ? value : JSON.stringify(value));
}

function grid({ columns = [], rows = [] }) {
  const kinds = columns.map(({ type }) => kindOf(type));
  const head = columns.map(({ name, type }, i) =>
    element('th', { scope: 'col', className: kinds[i] }, name, element('small', {}, type)),
  );
  const body = rows.map((row) => element('tr', {}, ...row.map((value, i) => cell(value, kinds[i]))));
  const table = element('table', {}, element('thead', {}, element('tr', {}, ...head)), element('tbody', {}, ...body));
  return element('div', { className: 'grid', tabIndex: 0 }, table);
}

function show(receipt, verdict) {
  const content = JSON.parse(receipt.document);
  const reads = (content.reads ?? []).map(({ table, version, digest }) =>
    element(
      'li',
      {},
      `${table}, version ${version} `,
      element('code', { className: 'quiet' }, String(digest).slice(0, 16)),
    ),
  );
  const made = element('time', { dateTime: content.made_at }, content.made_at);
  page.replaceChildren(
    element('h1', {}, 'Receipt'),
    element('p', { className: verdict.good ? 'good' : 'bad', role: 'status' }, verdict.text),
    ...(content.notice ? [element('p', {}, content.notice)] : []),
    grid(content),
    element('h2', {}, 'Asked'),
    element('pre', {}, content.sql),
    element('h2', {}, 'Read'),
    element('ul', {}, ...reads),
    element('p', { className: 'quiet' }, made, ` by ${content.made_by}, engine ${content.engine}`),
    ...(content.message ? [element('p', {}, content.message)] : []),
    element('p', { className: 'quiet' }, 'SHA-256 ', element('code', {}, receipt.digest)),
  );
}

try {
  const receipt = await loadReceipt();
  show(receipt, await verify(receipt));
} catch (error) {
  page.replaceChildren(
    element('h1', {}, 'Receipt'),
    element(
      'p',
      { className: 'bad' },
      error instanceof SyntaxError ? 'The link is damaged; ask for it again.' : error.message,
    ),
  );
}
