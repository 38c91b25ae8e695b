/** html`…`: markup in which every value is escaped as text. Nothing else makes the markup of pages that are served or saved. */

export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Value = Html | Html[] | string | number | boolean | null | undefined;

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export function html(strings: TemplateStringsArray, ...values: Value[]): Html {
  return new Html(strings.reduce((text, part, i) => text + rendered(values[i - 1]) + part));
}

function rendered(value: Value): string {
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map((one) => one.text).join('');
  if (value === null || value === undefined || value === false) return '';
  return String(value).replace(/[&<>"']/g, (character) => entities[character]!);
}
