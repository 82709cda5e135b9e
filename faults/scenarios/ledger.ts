import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault, FaultContext } from './fault.ts';

/** The lock of whoever writes the ledger, see server/db/advisory-lock.ts. */
const LOCK = 727_277;
/** Poll interval, and maximum wait for a writer. */
const POLL_MS = 2;
const TIMEOUT_MS = 20_000;
/** Maximum delay of the kill after the start of a run. */
const MAX_DELAY_MS = 120;

/** Waits until a site has the lock, and a little longer: anywhere between its first statement and the signature. */
async function whileItWrites({ scene, attempt }: FaultContext): Promise<void> {
  const client = await scene.cluster.connect(scene.database);
  try {
    for (const end = Date.now() + TIMEOUT_MS; Date.now() < end; await sleep(POLL_MS)) {
      const { rowCount } = await client.query(
        `select 1 from pg_locks where locktype = 'advisory' and objid = $1 and granted
         and database = (select oid from pg_database where datname = current_database())`,
        [LOCK],
      );
      if (rowCount) break;
    }
  } finally {
    await client.end();
  }
  await sleep((attempt * 37) % MAX_DELAY_MS);
}

async function killWriter(context: FaultContext): Promise<void> {
  const [site] = context.scene.sites;
  await whileItWrites(context);
  await site?.kill();
  site?.launch();
  context.over();
}

/** The connection that holds the lock breaks; the process goes on, and another one may begin. */
async function cutLock(context: FaultContext): Promise<void> {
  await whileItWrites(context);
  await context.scene.cluster.run(context.scene.database, [
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'florka lock' and datname = current_database()`,
  ]);
  context.over();
}

export const ledgerFaults: Fault[] = [
  {
    name: 'ledger-kill',
    title: 'site killed while it writes the ledger',
    sites: 1,
    repetitions: 50,
    short: 1,
    inject: killWriter,
  },
  {
    name: 'ledger-lock',
    title: 'lock of the ledger lost by one of two sites',
    sites: 2,
    repetitions: 30,
    short: 0,
    inject: cutLock,
  },
];
