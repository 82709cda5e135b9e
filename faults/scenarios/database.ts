import { setTimeout as sleep } from 'node:timers/promises';
import { APP, SITE_ROLES } from '../rig/cluster.ts';
import type { Fault, FaultContext } from './fault.ts';

const freeze =
  (seconds: number) =>
  async ({ environment: { cluster }, over }: FaultContext): Promise<void> => {
    cluster.freeze(true);
    try {
      await sleep(seconds * 1_000);
    } finally {
      cluster.freeze(false);
    }
    over();
  };

const restart =
  (signal: 'SIGINT' | 'SIGQUIT' | 'SIGKILL') =>
  async ({ environment: { cluster }, over }: FaultContext): Promise<void> => {
    await cluster.end(signal);
    await cluster.start();
    over();
  };

const ENDED = `select pg_terminate_backend(pid) from pg_stat_activity where usename in (${SITE_ROLES.map((role) => `'${role}'`).join(', ')}) and datname = `;

/** Changes a setting for ten seconds, and closes existing connections before and after, so that new ones use it. */
const setting =
  (set: (database: string) => string, reset: (database: string) => string, seconds = 10) =>
  async ({ environment: { cluster, database }, over }: FaultContext): Promise<void> => {
    const end = `${ENDED}'${database}'`;
    await cluster.run('postgres', [set(database), end]);
    await sleep(seconds * 1_000);
    await cluster.run('postgres', [reset(database), end]);
    over();
  };

async function lock({ environment: { cluster, database }, over }: FaultContext): Promise<void> {
  const client = await cluster.connect(database);
  try {
    await client.query('begin');
    await client.query('lock table votes, forum_posts in access exclusive mode');
    await sleep(20_000);
    await client.query('rollback');
  } finally {
    await client.end();
  }
  over();
}

async function terminate({ environment: { cluster, database }, over }: FaultContext): Promise<void> {
  await cluster.run('postgres', [`${ENDED}'${database}'`]);
  over();
}

export const databaseFaults: Fault[] = [
  { name: 'stall-5', title: 'database stalled 5 s', sites: 1, repetitions: 10, short: 1, inject: freeze(5) },
  { name: 'stall-20', title: 'database stalled 20 s', sites: 1, repetitions: 5, short: 0, inject: freeze(20) },
  { name: 'stall-60', title: 'database stalled 60 s', sites: 1, repetitions: 3, short: 0, inject: freeze(60) },
  {
    name: 'db-restart',
    title: 'database restarted in order',
    sites: 1,
    repetitions: 10,
    short: 0,
    inject: restart('SIGINT'),
  },
  {
    name: 'db-immediate',
    title: 'database stopped at once',
    sites: 1,
    repetitions: 10,
    short: 1,
    inject: restart('SIGQUIT'),
  },
  {
    name: 'db-kill',
    title: 'database killed (kill -9)',
    sites: 1,
    repetitions: 10,
    short: 0,
    inject: restart('SIGKILL'),
  },
  { name: 'db-terminate', title: 'all connections terminated', sites: 1, repetitions: 20, short: 1, inject: terminate },
  {
    name: 'db-limit',
    title: 'connections limited to 2 for 10 s',
    sites: 1,
    repetitions: 5,
    short: 0,
    inject: setting(
      () => `alter role ${APP} connection limit 2`,
      () => `alter role ${APP} connection limit -1`,
    ),
  },
  {
    name: 'db-read-only',
    title: 'database read-only for 10 s',
    sites: 1,
    repetitions: 5,
    short: 0,
    inject: setting(
      (database) => `alter database ${database} set default_transaction_read_only = on`,
      (database) => `alter database ${database} reset default_transaction_read_only`,
    ),
  },
  { name: 'db-lock', title: 'tables locked for 20 s', sites: 1, repetitions: 3, short: 0, inject: lock },
];
