// The signer: creates the ordered tokens, and is the only program with keys. Start it with `npm run signer` under its
// own account and with its own variables (server/signer/env.ts).
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { openDb, openPool } from '#server/db/client.ts';
import { readPause } from '#server/db/installation.ts';
import { isMigrated, readMigrations } from '#server/db/migrate.ts';
import { type Database, openDatabase, openRunning } from '#server/db/open.ts';
import { createTokenCreator } from '#server/domains/token-creation/token-creator.service.ts';
import { createDatabaseClock } from '#server/lib/clock/database-clock.ts';
import { StartError } from '#server/lib/errors/start-error.ts';
import { crashPoint } from '#server/lib/process/crash-point.ts';
import { handleShutdown } from '#server/lib/process/shutdown.ts';
import { createLog } from '#server/log.ts';
import { nowPayments } from '#server/providers/payments/nowpayments.ts';
import { readSignerEnv, type SignerEnv } from './env.ts';
import { openMemory } from './memory.ts';
import { openChain, runWorker } from './workers.ts';

/** Maximum wait for a step in progress at shutdown. Milliseconds. */
const DRAIN_MS = 20_000;

const shutdown = handleShutdown(DRAIN_MS);

async function start(): Promise<void> {
  const env = readSignerEnv(process.env);
  const { log, flush } = createLog(env.logLevel);
  shutdown.onStop(flush);
  for (const warning of env.warnings) log.warn(warning);
  const database = await openShared(env);
  shutdown.onStop(database.close);
  const pool = openPool({ ...database.config, max: 4, application_name: 'florka signer' }, (error) => {
    if (!shutdown.requested) log.warn({ err: error }, 'database connection');
  });
  shutdown.onStop(() => pool.end());
  if (!(await isMigrated(pool, readMigrations(path.join(process.cwd(), 'server/db/migrations'))).catch(() => false)))
    throw new StartError('The database is not prepared for this version: start the server first, then the signer.');

  const provider = env.payments
    ? nowPayments({
        ...env.payments,
        // The signer verifies no callbacks, so the secret is not used.
        ipnSecret: randomBytes(32).toString('hex'),
      })
    : null;
  const clock = createDatabaseClock(openDb(pool), (error) =>
    log.warn({ err: error }, 'clock of the database not read'),
  );
  await clock.start();
  shutdown.onStop(() => clock.stop());
  const memory = openMemory(env.stateDir);
  // Loaded only if keys are in the key service.
  const kms = env.kms && (await import('#server/providers/chains/keys/kms.ts')).kmsKeys(env.kms);
  if (kms) shutdown.onStop(() => kms.close());
  for (const worker of env.workers) {
    const warn = (err: Error) => log.warn({ err, network: worker.network }, 'key service');
    const chain = await openChain(worker, kms, warn).catch((error: Error) => {
      throw error instanceof RangeError
        ? new StartError(`Wrong configuration of ${worker.network}: ${error.message}.`)
        : error;
    });
    const creator = createTokenCreator({
      db: openDb(pool),
      chain,
      dailyCap: worker.DAILY_CAP,
      provider,
      adminKeys: env.adminKeys,
      memory,
      now: clock.now,
      log,
      crash: crashPoint,
    });
    const { stop } = runWorker({
      creator,
      network: worker.network,
      config: database.config,
      paused: async () => (await readPause(pool)) !== null,
      log,
    });
    shutdown.onStop(stop);
  }
  const names = env.workers.map(({ network }) => network).join(', ');
  console.log(
    `Signer is ready: ${names}. ${provider ? 'Payments are checked at the provider' : 'No token with a real payment is created: NOWPAYMENTS_API_KEY is missing'}.`,
  );
}

/** The site's database, which this program neither starts nor changes. */
async function openShared({ databaseUrl, dataDir }: SignerEnv): Promise<Database> {
  if (databaseUrl) return openDatabase({ url: databaseUrl, dataDir, onLost: () => {} });
  const running = await openRunning(dataDir, 'signer');
  if (!running) throw new StartError(`No server runs with ${dataDir}: start it first, or set DATABASE_URL.`);
  return running;
}

start().catch(shutdown.fail);
