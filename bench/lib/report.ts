import { median, pairedRatio } from './numbers.ts';

/** One line of the table. */
export interface Row {
  what: string;
  ours: string;
  reference: string;
  /** Ratio, or the value itself where there is nothing to compare with. */
  result: string;
  target: string;
  met: 'yes' | 'no' | '';
}

export const count = (n: number): string => Math.round(n).toLocaleString('en-US');
export const ms = (n: number): string => `${n < 10 ? n.toFixed(2) : n.toFixed(0)} ms`;

/** A row with two figures of several rounds: their medians, and the median of the ratios of each round. */
export function compared(
  what: string,
  ours: readonly number[],
  reference: readonly number[],
  options: { atLeast?: number; atMost?: number; show: (n: number) => string; details?: [string, string] },
): Row {
  const { atLeast, atMost, show, details = ['', ''] } = options;
  const ratio = pairedRatio(ours, reference);
  const met = atLeast === undefined ? ratio <= (atMost ?? Number.POSITIVE_INFINITY) : ratio >= atLeast;
  return {
    what,
    ours: show(median(ours)) + details[0],
    reference: show(median(reference)) + details[1],
    result: ratio.toFixed(2),
    target: atLeast === undefined ? `≤ ${atMost}` : `≥ ${atLeast}`,
    met: met ? 'yes' : 'no',
  };
}

/** A row about a figure without a reference. */
export function stated(what: string, value: string, limit?: { target: string; met: boolean }): Row {
  const met = limit ? (limit.met ? 'yes' : 'no') : '';
  return { what, ours: value, reference: '', result: value, target: limit?.target ?? '', met };
}

/** A row about something that could not be measured. */
export const failed = (what: string, error: unknown): Row => ({
  what,
  ours: `not measured: ${String(error)
    .replaceAll(/[\n|]+/g, ' ')
    .slice(0, 200)}`,
  reference: '',
  result: '',
  target: '',
  met: 'no',
});

/** The median followed by the values of the rounds. */
export const spread = (values: readonly number[], show: (n: number) => string): string =>
  `${show(median(values))} [${values.map(show).join(', ')}]`;

export const HEAD = ['what', 'ours', 'reference', 'ratio or value', 'target', 'met?'];

/** The rows as a Markdown table. */
export const table = (rows: readonly Row[]): string =>
  linesOf([HEAD, ...rows.map((row) => [row.what, row.ours, row.reference, row.result, row.target, row.met])]);

/** Lines of cells, the first of them the head, as a Markdown table with aligned columns. */
export function linesOf(lines: readonly (readonly string[])[]): string {
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0))) ?? [];
  const print = (cells: readonly string[]) =>
    `| ${widths.map((width, i) => (cells[i] ?? '').padEnd(width)).join(' | ')} |`;
  const [head = [], ...body] = lines;
  return [print(head), print(widths.map((width) => '-'.repeat(width))), ...body.map(print)].join('\n');
}
