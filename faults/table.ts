import { readFileSync, writeFileSync } from 'node:fs';
import type { Report } from './scenarios/fault.ts';

export interface Row extends Report {
  title: string;
  repetitions: number;
  /** Why the fault could not be injected here. */
  skipped?: string;
}

export const FILE = 'docs/faults.md';
const BEGIN = '<!-- table: npm run faults -- --write -->';
const END = '<!-- end of the table -->';

/** Maximum recovery time after the end of the cause. Seconds. */
export const MAX_RECOVERY = 10;

/** All findings of a row. */
export const faultsOf = ({ lost, doubled, wrong }: Report): string[] => [
  ...lost.map((line) => `lost: ${line}`),
  ...doubled.map((line) => `doubled: ${line}`),
  ...wrong.map((line) => `wrong: ${line}`),
];

const HEAD = [
  'fault',
  'repetitions',
  'acknowledged',
  'lost',
  'doubled',
  'recovered after, s',
  'what users saw meanwhile',
  'seen',
];
const WORDS = new Set(['fault', 'what users saw meanwhile', 'seen']);

function cells({ title, repetitions, acknowledged, lost, doubled, wrong, recovery, seen, skipped }: Row): string[] {
  if (skipped !== undefined) return [title, '0', '', '', '', '', `not made: ${skipped}`];
  const worst = recovery.length > 0 ? Math.max(...recovery).toFixed(1) : '';
  // Older rows lack this column, and must not look better than they are.
  const all = wrong.length > 0 ? `**${wrong.length} wrong**; ${seen}` : seen;
  return [title, String(repetitions), String(acknowledged), String(lost.length), String(doubled.length), worst, all];
}

const lineOf = (texts: readonly string[]): string => `| ${texts.join(' | ')} |`;

/** The table in Markdown, with the same commit and time in each row. */
export function tableOf(rows: Row[], where: string): string {
  return withHead(rows.map((row) => lineOf([...cells(row), where])));
}

const withHead = (lines: string[]): string =>
  [lineOf(HEAD), lineOf(HEAD.map((name) => (WORDS.has(name) ? '---' : '---:'))), ...lines].join('\n');

/**
 * The page with these rows in its table: they replace those of the same faults, the others stay.
 *
 * @param order titles of all faults; a row with another title is removed.
 */
export function pageWith(page: string, rows: Row[], where: string, order: readonly string[]): string {
  const [before = '', rest = ''] = page.split(BEGIN);
  const [inside = '', after = '\n'] = rest.split(END);
  const titleOf = (line: string) => line.split('|')[1]?.trim() ?? '';
  const old = inside.split('\n').filter((line) => line.startsWith('|'));
  const lines = new Map(
    [...old, ...rows.map((row) => lineOf([...cells(row), where]))].map((line) => [titleOf(line), line]),
  );
  const merged = order.flatMap((title) => lines.get(title) ?? []);
  return `${before}${BEGIN}\n\n${withHead(merged)}\n\n${END}${after}`;
}

/** Writes rows into the guide. */
export function writeTable(rows: Row[], where: string, order: readonly string[]): void {
  writeFileSync(FILE, pageWith(readFileSync(FILE, 'utf8'), rows, where, order));
}
