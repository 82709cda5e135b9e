import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Fault, FaultContext } from './fault.ts';

const PRELOAD = path.resolve('faults/rig/shifted-clock.mjs');

/** How long the clock is wrong. Milliseconds. */
const WRONG = 10_000;

/**
 * The clock of the first of two sites jumps while it runs, and back. That site is restarted with an adjustable clock;
 * the database keeps its own time.
 */
const jump =
  (seconds: number) =>
  async ({ environment, faultRun, attempt, over }: FaultContext): Promise<void> => {
    const [site] = environment.sites;
    const file = path.join(faultRun.folder('clock'), 'shift');
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, '0');
    if (attempt === 0) {
      await site?.stop();
      site?.launch({ CLOCK_SHIFT_FILE: file }, ['--import', pathToFileURL(PRELOAD).href]);
      await site?.untilReady();
    }
    writeFileSync(file, String(seconds * 1_000));
    await sleep(WRONG);
    writeFileSync(file, '0');
    over();
  };

export const clockFaults: Fault[] = [
  {
    name: 'clock-day',
    title: 'clock of one of two sites a day ahead',
    sites: 2,
    repetitions: 3,
    short: 0,
    inject: jump(86_400),
  },
  {
    name: 'clock-back',
    title: 'clock of one of two sites two days back',
    sites: 2,
    repetitions: 3,
    short: 0,
    inject: jump(-172_800),
  },
  {
    name: 'clock-minute',
    title: 'clock of one of two sites 61 s ahead',
    sites: 2,
    repetitions: 3,
    short: 0,
    inject: jump(61),
  },
];
