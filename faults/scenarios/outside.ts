import { setTimeout as sleep } from 'node:timers/promises';
import type { ProviderBehaviour } from '../rig/provider.ts';
import type { Fault, FaultContext } from './fault.ts';

/** The provider misbehaves while users pay, then works correctly. */
const provider =
  (behaviour: Partial<ProviderBehaviour>, seconds: number) =>
  async ({ environment, load, over }: FaultContext): Promise<void> => {
    Object.assign(environment.provider.behaviour, behaviour);
    const [site] = environment.sites;
    // The mix contains few payments.
    for (let i = 0; i < 3 && site; i++) {
      void load.one('payment', site.origin);
      void load.one('unpaid', site.origin);
    }
    await sleep(seconds * 1_000);
    Object.assign(environment.provider.behaviour, { answers: 'truth', callbacks: 'once' } satisfies ProviderBehaviour);
    environment.provider.release();
    over();
  };

async function mailDown({ environment, load, over }: FaultContext): Promise<void> {
  environment.mailProxy.set('cut');
  const [site] = environment.sites;
  for (let i = 0; i < 3 && site; i++) void load.one('payment', site.origin);
  await sleep(20_000);
  environment.mailProxy.set('open');
  over();
}

export const outsideFaults: Fault[] = [
  {
    name: 'pay-lie',
    title: 'provider says of everything that it is paid, for another order',
    allowsManualReview: true,
    sites: 1,
    repetitions: 3,
    short: 0,
    inject: provider({ answers: 'lie' }, 15),
  },
  {
    name: 'pay-late',
    title: 'provider answers after 15 s',
    sites: 1,
    repetitions: 3,
    short: 0,
    inject: provider({ answers: 'late' }, 30),
  },
  {
    name: 'pay-down',
    title: 'provider answers 502',
    sites: 1,
    repetitions: 3,
    short: 0,
    inject: provider({ answers: 'down' }, 20),
  },
  {
    name: 'pay-twice',
    title: 'every callback comes three times at once',
    sites: 2,
    repetitions: 5,
    short: 0,
    inject: provider({ callbacks: 'twice' }, 10),
  },
  {
    name: 'pay-callbacks-late',
    title: 'callbacks come late and in reverse order',
    sites: 1,
    repetitions: 3,
    short: 0,
    inject: provider({ callbacks: 'late' }, 15),
  },
  {
    name: 'pay-never',
    title: 'callbacks never come',
    sites: 1,
    repetitions: 2,
    short: 0,
    inject: provider({ callbacks: 'never' }, 15),
  },
  { name: 'mail-down', title: 'mail server away for 20 s', sites: 1, repetitions: 3, short: 0, inject: mailDown },
];
