/** The HTTP API of shared tables and receipts as an OpenAPI document, made from what row_request.ts reads. */
import { contentTypes, isBinary, type RowFormat, rowParameters } from './row_request.ts';

const mediaType = (contentType: string): string => contentType.split(';')[0]!;

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });

function refusalFor(description: string): object {
  return { description, content: { 'application/json': { schema: reference('Refusal') } } };
}

const headers = {
  ETag: { description: 'Of version, digest and format', schema: { type: 'string' } },
  Link: { description: 'The next page, rel="next", if there is one', schema: { type: 'string' } },
};

const rowsAnswer = {
  type: 'object',
  required: ['table', 'version', 'total_rows', 'offset', 'columns', 'rows', 'next'],
  properties: {
    table: { type: 'string' },
    version: { type: 'integer' },
    total_rows: { type: 'integer', description: 'Of all rows that pass where and search' },
    offset: { type: 'integer' },
    columns: {
      type: 'array',
      items: { type: 'object', properties: { name: { type: 'string' }, type: { type: 'string' } } },
    },
    rows: {
      type: 'array',
      description: 'Cells by column. Integers past 2^53, decimals and NaN are text.',
      items: { type: 'array' },
    },
    next: { type: ['string', 'null'], format: 'uri' },
  },
};

const aboutAnswer = {
  type: 'object',
  required: ['table', 'version', 'description', 'rows', 'bytes', 'changed_at', 'columns'],
  properties: {
    table: { type: 'string' },
    version: { type: 'integer' },
    description: { type: 'string' },
    rows: { type: 'integer' },
    bytes: { type: 'integer' },
    changed_at: { type: 'string', format: 'date-time' },
    columns: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name', 'type'],
        properties: {
          name: { type: 'string' },
          type: { type: 'string' },
          description: { type: 'string' },
          nulls: { type: 'integer' },
          distinct: { type: 'integer' },
          top: { type: 'array', description: 'Values and how often each is there, most frequent first' },
          histogram: { type: 'array', description: 'Where each bucket begins, and how many values it holds' },
        },
      },
    },
  },
};

const receiptAnswer = {
  type: 'object',
  required: ['id', 'document', 'digest'],
  properties: {
    id: { type: 'string' },
    document: { type: 'string', description: 'JSON: SQL, versions read, columns, rows, when and by whom' },
    digest: { type: 'string', description: 'SHA-256 of the document, hexadecimal' },
    algorithm: { const: 'Ed25519' },
    public_key: { type: 'string', description: 'base64url; those vouched for are in /.well-known/stele/keys.json' },
    signature: { type: 'string', description: 'base64url, of the digest as text' },
  },
};

const rerunAnswer = {
  type: 'object',
  required: ['kind'],
  properties: {
    kind: { enum: ['same', 'different', 'impossible'] },
    rows: { type: 'integer' },
    isReordered: { type: 'boolean' },
    by: { type: 'string', description: 'The host that ran it' },
    why: { type: 'string' },
  },
};

/** `base`: where a workspace's links begin; may have a variable, as in https://stele.example/w/{workspace}. */
export function openApi(base: string): object {
  const parameters = Object.entries(rowParameters).map(([name, { about, schema }]) => ({
    ...{ name, in: 'query', description: about, schema },
    ...(name === 'where' ? { explode: true } : {}),
  }));
  const variables = Object.fromEntries([...base.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, { default: 'main' }]));
  const token = { name: 'token', in: 'path', required: true, schema: { type: 'string' } };
  const receiptId = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
  const known = { name: 'If-None-Match', in: 'header', description: 'An ETag', schema: { type: 'string' } };
  const content = Object.entries(contentTypes).map(([format, contentType]) => [
    mediaType(contentType),
    { schema: format === 'json' ? reference('Rows') : isBinary(format as RowFormat) ? {} : { type: 'string' } },
  ]);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Stele: shared tables and receipts',
      version: '1',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: base, ...(Object.keys(variables).length > 0 ? { variables } : {}) }],
    paths: {
      '/s/{token}/rows': {
        parameters: [token],
        get: {
          operationId: 'readRows',
          summary: 'Rows of the latest version of a shared table',
          parameters: [...parameters, known],
          responses: {
            200: { description: 'Rows', headers, content: Object.fromEntries(content) },
            304: { description: 'The version is the one of If-None-Match' },
            400: refusalFor('A parameter, a column or a value that does not exist'),
            403: refusalFor('SQL, which the owner does not allow'),
            404: refusalFor('The link leads nowhere, or no longer'),
            429: refusalFor('Too many requests; Retry-After says how long to wait'),
            503: refusalFor('Too much is going on, or the rows are too many for it'),
          },
        },
        head: {
          operationId: 'readRowsHead',
          summary: 'The headers that a GET would have',
          parameters: [...parameters, known],
          responses: {
            200: { description: 'There are rows', headers },
            404: { description: 'The link leads nowhere' },
          },
        },
      },
      '/r/{id}.json': {
        parameters: [receiptId],
        get: {
          operationId: 'readReceipt',
          summary: 'A receipt as it was signed',
          responses: {
            200: { description: 'The receipt', content: { 'application/json': { schema: reference('Receipt') } } },
            404: refusalFor('There is none, or it was withdrawn'),
          },
        },
      },
      '/r/{id}/rerun': {
        parameters: [receiptId],
        post: {
          operationId: 'rerunReceipt',
          summary: 'Whether its query still answers the same rows on the versions that it names',
          responses: {
            200: { description: 'The outcome', content: { 'application/json': { schema: reference('Rerun') } } },
            404: refusalFor('There is none, or it was withdrawn'),
            429: refusalFor('Run again too often; Retry-After says how long to wait'),
          },
        },
      },
      '/s/{token}/about': {
        parameters: [token],
        get: {
          operationId: 'readAbout',
          summary: 'What the table is, and how the values of its columns spread',
          parameters: [known],
          responses: {
            200: { description: 'About the table', content: { 'application/json': { schema: reference('About') } } },
            304: { description: 'Nothing changed since If-None-Match' },
            404: refusalFor('The link leads nowhere, or no longer'),
            429: refusalFor('Too many requests; Retry-After says how long to wait'),
          },
        },
      },
    },
    components: {
      schemas: {
        Receipt: receiptAnswer,
        Rerun: rerunAnswer,
        Rows: rowsAnswer,
        About: aboutAnswer,
        Refusal: {
          type: 'object',
          required: ['error', 'message', 'hint'],
          properties: { error: { type: 'string' }, message: { type: 'string' }, hint: { type: 'string' } },
        },
      },
    },
  };
}
