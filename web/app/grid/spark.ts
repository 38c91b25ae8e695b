/**
 * A column's distribution as a drawing of 60 by 16: bars of a histogram, or of the most frequent values. Heights say counts,
 * never more; the words beside it say the rest.
 */
import { svg, type SVGTemplateResult } from 'lit';
import type { DescribedColumn } from '../../../wasm/answers.ts';
import { cellText, count } from '../base/words.ts';

export const sparkWidth = 60;
export const sparkHeight = 16;

/** Bars as heights between 0 and 1; empty if the profile holds no distribution. */
export function barsOf(column: DescribedColumn): number[] {
  const counts = (column.histogram ?? column.top ?? []).map(([, number]) => number);
  const most = Math.max(...counts, 0);
  return most > 0 ? counts.map((number) => number / most) : [];
}

export function sparkOf(bars: number[]): SVGTemplateResult {
  const step = sparkWidth / bars.length;
  const gap = step > 3 ? 1 : 0;
  return svg`<svg class="spark" width=${sparkWidth} height=${sparkHeight} viewBox="0 0 ${sparkWidth} ${sparkHeight}" aria-hidden="true">
    ${bars.map((bar, i) => {
      const height = bar === 0 ? 0 : Math.max(1, bar * sparkHeight);
      return svg`<rect x=${i * step} y=${sparkHeight - height} width=${Math.max(0.5, step - gap)} height=${height}></rect>`;
    })}
  </svg>`;
}

/** What the drawing shows, in words. */
export function profileText(column: DescribedColumn, rows: number): string {
  const parts: string[] = [];
  if (column.distinct !== undefined) parts.push(`${count(column.distinct)} different`);
  if (column.min !== undefined) parts.push(`${cellText(column.min)} to ${cellText(column.max)}`);
  const top = column.top?.[0];
  if (top) parts.push(`most often ${cellText(top[0]) || 'empty'} (${count(top[1])})`);
  const share = nullShare(column, rows);
  if (share) parts.push(`${share} null`);
  return parts.join(', ');
}

/** The share of nulls in words, undefined where there are none. */
export function nullShare({ nulls }: DescribedColumn, rows: number): string | undefined {
  if (!nulls || rows === 0) return undefined;
  const percent = (100 * nulls) / rows;
  if (nulls === rows) return '100 %';
  return percent < 1 ? '< 1 %' : `${Math.min(99, Math.round(percent))} %`;
}
