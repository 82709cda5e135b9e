import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BenchEnvironment, residentBytes, treeOf } from '../lib/environment.ts';
import { median, ROUNDS } from '../lib/numbers.ts';
import { count, type Row, spread, stated } from '../lib/report.ts';

/** After the start, without requests. Milliseconds. */
const REST_MS = 8_000;
/** Number of starts with npm: one that is left idle for long, then those of the row. */
const TREES = 4;
/** Time after which every job that runs each minute has run once. Milliseconds. */
const LONG_REST_MS = 80_000;

const DEMO = { DEMO: 'on' };

/** Resident memory of a process, shared pages included. Megabytes. */
const residentMegabytes = (pid: number): number => residentBytes(pid) / 1024 ** 2;

/** Megabytes of a process that are in memory, of what several share only its part; NaN where the system does not provide it. */
function proportionalMegabytes(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}

/** (p) Memory of the site with the demo content, at rest, and its start with a filled database. */
export async function restAndStart(environment: BenchEnvironment): Promise<Row[]> {
  const memory: number[] = [];
  const starts: number[] = [];
  await environment.database('demo');
  for (let round = 0; round < ROUNDS; round++) {
    const began = performance.now();
    await environment.withSite(
      'demo',
      async (site) => {
        // The first round fills the database.
        if (round > 0) starts.push((performance.now() - began) / 1_000);
        await sleep(REST_MS);
        memory.push(residentMegabytes(site.pid));
      },
      DEMO,
    );
  }
  const tree: number[] = [];
  const proportional: number[] = [];
  let rested = Number.NaN;
  for (let round = 0; round < TREES; round++)
    await environment.withSite(
      'demo',
      async ({ pid }) => {
        await sleep(round === 0 ? LONG_REST_MS : REST_MS);
        const sumOf = (megabytes: (pid: number) => number) =>
          treeOf(pid).reduce((sum, one) => sum + (megabytes(one) || 0), 0);
        if (round === 0) rested = sumOf(residentMegabytes);
        else {
          tree.push(sumOf(residentMegabytes));
          proportional.push(sumOf(proportionalMegabytes));
        }
      },
      DEMO,
      'npm',
    );
  const seconds = (value: number) => value.toFixed(2);
  return [
    {
      what: 'p) memory of the site at rest, demo content, without the database',
      ours: `${spread(memory, count)} MB`,
      reference: '',
      result: `${count(median(memory))} MB`,
      target: '≤ 150 MB',
      met: median(memory) <= 150 ? 'yes' : 'no',
    },
    {
      what: 'p) memory of all processes of npm start, demo content, without the database',
      ours: `${spread(tree, count)} MB`,
      reference: '',
      result: `${count(median(tree))} MB`,
      target: '≤ 200 MB',
      met: median(tree) <= 200 ? 'yes' : 'no',
    },
    stated('p) the same, pages that several of them share counted once', `${spread(proportional, count)} MB`),
    stated(
      `p) memory of all processes of npm start, ${count(LONG_REST_MS / 1_000)} s after the start`,
      `${count(rested)} MB`,
    ),
    {
      what: 'p) start with a filled database, until it is ready',
      ours: `${spread(starts, seconds)} s`,
      reference: '',
      result: `${seconds(median(starts))} s`,
      target: '≤ 1.5 s',
      met: median(starts) <= 1.5 ? 'yes' : 'no',
    },
  ];
}
