import { setTimeout as sleep } from 'node:timers/promises';
import type { LinkState } from '../rig/proxy.ts';
import type { Fault, FaultContext } from './fault.ts';

const broken =
  (link: LinkState, seconds: number) =>
  async ({ environment, over }: FaultContext): Promise<void> => {
    environment.databaseProxy.set(link);
    await sleep(seconds * 1_000);
    environment.databaseProxy.set('open');
    over();
  };

export const networkFaults: Fault[] = [
  {
    name: 'net-cut',
    title: 'network to the database cut 10 s',
    sites: 1,
    repetitions: 10,
    short: 1,
    inject: broken('cut', 10),
  },
  {
    name: 'net-silent',
    title: 'network to the database silent 20 s',
    sites: 1,
    repetitions: 5,
    short: 0,
    inject: broken('silent', 20),
  },
  {
    name: 'net-answers',
    title: 'answers of the database lost for 2 s',
    sites: 1,
    repetitions: 20,
    short: 1,
    inject: broken('answersLost', 2),
  },
];
