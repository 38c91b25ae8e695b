/** parseExactJson: JSON whose long integers keep their digits. It changes nothing that a double can hold. */

type Reviver = (this: unknown, key: string, value: unknown, context: { source?: string }) => unknown;
const parse = JSON.parse as (text: string, reviver?: Reviver) => unknown;

// 16 digits in a row may be an integer past 2^53; only then is the slower way taken.
const longDigits = /\d{16}/;

/**
 * A number whose digits a double would change becomes a string of those digits, which the core types as the integer that it
 * is: 9007199254740993 stays 9007199254740993.
 */
export function parseExactJson(text: string): unknown {
  if (!longDigits.test(text)) return parse(text);
  return parse(text, (_key, value, { source }) => {
    if (typeof value !== 'number' || source === undefined || Number.isSafeInteger(value)) return value;
    return /^-?\d{16,}$/.test(source) ? source : value;
  });
}
