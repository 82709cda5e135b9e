import path from 'node:path';
import * as build from 'virtual:react-router/server-build';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { ServerBuild } from 'react-router';
import { openDb, openPool } from '#server/db/client.ts';
import { claimInstallation } from '#server/db/installation.ts';
import { readMigrations } from '#server/db/migrate.ts';
import { openDatabase } from '#server/db/open.ts';
import { REPLICA_LIMITS, Replica } from '#server/db/replica.ts';
import { effectiveEnv } from '#server/doctor/effective-env.ts';
import { findingsOf } from '#server/doctor/report.ts';
import { INITIAL_PASSWORD_DAYS } from '#server/domains/auth/passwords/password.service.ts';
import { openLedger } from '#server/domains/ledger/open.ts';
import { reloadableMail, reloadablePayments } from '#server/domains/settings/reloadable-providers.ts';
import { settingsFromEnv } from '#server/domains/settings/settings.service.ts';
import { configurationWarnings, type Env, readEnv } from '#server/env.ts';
import { firstRun } from '#server/first-run.ts';
import { openPort } from '#server/http/open-port.ts';
import { startWorker } from '#server/jobs/worker.ts';
import { shrinkYoungGeneration } from '#server/lib/process/shrink-heap.ts';
import { handleShutdown } from '#server/lib/process/shutdown.ts';
import { MAX_STREAMS, openFilesLimit, streamsWithin } from '#server/live/stream-limit.ts';
import { createLog } from '#server/log.ts';
import { prepareDatabase } from '#server/prepare.ts';
import { superviseWorkers } from '#server/processes/supervise.ts';
import { isWorker, reportReady } from '#server/processes/worker.ts';
import { openCachePurge } from '#server/providers/cache/open.ts';
import { openExplorer } from '#server/providers/explorer/open.ts';
import { openMarket } from '#server/providers/market/open.ts';
import { openPayments } from '#server/providers/payments/open.ts';
import { openStorage } from '#server/providers/storage/open.ts';
import { openServices, type Services } from '#server/services.ts';
import { configuredOptions, openSite, readVersion } from '#server/site.ts';
import { startTelemetry } from '#server/telemetry/telemetry.ts';

/** Maximum wait for requests in progress at shutdown. Milliseconds. */
const DRAIN_MS = 10_000;

const PAUSED = 'paused: no mails, jobs, payments or signing until an operator resumes it (npm run florka -- resume)';

/** The parent of workers ends after them. */
const shutdown = handleShutdown(DRAIN_MS + (isWorker() ? 10_000 : 14_000));

/** Runs everything in this process, or starts the configured number of workers. */
async function begin(): Promise<void> {
  const env = readEnv(process.env);
  if (isWorker() || env.PROCESSES === 1) return start(env);
  const { log, flush } = createLog(env.LOG_LEVEL);
  shutdown.onStop(flush);
  const workers = superviseWorkers({
    count: env.PROCESSES,
    log,
    onReady: (port) => announce(env, port),
    onFailed: (code) => void shutdown.stop(code),
  });
  shutdown.onStop(() => workers.end(DRAIN_MS + 12_000));
}

function announce(env: Env, port: number): void {
  console.log(`Florka is ready: ${env.PUBLIC_URL.replace(/:0$/, `:${port}`)}`);
}

async function start(env: Env): Promise<void> {
  const root = process.cwd();
  const { log, logRequest, flush } = createLog(env.LOG_LEVEL);
  shutdown.onStop(flush);
  for (const warning of configurationWarnings(process.env)) log.warn(warning);
  warnOfFewStreams(log);

  // The port first: a start that fails here has created only the files of its secrets, and no admin whose password is
  // printed only once.
  const front = await openPort(env, () => shutdown.requested);
  const { port } = front;
  shutdown.onStop(() => front.drain(0));

  const telemetry = await startTelemetry(env, readVersion(), log);
  shutdown.onStop(() => telemetry.close());

  const database = await openDatabase(placesOf(env));
  shutdown.onStop(database.close);
  if (database.outside)
    log.warn({ folder: database.outside }, 'the database is outside of DATA_DIR, which its account may not enter');
  const migrations = readMigrations(path.join(root, 'server/db/migrations'));
  await prepareDatabase(database, migrations);
  const pool = openPool({ ...database.config, max: env.DATABASE_POOL }, (error) => {
    if (!shutdown.requested) log.warn({ err: error }, 'database connection');
  });
  shutdown.onStop(() => pool.end());
  telemetry.watchPool(pool);
  const replica = await openReplica(env, pool, log);
  const paused = await claimInstallation(pool, new Date());
  if (paused) log.warn({ reason: paused.reason, since: paused.since }, PAUSED);

  const storage = await openStorage(env);
  shutdown.onStop(() => storage.close());
  log.info({ target: storage.target }, 'storage for uploads');
  const payments = openPayments(env, {
    publicUrl: env.PUBLIC_URL.replace(/:0$/, `:${port}`),
    localUrl: `http://${localHost(env.HOST)}:${port}`,
    root,
    warn: (about, message) => log.warn(about, message),
  });
  if (payments) shutdown.onStop(() => payments.close());
  const market = openMarket(env);
  log.info({ target: market ? 'DexScreener and GeckoTerminal' : 'nowhere' }, 'source of market data');
  const services = openServices({
    pool,
    config: database.config,
    replica,
    publicUrl: env.PUBLIC_URL,
    secret: env.AUTH_SECRET,
    mail: (settings) => reloadableMail(settings, env.DATA_DIR),
    storage,
    staffSecondFactor: env.ADMIN_SECOND_FACTOR,
    staffPasskey: env.ADMIN_PASSKEY,
    payments: (settings) => reloadablePayments(settings, payments, env.PUBLIC_URL.replace(/:0$/, `:${port}`)),
    market,
    explorer: openExplorer(env),
    ledger: openLedger(env),
    given: settingsFromEnv(process.env),
    findings: async ({ pool: own }) => findingsOf(own, await effectiveEnv(openDb(own), env, process.env)),
    log,
  });
  shutdown.onStop(() => services.mail.close());
  shutdown.onStop(() => services.settings.close());
  shutdown.onStop(() => services.clock.stop());
  await services.settings.load();
  await services.clock.start();
  log.info({ target: services.mail.target }, 'mail transport');
  log.info({ target: services.payments.mode }, 'payment mode');
  await fillFirst(services, env, log);
  await services.hub.start();
  // Loaded again: changes before the hub started listening caused no event.
  await services.settings.load();
  shutdown.onStop(() => services.hub.stop());
  await startWorker({ services, log, observe: telemetry.job });
  shutdown.onStop(() => services.jobs.stop());

  const cachePurge = openCachePurge(env);
  if (cachePurge) log.info({ target: cachePurge.target }, 'the cache in front is purged on changes');
  const app = build as unknown as ServerBuild;
  const site = openSite(services, {
    ...(await configuredOptions(env, storage, payments)),
    build: app,
    mode: 'production',
    clientDir: path.join(root, 'build/client'),
    migrations,
    cachePages: process.env.FLORKA_BENCH_NO_PAGE_CACHE === undefined,
    cacheReads: process.env.FLORKA_BENCH_NO_PAGE_CACHE !== '1',
    cachePurge,
    log,
    logRequest,
    isStopping: () => shutdown.requested,
  });
  shutdown.onStop(() => services.pageViews.flush());
  // Runs first at shutdown: requests in progress still need everything below.
  shutdown.onStop(async () => {
    site.close();
    await front.drain(DRAIN_MS);
  });
  telemetry.measure({
    pool,
    config: database.config,
    streams: site.streams,
    pages: site.pages,
    purger: site.purger,
    replica,
    dataDir: env.DATA_DIR,
  });
  front.serve(telemetry.observe(site.listener, app.routes));
  await site.warm().catch((error: unknown) => log.error({ err: error }, 'warming the page cache failed'));
  shrinkYoungGeneration();
  if (isWorker()) reportReady(port);
  else announce(env, port);
}

function warnOfFewStreams(log: Logger): void {
  const limit = openFilesLimit();
  const max = streamsWithin(limit);
  if (max < MAX_STREAMS) log.warn({ limit, max }, 'live streams limited by the number of open files (ulimit -n)');
}

/** Creates the first admin and the demo content if there is none yet; the password is printed only here. */
async function fillFirst(services: Services, env: Env, log: Logger): Promise<void> {
  const admin = await firstRun(services, {
    demo: env.DEMO,
    adminEmail: env.ADMIN_EMAIL,
    adminPassword: env.ADMIN_PASSWORD,
    log,
  });
  if (admin)
    console.log(
      admin.given
        ? `First admin: ${admin.email} · password: (as set in ADMIN_PASSWORD)`
        : `First admin: ${admin.email} · password: ${admin.password}  (shown only now; for ${INITIAL_PASSWORD_DAYS} days, until you choose one of your own)`,
    );
}

const placesOf = (env: Env): Parameters<typeof openDatabase>[0] => ({
  url: env.DATABASE_URL,
  migrateUrl: env.DATABASE_MIGRATE_URL,
  directUrl: env.DATABASE_DIRECT_URL,
  dataDir: env.DATA_DIR,
  onLost: (text) => void shutdown.fail(new Error(text)),
});

/** The replica for reads; null if none is configured. An unreachable one must not prevent the start. */
async function openReplica(env: Env, primary: pg.Pool, log: Logger): Promise<Replica | null> {
  if (!env.DATABASE_READ_URL) return null;
  const pool = openPool({
    connectionString: env.DATABASE_READ_URL,
    max: env.DATABASE_POOL,
    connectionTimeoutMillis: 1_000,
    limits: REPLICA_LIMITS,
    application_name: 'florka reads',
  });
  const replica = new Replica({ primary, replica: pool, warn: (about, message) => log.warn(about, message) });
  shutdown.onStop(() => replica.close());
  await replica.measure();
  return replica;
}

/** Host under which this machine reaches the address the server listens on. */
function localHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

begin().catch(shutdown.fail);
