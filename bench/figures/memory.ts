import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { median, ROUNDS } from '../lib/numbers.ts';
import { count, type Row, spread } from '../lib/report.ts';
import type { Stage } from '../lib/stage.ts';

/** After the start, without requests. Milliseconds. */
const REST_MS = 8_000;

/** Megabytes of a process that are in memory, what it shares with others included. */
function residentMegabytes(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

/** (p) Memory of the site with the demo content, at rest, and its start with a filled database. */
export async function restAndStart(stage: Stage): Promise<Row[]> {
  const memory: number[] = [];
  const starts: number[] = [];
  await stage.database('demo');
  for (let round = 0; round < ROUNDS; round++) {
    const began = performance.now();
    await stage.withSite('demo', async (site) => {
      // The first round fills the database.
      if (round > 0) starts.push((performance.now() - began) / 1_000);
      await sleep(REST_MS);
      memory.push(residentMegabytes(site.pid));
    });
  }
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
      what: 'p) start with a filled database, until it is ready',
      ours: `${spread(starts, seconds)} s`,
      reference: '',
      result: `${seconds(median(starts))} s`,
      target: '≤ 1.5 s',
      met: median(starts) <= 1.5 ? 'yes' : 'no',
    },
  ];
}
