import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import type { Report } from './scenarios/fault.ts';

export interface Row extends Report {
  title: string;
  repetitions: number;
  /** Why the fault could not be made here. */
  skipped?: string;
}

const FILE = 'docs/faults.md';
const BEGIN = '<!-- table: npm run faults -- --write -->';
const END = '<!-- end of the table -->';

/** Longest time that a recovery may take after its cause is gone. Seconds. */
export const MAX_RECOVERY = 10;

/** Every fault of a row that must not be. */
export const faultsOf = ({ lost, doubled, wrong }: Report): string[] => [
  ...lost.map((line) => `lost: ${line}`),
  ...doubled.map((line) => `doubled: ${line}`),
  ...wrong.map((line) => `wrong: ${line}`),
];

function cells({ title, repetitions, acknowledged, lost, doubled, recovery, seen, skipped }: Row): string[] {
  if (skipped !== undefined) return [title, '0', '', '', '', '', `not made: ${skipped}`];
  const worst = recovery.length > 0 ? Math.max(...recovery).toFixed(1) : '';
  return [title, String(repetitions), String(acknowledged), String(lost.length), String(doubled.length), worst, seen];
}

/** The table in Markdown. */
export function tableOf(rows: Row[]): string {
  const head = ['fault', 'tries', 'acknowledged', 'lost', 'doubled', 'recovered after, s', 'what users saw meanwhile'];
  const lines = [head, head.map((_, at) => (at === 0 || at === 6 ? '---' : '---:')), ...rows.map(cells)];
  return lines.map((line) => `| ${line.join(' | ')} |`).join('\n');
}

/** Puts the table into the guide, with where and when it was seen. */
export function writeTable(rows: Row[], load: { before: number }): void {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  const about =
    `Seen on ${new Date().toISOString().slice(0, 10)} at commit ${commit}, on ${os.availableParallelism()} cores with a load of ` +
    `${load.before.toFixed(1)} before and ${(os.loadavg()[0] ?? 0).toFixed(1)} at the end.`;
  const text = readFileSync(FILE, 'utf8');
  const [before = '', rest = ''] = text.split(BEGIN);
  const after = rest.split(END)[1] ?? '\n';
  writeFileSync(FILE, `${before}${BEGIN}\n\n${about}\n\n${tableOf(rows)}\n\n${END}${after}`);
}
