import { readFileSync, writeFileSync } from 'node:fs';
import { HEAD, linesOf, type Row } from './report.ts';

/** The document that keeps the figures. */
export const RESULTS = 'bench/results.md';
const BEGIN = '<!-- table: npm run bench -- --write -->';
const END = '<!-- end of the table -->';

const cellsOf = (line: string): string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

/** A row belongs to the figure whose letter it begins with. */
const figureOf = ([what = '']: readonly string[]): string => /^(\w+)\)/.exec(what)?.[1] ?? '';

/**
 * The document with these rows replacing all former ones of their figure; rows of other figures are not changed.
 * @param figure the letter before the bracket, such as `a`.
 * @param where time, commit and load of the machine during the measurement.
 * @param order letters of all figures; rows of other letters are removed.
 */
export function resultsWith(
  page: string,
  figure: string,
  rows: readonly Row[],
  where: string,
  order: readonly string[],
): string {
  const [before = '', rest = ''] = page.split(BEGIN);
  const [inside = '', after = '\n'] = rest.split(END);
  const old = inside.split('\n').filter((line) => line.startsWith('|'));
  const former = old.slice(2).map(cellsOf);
  const measured = rows.map((row) => [row.what, row.ours, row.reference, row.result, row.target, row.met, where]);
  const all = order.flatMap((letter) =>
    letter === figure ? measured : former.filter((cells) => figureOf(cells) === letter),
  );
  return `${before}${BEGIN}\n\n${linesOf([[...HEAD, 'seen'], ...all])}\n\n${END}${after}`;
}

/** Puts the rows of a figure into the document. */
export function writeResults(figure: string, rows: readonly Row[], where: string, order: readonly string[]): void {
  writeFileSync(RESULTS, resultsWith(readFileSync(RESULTS, 'utf8'), figure, rows, where, order));
}
