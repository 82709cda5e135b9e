import { duringWork } from '../rig/wait.ts';
import type { Fault, FaultContext } from './fault.ts';

/** The lock of the process that writes the ledger, see server/db/advisory-lock.ts. */
const LOCK = 727_277;
/** Maximum delay of the fault after the start of a run. */
const MAX_DELAY_MS = 120;

/**
 * Waits until a site has the lock: at any point between its first statement and the signature.
 * @returns the backend process of its connection.
 */
async function whileItWrites({ environment, attempt }: FaultContext): Promise<number> {
  const client = await environment.cluster.connect(environment.database);
  const holder = async () =>
    (
      await client.query<{ pid: number }>(
        `select pid from pg_locks where locktype = 'advisory' and objid = $1 and granted
         and database = (select oid from pg_database where datname = current_database())`,
        [LOCK],
      )
    ).rows[0]?.pid;
  try {
    return await duringWork('a site writes the ledger', holder, (attempt * 37) % MAX_DELAY_MS);
  } finally {
    await client.end();
  }
}

async function killWriter(context: FaultContext): Promise<void> {
  const [site] = context.environment.sites;
  await whileItWrites(context);
  await site?.kill();
  site?.launch();
  context.over();
}

/** The connection that holds the lock is closed; its process continues, and another one may begin. */
async function cutLock(context: FaultContext): Promise<void> {
  const pid = await whileItWrites(context);
  await context.environment.cluster.run(context.environment.database, [`select pg_terminate_backend(${pid})`]);
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
