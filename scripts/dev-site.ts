// The part of the development server that is reloaded: Vite loads this file and everything it imports, and
// scripts/dev.ts opens a new site whenever one of those files changes.
import type { RequestListener } from 'node:http';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Migration } from '#server/db/migrate.ts';
import { openLedger } from '#server/domains/ledger/open.ts';
import { reloadableMail, reloadablePayments } from '#server/domains/settings/reloadable-providers.ts';
import { settingsFromEnv } from '#server/domains/settings/settings.service.ts';
import type { Env } from '#server/env.ts';
import { type FirstAdmin, firstRun } from '#server/first-run.ts';
import type { AppBuild } from '#server/http/pages/renderer.ts';
import { startWorker } from '#server/jobs/worker.ts';
import type { RequestLog } from '#server/log.ts';
import { openExplorer } from '#server/providers/explorer/open.ts';
import { openMarket } from '#server/providers/market/open.ts';
import { openPayments } from '#server/providers/payments/open.ts';
import { openStorage } from '#server/providers/storage/open.ts';
import { openServices } from '#server/services.ts';
import { configuredOptions, openSite } from '#server/site.ts';
import { answerSignIn, SIGN_IN_PATH } from './dev-sign-in.ts';

export interface DevSite {
  listener: RequestListener;
  /** Set when the database had no admin yet. */
  admin: FirstAdmin | null;
  close: () => Promise<void>;
}

export async function openDevSite(options: {
  env: Env;
  pool: pg.Pool;
  config: pg.ClientConfig;
  migrations: Migration[];
  build: AppBuild;
  log: Logger;
  logRequest: RequestLog;
  isStopping: () => boolean;
}): Promise<DevSite> {
  const { env, pool, config, log } = options;
  const storage = await openStorage(env);
  const payments = openPayments(env, {
    publicUrl: env.PUBLIC_URL,
    localUrl: env.PUBLIC_URL,
    root: process.cwd(),
    warn: (about, message) => log.warn(about, message),
  });
  const services = openServices({
    pool,
    config,
    publicUrl: env.PUBLIC_URL,
    secret: env.AUTH_SECRET,
    mail: (settings) => reloadableMail(settings, env.DATA_DIR),
    storage,
    staffSecondFactor: env.ADMIN_SECOND_FACTOR,
    staffPasskey: env.ADMIN_PASSKEY,
    payments: (settings) => reloadablePayments(settings, payments, env.PUBLIC_URL),
    market: openMarket(env),
    explorer: openExplorer(env),
    ledger: openLedger(env),
    given: settingsFromEnv(process.env),
    log,
  });
  const admin = await firstRun(services, {
    demo: env.DEMO,
    adminEmail: env.ADMIN_EMAIL,
    adminPassword: env.ADMIN_PASSWORD,
    lasting: true,
    log,
  });
  await services.hub.start();
  await services.settings.load();
  await services.clock.start();
  await startWorker({ services, log });
  const site = openSite(services, {
    ...(await configuredOptions(env, storage, payments)),
    build: options.build,
    mode: 'development',
    migrations: options.migrations,
    cachePages: false,
    log,
    logRequest: options.logRequest,
    isStopping: options.isStopping,
  });
  return {
    admin,
    listener(req, res) {
      if (req.url?.split('?', 1)[0] !== SIGN_IN_PATH) return site.listener(req, res);
      answerSignIn(req, res, services, env.AUTH_SECRET).catch((error: unknown) => {
        log.error({ err: error }, 'sign-in');
        if (!res.headersSent) res.writeHead(500).end('Sign-in failed, see the terminal');
      });
    },
    async close() {
      site.close();
      await services.jobs.stop();
      services.clock.stop();
      services.settings.close();
      services.mail.close();
      storage.close();
      payments?.close();
      await services.hub.stop();
    },
  };
}
