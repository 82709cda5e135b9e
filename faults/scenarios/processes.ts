import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault, FaultContext } from './fault.ts';

/** How long a process is suspended. Milliseconds. */
const FROZEN = 15_000;
/** Maximum duration of a start on an idle machine. Milliseconds. */
const START = 2_500;

async function killFirst({ environment: { sites }, attempt, over }: FaultContext): Promise<void> {
  const site = sites[attempt % sites.length];
  // At any time between two operations of the load.
  await sleep((attempt * 379) % 1_000);
  await site?.kill();
  site?.launch();
  over();
}

/** Killed while it starts: it may hold the schema lock, be changing the rights of the roles, or be taking jobs. */
async function killStarting({ environment: { sites }, attempt, over }: FaultContext): Promise<void> {
  const site = sites[attempt % sites.length];
  await site?.kill();
  site?.launch();
  await sleep((attempt * 211) % START);
  await site?.kill();
  site?.launch();
  over();
}

async function freezeFirst({ environment: { sites }, attempt, over }: FaultContext): Promise<void> {
  const site = sites[attempt % sites.length];
  site?.signal('SIGSTOP');
  await sleep(FROZEN);
  site?.signal('SIGCONT');
  over();
}

/** Stops the site and starts it again, as a supervisor does. */
async function restartFirst({ environment: { sites }, attempt, over }: FaultContext): Promise<void> {
  const site = sites[attempt % sites.length];
  if (!(await site?.stop())) throw new Error('the site did not stop by itself, without a failure, within a minute');
  site?.launch();
  over();
}

export const processFaults: Fault[] = [
  { name: 'kill', title: 'site killed (kill -9)', sites: 1, repetitions: 300, short: 3, inject: killFirst },
  { name: 'kill-of-2', title: 'one of two sites killed', sites: 2, repetitions: 20, short: 0, inject: killFirst },
  { name: 'kill-of-3', title: 'one of three sites killed', sites: 3, repetitions: 20, short: 0, inject: killFirst },
  {
    name: 'kill-starting',
    title: 'one of two sites killed while it starts',
    sites: 2,
    repetitions: 20,
    short: 1,
    inject: killStarting,
  },
  {
    name: 'freeze-of-2',
    title: 'one of two sites frozen 15 s',
    sites: 2,
    repetitions: 5,
    short: 1,
    inject: freezeFirst,
  },
  {
    name: 'freeze-of-3',
    title: 'one of three sites frozen 15 s',
    sites: 3,
    repetitions: 5,
    short: 0,
    inject: freezeFirst,
  },
  {
    name: 'restart',
    title: 'site stopped in order and started',
    sites: 1,
    repetitions: 10,
    short: 0,
    inject: restartFirst,
  },
];
