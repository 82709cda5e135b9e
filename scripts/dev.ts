// `npm run dev`: the whole product with its own database under data-dev, on one port. Vite answers first and serves the
// browser's files with hot reload; what it does not know goes to the same site that production runs. Changed server code
// counts from the next request on.
import { createServer, type RequestListener } from 'node:http';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import pino from 'pino';
import type { ServerBuild } from 'react-router';
import { createServer as createVite, type ViteDevServer } from 'vite';
import { openPool } from '#server/db/client.ts';
import { claimInstallation } from '#server/db/installation.ts';
import { readMigrations } from '#server/db/migrate.ts';
import { openDatabase } from '#server/db/open.ts';
import { readEnv } from '#server/env.ts';
import { listen } from '#server/http/listen.ts';
import { StartError } from '#server/lib/errors/start-error.ts';
import { handleShutdown } from '#server/lib/process/shutdown.ts';
import { requestLog } from '#server/log.ts';
import { prepareDatabase } from '#server/prepare.ts';
import { SIGN_IN_PATH } from './dev-sign-in.ts';
import type { DevSite } from './dev-site.ts';

const root = process.cwd();
const migrationsDir = path.join(root, 'server/db/migrations');
const print = (message: string) => console.error(`[florka] ${message}`);

const shutdown = handleShutdown(10_000);

/** Log in a readable form: one line per event, stack traces as Node prints them. */
function createDevLog(level: string, vite: () => ViteDevServer) {
  const write = (line: string) => {
    const { level: severity, msg = '', err, t: _, ...rest } = JSON.parse(line) as Record<string, unknown>;
    const details = Object.keys(rest).length > 0 ? ` ${JSON.stringify(rest)}` : '';
    const trace = (err as { stack?: string } | undefined)?.stack;
    console.error(
      `[${pino.levels.labels[Number(severity)]}] ${msg}${details}${trace ? `\n${vite().ssrRewriteStacktrace(trace)}` : ''}`,
    );
  };
  const log = pino({ level, base: null, timestamp: false }, { write });
  return { log, logRequest: log.isLevelEnabled('info') ? requestLog(write) : () => {} };
}

/** The newest site: opened again when its code has changed, and used when it is ready. */
function reloadOnChange(vite: ViteDevServer, open: (module: typeof import('./dev-site.ts')) => Promise<DevSite>) {
  let loaded: unknown;
  let site: Promise<DevSite> | undefined;
  return {
    async newest(): Promise<DevSite> {
      const module = (await vite.ssrLoadModule('/scripts/dev-site.ts')) as typeof import('./dev-site.ts');
      if (module === loaded && site) return site;
      if (site) print('Server code changed: reloaded');
      const old = site;
      loaded = module;
      site = open(module);
      site.catch((error) => {
        console.error(error);
        // Repeated at the next request.
        loaded = undefined;
      });
      // Ends its live streams; browsers reconnect to the new one.
      void old?.then((previous) => previous.close()).catch(() => {});
      return site;
    },
    close: async () => {
      await site?.then((last) => last.close()).catch(() => {});
    },
  };
}

async function start(): Promise<void> {
  if (process.env.NODE_ENV === 'production')
    throw new StartError('npm run dev lets everybody sign in as admin, so it does not start with NODE_ENV=production.');
  process.env.NODE_ENV = 'development';
  const env = readEnv({
    ...process.env,
    DATA_DIR: process.env.DATA_DIR || 'data-dev',
    HOST: process.env.HOST || '127.0.0.1',
    LOG_LEVEL: process.env.LOG_LEVEL || 'warn',
  });

  const database = await openDatabase({
    url: env.DATABASE_URL,
    migrateUrl: env.DATABASE_MIGRATE_URL,
    dataDir: env.DATA_DIR,
    onLost: (text) => void shutdown.fail(new Error(text)),
  });
  shutdown.onStop(database.close);
  const migrations = readMigrations(migrationsDir);
  for (const name of await prepareDatabase(database, migrations)) print(`Migration ${name} applied`);
  const pool = openPool({ ...database.config, max: env.DATABASE_POOL }, (error) => {
    if (!shutdown.requested) console.error(error);
  });
  shutdown.onStop(() => pool.end());
  if (await claimInstallation(pool, new Date())) print('This copy is paused until npm run florka -- resume');

  const server = createServer();
  const vite = await createVite({
    appType: 'custom',
    // Resolved before the first page instead of during it.
    optimizeDeps: { entries: ['app/entry.client.tsx', 'app/root.tsx', 'app/routes/**/*.tsx'] },
    server: {
      middlewareMode: { server },
      hmr: { server },
      watch: { ignored: ['data', 'data-dev', 'build', 'test-results'].map((dir) => `${root}/${dir}/**`) },
      fs: { deny: ['.env', '.env.*', '**/.git/**', `${root}/data/**`, `${root}/data-dev/**`, `${env.DATA_DIR}/**`] },
    },
  });
  // The additional compiler that React Router opens would end this process immediately, and leave the database open.
  process.removeAllListeners('SIGTERM').on('SIGTERM', () => void shutdown.stop(0));
  process.stdin.removeAllListeners('end');
  shutdown.onStop(() => vite.close());
  vite.watcher.on('all', (_event, file) => {
    if (path.dirname(file) === migrationsDir)
      print(
        `Migration ${path.basename(file)} changed: start again to apply it; edited ones need an empty ${env.DATA_DIR}`,
      );
  });

  const { log, logRequest } = createDevLog(env.LOG_LEVEL, () => vite);
  const code = reloadOnChange(vite, ({ openDevSite }) =>
    openDevSite({
      env,
      pool,
      config: database.config,
      migrations,
      build: () => vite.ssrLoadModule('virtual:react-router/server-build') as Promise<ServerBuild>,
      log,
      logRequest,
      isStopping: () => shutdown.requested,
    }),
  );
  shutdown.onStop(code.close);

  const answer: RequestListener = (req, res) =>
    vite.middlewares(req, res, () => {
      code.newest().then(
        ({ listener }) => listener(req, res),
        // The terminal shows it already.
        (error: Error) => {
          res.writeHead(500, { 'content-type': 'text/plain; charset=utf-8' });
          res.end(stripVTControlCharacters(error.stack ?? error.message));
        },
      );
    });
  const { admin } = await code.newest();
  server.on('request', answer);
  const port = await listen(server, env);
  shutdown.onStop(() => {
    server.close();
    server.closeAllConnections();
  });

  const url = env.PUBLIC_URL.replace(/:0$/, `:${port}`);
  if (admin) console.log(`First admin: ${admin.email} · password: ${admin.password}  (shown only now)`);
  console.log(`Florka is ready: ${url}`);
  console.log(`Sign in by one click: ${url}${SIGN_IN_PATH}`);
}

start().catch(shutdown.fail);
