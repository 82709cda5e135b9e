import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';
import * as build from 'virtual:react-router/server-build';
import type { ServerBuild } from 'react-router';
import { openPool } from '#server/db/client.ts';
import { isMigrated, migrate, readMigrations } from '#server/db/migrate.ts';
import { openDatabase } from '#server/db/open.ts';
import { readEnv } from '#server/env.ts';
import { firstRun } from '#server/first-run.ts';
import { openHouse } from '#server/house.ts';
import { createApi, createVisitorApi } from '#server/http/api.ts';
import { API_DOCS } from '#server/http/api-docs.ts';
import { createListener } from '#server/http/listener.ts';
import { createRenderer } from '#server/http/renderer.ts';
import { loadStaticFiles } from '#server/http/static-files.ts';
import { startWorker } from '#server/jobs/worker.ts';
import { StartError } from '#server/lib/start-error.ts';
import { createLiveStreams } from '#server/live/streams.ts';
import { createLog } from '#server/log.ts';

/** Longest wait for requests under way when asked to stop. Milliseconds. */
const DRAIN = 10_000;

/** Beside its package.json; the package itself would be bundled for nothing. */
const swaggerUi = path.dirname(
  createRequire(path.join(process.cwd(), 'package.json')).resolve('swagger-ui-dist/package.json'),
);

const closers: (() => unknown)[] = [];
let stopping: Promise<void> | undefined;

/** Undoes the start in reverse order, once; a second signal changes nothing. */
function stop(code: number): Promise<void> {
  stopping ??= (async () => {
    setTimeout(() => process.exit(code || 1), DRAIN + 10_000).unref();
    for (const close of closers.toReversed()) {
      try {
        await close();
      } catch (error) {
        console.error(error);
      }
    }
    process.exit(code);
  })();
  return stopping;
}

function fail(error: unknown): Promise<void> {
  if (error instanceof StartError) console.error(error.message);
  else console.error(error);
  return stop(1);
}

async function start(): Promise<void> {
  const env = readEnv(process.env);
  const root = process.cwd();
  const { log, flush } = createLog(env.LOG_LEVEL);
  closers.push(flush);

  const database = await openDatabase({
    url: env.DATABASE_URL,
    dataDir: env.DATA_DIR,
    onLost: (text) => void fail(new Error(text)),
  });
  closers.push(database.close);
  const pool = openPool({ ...database.config, max: env.DATABASE_POOL }, (error) => {
    if (!stopping) log.warn({ err: error }, 'database connection');
  });
  closers.push(() => pool.end());
  const migrations = readMigrations(path.join(root, 'server/db/migrations'));
  await migrate(pool, migrations);

  const house = openHouse({ pool, config: database.config, publicUrl: env.PUBLIC_URL, secret: env.AUTH_SECRET, log });
  const admin = await firstRun(house, {
    demo: env.DEMO,
    adminEmail: env.ADMIN_EMAIL,
    adminPassword: env.ADMIN_PASSWORD,
    log,
  });
  await house.hub.start();
  closers.push(() => house.hub.stop());
  const worker = await startWorker({ pool, log });
  closers.push(worker.stop);

  const streams = createLiveStreams(house.hub, house.now);
  const version = process.env.npm_package_version ?? '0';
  const { listener, warm } = createListener({
    api: createApi({
      makeContext: (request, resHeaders) => house.contextOf(request.headers, resHeaders),
      origin: new URL(env.PUBLIC_URL).origin,
      log,
      version,
    }),
    render: createRenderer(
      build as unknown as ServerBuild,
      () => createVisitorApi(() => house.contextOf(new Headers())),
      'production',
    ),
    statics: loadStaticFiles(
      [
        { dir: path.join(root, 'build/client') },
        { dir: swaggerUi, prefix: '/api/docs', only: ['swagger-ui.css', 'swagger-ui-bundle.js'] },
      ],
      API_DOCS,
      env.PUBLIC_URL.startsWith('https:'),
    ),
    hub: house.hub,
    streams,
    readiness: async () => {
      const ready = await isMigrated(pool, migrations).catch(() => false);
      return [
        ...(ready ? [] : ['database']),
        ...(house.hub.ready ? [] : ['live connection']),
        ...(stopping ? ['stopping'] : []),
      ];
    },
    publicUrl: env.PUBLIC_URL,
    trustProxy: env.TRUST_PROXY,
    log,
    cachePages: process.env.FLORKA_BENCH_NO_PAGE_CACHE !== '1',
  });

  const server = createServer({ keepAliveTimeout: 65_000, headersTimeout: 10_000, requestTimeout: 30_000 }, listener);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE')
        reject(new StartError(`Port ${env.PORT} is in use: stop the other program or set PORT.`));
      else if (error.code === 'EACCES')
        reject(new StartError(`No right to listen on port ${env.PORT}: set PORT above 1023.`));
      else if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
        reject(new StartError(`HOST ${env.HOST} is not an address of this machine.`));
      else reject(error);
    });
    server.listen(env.PORT, env.HOST, resolve);
  });
  closers.push(async () => {
    streams.close();
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), DRAIN).unref();
    await closed;
  });
  await warm().catch((error: unknown) => log.error({ err: error }, 'warming the page cache'));

  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : env.PORT;
  if (admin)
    console.log(
      `First admin: ${admin.email} · password: ${env.ADMIN_PASSWORD ? '(as set in ADMIN_PASSWORD)' : admin.password}  (shown only now)`,
    );
  console.log(`Florka is ready: ${env.PUBLIC_URL.replace(/:0$/, `:${port}`)}`);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0));
// The channel to `npm start` closes when that dies in any way, kill -9 included.
process.once('disconnect', () => void stop(0));
process.on('uncaughtException', (error) => void fail(error));
process.on('unhandledRejection', (error) => void fail(error));
start().catch(fail);
