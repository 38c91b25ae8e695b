/** The parts of an XLSX package, unzipped one at a time. It knows paths and XML, not what a spreadsheet is. */
import { unzipSync } from 'fflate';
import { Parser } from 'saxen';
import { HomeError } from '../home.ts';

const partBytesMax = 256 << 20;
const oleMagic = [0xd0, 0xcf, 0x11, 0xe0];

export function refuse(message: string, hint: string): never {
  throw new HomeError('not_xlsx', message, hint);
}

export class PackageParts {
  #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    if (oleMagic.every((byte, i) => bytes[i] === byte)) {
      refuse('The workbook is password-protected or in the old .xls format.', 'Save it as .xlsx without a password.');
    }
    this.#bytes = bytes;
  }

  /** A part's text; undefined if there is none of this name. */
  text(name: string): string | undefined {
    let found: Record<string, Uint8Array>;
    try {
      found = unzipSync(this.#bytes, {
        filter: (part) => {
          if (part.name !== name) return false;
          if (part.originalSize > partBytesMax) {
            refuse(
              `${name} in the workbook unpacks to more than ${partBytesMax >> 20} MiB.`,
              'Save the sheet as CSV and import that.',
            );
          }
          return true;
        },
      });
    } catch (error) {
      if (error instanceof HomeError) throw error;
      return refuse('The file is no whole ZIP archive, so it is no XLSX workbook.', 'Download or save it again.');
    }
    const bytes = found[name];
    return bytes && new TextDecoder().decode(bytes);
  }

  required(name: string): string {
    return this.text(name) ?? refuse(`The workbook has no ${name}.`, 'Save it again as .xlsx.');
  }

  /** What a part refers to: id → the target's path in the package. */
  relations(part: string): Map<string, { path: string; type: string }> {
    const folder = part.slice(0, part.lastIndexOf('/') + 1);
    const relations = new Map<string, { path: string; type: string }>();
    readXml(this.text(`${folder}_rels/${part.slice(folder.length)}.rels`), {
      open(name, attributes) {
        if (name !== 'Relationship') return;
        const target = attributes.Target ?? '';
        const path = new URL(target, `file:///${folder}`).pathname.slice(1);
        relations.set(attributes.Id ?? '', { path: decodeURIComponent(path), type: attributes.Type ?? '' });
      },
    });
    return relations;
  }
}

export interface XmlHandlers {
  open?(name: string, attributes: Record<string, string>): void;
  close?(name: string): void;
  text?(text: string): void;
}

/** Reads XML with local names; attributes are decoded and local too. A part that is missing reads as nothing. */
export function readXml(xml: string | undefined, handlers: XmlHandlers): void {
  if (xml === undefined) return;
  const parser = new Parser();
  parser.on('error', (error) => refuse(`The workbook's XML is broken: ${error.message}`, 'Save it again as .xlsx.'));
  parser.on('openTag', (name, attributes, decode) => handlers.open?.(local(name), decoded(attributes(), decode)));
  parser.on('closeTag', (name) => handlers.close?.(local(name)));
  if (handlers.text) {
    parser.on('text', (text, decode) => handlers.text?.(decode(text)));
    parser.on('cdata', (text) => handlers.text?.(text));
  }
  parser.parse(xml);
}

function decoded(attributes: Record<string, string>, decode: (text: string) => string): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(attributes)) result[local(name)] = decode(value);
  return result;
}

function local(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
