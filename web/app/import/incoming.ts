/** What is about to be imported: a file, a pasted text or an address, and the path that its table would have. */

export type Incoming = { kind: 'file'; file: File } | { kind: 'url'; url: string };

/** Tab- or comma-separated text from the clipboard, or JSON, as the file that it would be. */
export function pastedFile(text: string): File {
  const trimmed = text.trimStart();
  const isJson = trimmed.startsWith('[') || trimmed.startsWith('{');
  const firstLine = text.slice(0, text.indexOf('\n') < 0 ? undefined : text.indexOf('\n'));
  const extension = isJson ? (trimmed.startsWith('{') ? 'ndjson' : 'json') : firstLine.includes('\t') ? 'tsv' : 'csv';
  return new File([text], `pasted.${extension}`);
}

/** A path made of a file's name: `Sales 2025 (final).csv.gz` becomes `sales-2025-final`. */
export function pathFor(incoming: Incoming): string {
  const name =
    incoming.kind === 'file'
      ? incoming.file.name
      : decodeURIComponent(incoming.url.split(/[?#]/)[0]!.split('/').pop() ?? '');
  const stem = name.replace(/(\.(csv|tsv|txt|json|ndjson|jsonl|parquet|xlsx|gz))+$/i, '');
  return (
    stem
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_.]+/gu, '-')
      .replace(/^[-.]+|[-.]+$/g, '') || 'imported'
  );
}

export function nameOf(incoming: Incoming): string {
  return incoming.kind === 'file' ? incoming.file.name : incoming.url;
}
