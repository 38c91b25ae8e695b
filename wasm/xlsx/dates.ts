/** Spreadsheet days: which number formats show a day or a time, and which day a serial number is. No time zone takes part. */

export type CellTime = { date: string } | { time: string } | { timestamp: string };

export interface TimeFormat {
  date: boolean;
  time: boolean;
}

const builtin: [from: number, to: number, format: TimeFormat][] = [
  [14, 17, { date: true, time: false }],
  [18, 21, { date: false, time: true }],
  [22, 22, { date: true, time: true }],
  [27, 31, { date: true, time: false }],
  [32, 35, { date: false, time: true }],
  [36, 36, { date: true, time: false }],
  [45, 47, { date: false, time: true }],
  [50, 58, { date: true, time: false }],
];

/** What a number format shows of a moment; undefined if it shows a plain number. */
export function timeFormat(id: number, code: string | undefined): TimeFormat | undefined {
  if (code === undefined) return builtin.find(([from, to]) => id >= from && id <= to)?.[2];
  // Only the first section counts; quoted text, escaped characters, padding, colours and locales show no moment.
  const shown = code
    .replace(/"[^"]*"|\\.|_.|\*./g, '')
    .replace(/\[(?!(?:h+|m+|s+)\])[^\]]*\]/gi, '')
    .split(';')[0]!
    .toLowerCase();
  if (/general|[#?]/.test(shown)) return undefined;
  const time = /[hs]|am\/pm|a\/p/.test(shown);
  // m is a month unless it stands beside hours or seconds.
  const withoutMinutes = shown.replace(/(h+[^a-z]*)\]?m+/g, '$1').replace(/m+([^a-z]*\[?s)/g, '$1');
  const date = /[dy]/.test(withoutMinutes) || /m/.test(withoutMinutes.replace(/am\/pm|a\/p/g, ''));
  return date || time ? { date, time } : undefined;
}

const dayMs = 86_400_000;
const lastSerial = 2_958_465; // 9999-12-31

/** The moment that a serial number is; undefined if it is none, as 60, the 29th of February 1900 that never was. */
export function momentOf(serial: number, format: TimeFormat, from1904: boolean): CellTime | undefined {
  if (!(serial >= 0) || serial >= lastSerial + 1) return undefined;
  const day = Math.floor(serial);
  // A fraction just short of midnight stays in its day.
  const ms = Math.min(Math.round((serial - day) * dayMs), dayMs - 1);
  if (!format.date) return serial < 1 ? { time: timeText(ms) } : undefined;
  if (!from1904 && day === 0) return format.time ? { time: timeText(ms) } : undefined;
  if (!from1904 && day === 60) return undefined;
  const epoch = from1904 ? Date.UTC(1904, 0, 1) : day < 60 ? Date.UTC(1899, 11, 31) : Date.UTC(1899, 11, 30);
  const date = new Date(epoch + day * dayMs).toISOString().slice(0, 10);
  return format.time || ms > 0 ? { timestamp: `${date}T${timeText(ms)}` } : { date };
}

function timeText(ms: number): string {
  const text = new Date(ms).toISOString().slice(11, 23);
  return text.endsWith('.000') ? text.slice(0, 8) : text;
}
