import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type pg from 'pg';
import { afterAll } from 'vitest';
import type { LiveDomain, LiveEvent } from '#contract/live.ts';
import { type Db, openDb, openPool } from '#server/db/client.ts';
import type { PoolConfig } from '#server/db/pool.ts';
import type { Replica } from '#server/db/replica.ts';
import { deliverNotifications } from '#server/domains/notifications/deliver.service.ts';
import type { Renderer } from '#server/http/pages/renderer.ts';
import { publishChange } from '#server/live/publish.ts';
import { createLiveStreams } from '#server/live/streams.ts';
import { deliverMail } from '#server/mail/mail.ts';
import type { OutgoingMail } from '#server/providers/mail/port.ts';
import { localStorage } from '#server/providers/storage/local.ts';
import type { Services } from '#server/services.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import { insertSignerWorker, type Row, recordFactories } from '#tests/support/database/test-records.ts';
import {
  connectionsTo,
  listen,
  listenerOf,
  logInto,
  mailInto,
  PAGE_NONCE,
  pageStub,
  peopleOf,
  requestsTo,
  servicesOf,
  type TestAppOptions,
} from './test-parts.ts';

export { signSession } from '#tests/support/database/test-records.ts';
export type { Api, Browser, Person } from './test-browser.ts';

export type TestApp = Awaited<ReturnType<typeof startTestApp>>;

/** Start of the clock of every test file; tests set their own time. */
const FIRST_MOMENT = '2026-03-10T12:00:00.000Z';

/** Name and address of the site in mails. */
const siteOf = ({ settings, supportEmail }: Services) => ({ site: settings.site(), supportEmail: supportEmail() });

/**
 * Starts the server on a database of its own: services, API, listener on a free port. Only documents come from a stub,
 * which returns the requested address; the browser tests cover the real ones. Cleaned up after the file's tests.
 */
export async function startTestApp(options: TestAppOptions = {}) {
  const database = options.database ?? (await createTestDatabase());
  const secret = options.secret ?? randomBytes(32).toString('hex');
  const publicUrl = options.publicUrl ?? 'http://florka.test';
  const logged: Row[] = [];
  const lines = logInto(logged);
  const { log } = lines;
  let now = new Date(FIRST_MOMENT);
  /** Mails that were delivered; nothing is delivered unless a test does it (see deliverMails). */
  const mails: OutgoingMail[] = [];
  const mail = mailInto(mails);
  const closers: (() => unknown)[] = [() => database.drop()];
  const uploadsDir = mkdtempSync(path.join(os.tmpdir(), 'florka-uploads-'));
  closers.push(() => rmSync(uploadsDir, { recursive: true, force: true }));
  const storage = options.storage ?? localStorage(uploadsDir);

  const open = (pool: pg.Pool, replica: Replica | null = null) =>
    servicesOf(options, {
      pool,
      replica,
      config: database.app,
      publicUrl,
      secret,
      mail,
      storage,
      log,
      ...(options.clock === 'database' ? {} : { now: () => new Date(now) }),
      callbackUrl: () => `${origin}/webhooks/nowpayments`,
    });
  // Preparations of tests have no time limit: on a busy machine ten thousand rows take longer than a request may.
  const ownerPool = openPool({ ...database.config, max: 5, work: 'maintenance' });
  closers.push(() => ownerPool.end());
  const pool = openPool({ ...database.app, max: 5 });
  closers.push(() => pool.end());
  options.telemetry?.watchPool(pool);
  const replica = options.replica?.(pool) ?? null;
  const services = open(pool, replica);
  await startServices(services, options, closers);

  // Networks with delivery by hand accept orders without a signer, which most tests do not have.
  if (options.payments && options.delivery !== 'none')
    await ownerPool.query('update blockchain_networks set manual_days = 7');

  const rendered: string[] = [];
  const page = pageStub();
  const render: Renderer = async (request, refused) => {
    const url = new URL(request.url);
    rendered.push(url.pathname + url.search);
    return { response: await page.render(request, refused), nonce: PAGE_NONCE };
  };
  const streams = createLiveStreams(services);
  closers.push(() => streams.close());
  const { listener, cache } = listenerOf(services, { options, publicUrl, uploadsDir, streams, render, ...lines });
  const { config } = database;
  options.telemetry?.measure({ pool, config: database.app, streams, pages: cache, replica, dataDir: uploadsDir });
  const { origin, close } = await listen(
    options.telemetry?.observe(listener, { home: { index: true }, token: { path: 'token/:slug' } }) ?? listener,
  );
  closers.push(close);

  afterAll(async () => {
    for (const close of closers.toReversed()) await close();
  });

  async function sql<T extends Row = Row>(text: string, values: unknown[] = []): Promise<T[]> {
    return (await ownerPool.query<T>(text, values)).rows;
  }

  return {
    services,
    worker: (network: string, over: Row = {}): Promise<void> => insertSignerWorker(sql, network, over),
    mails,
    /** Folder of its uploads, unless the test has a storage of its own. */
    uploadsDir,
    storage,
    /** Runs the job for notifications: queues due mails and sends pushes. */
    deliverNotifications: () => deliverNotifications({ ...services, secret, now: () => new Date(now) }),
    /** Runs the jobs for all mails that are due. @returns all mails delivered in this file. */
    async deliverMails(): Promise<OutgoingMail[]> {
      await deliverNotifications({ ...services, secret, now: () => new Date(now) });
      for (const { id } of await sql<{ id: string }>(
        "select id from mails where status = 'queued' order by created_at",
      ))
        await deliverMail(services.db, mail, id, { publicUrl, secret, ...siteOf(services), now, last: false });
      return mails;
    },
    secret,
    origin,
    cache,
    streams,
    /** Every line the server logged. */
    logged,
    /** Documents requested from the renderer. */
    rendered,
    /** The stub for documents; a test may replace it. */
    page,
    config,
    ...signerOf(database, closers),
    sql,
    ...peopleOf(services, sql, { secret, now: () => now }),
    setNow(iso: string) {
      now = new Date(iso);
    },
    /** Advances the clock. */
    pass(ms: number) {
      now = new Date(now.getTime() + ms);
    },
    get now() {
      return new Date(now);
    },
    ...recordFactories(sql),
    ...requestsTo(origin),
    ...connectionsTo(config, sql),
    ...processesOf(database, open, closers),
  };
}

type Closers = (() => unknown)[];

async function startServices(services: Services, { clock }: TestAppOptions, closers: Closers): Promise<void> {
  await services.hub.start();
  await services.settings.load();
  if (clock === 'database') await services.clock.start();
  closers.push(() => services.clock.stop());
  closers.push(() => services.settings.close());
  closers.push(() => services.hub.stop());
  closers.push(() => services.jobs.stop());
}

/** The signer's connections, by its own role. */
const signerOf = (database: TestDatabase, closers: Closers) => ({
  signerConfig: database.signer,
  /** Closed after the file's tests. */
  signerDb(): Db {
    const own = openPool({ ...database.signer, max: 4 });
    closers.push(() => own.end());
    return openDb(own);
  },
});

const processesOf = (database: TestDatabase, open: (pool: pg.Pool) => Services, closers: Closers) => ({
  /** A second process on the same database: services with a pool and a live connection of its own. */
  async secondProcess(over: PoolConfig = {}): Promise<Services> {
    const own = openPool({ ...database.app, max: 5, ...over });
    const other = open(own);
    await other.hub.start();
    await other.settings.load();
    closers.push(
      () => own.end(),
      () => other.hub.stop(),
      () => other.settings.close(),
    );
    return other;
  },
});

/** Events of a hub, and a wait for the first that matches. */
export function listenTo(services: Services) {
  const liveEvents: LiveEvent[] = [];
  let wake = () => {};
  services.hub.onEvent((event) => {
    liveEvents.push(event);
    wake();
  });
  return {
    liveEvents,
    /** Waits until all earlier events have arrived, and discards them. */
    async forget(): Promise<void> {
      await services.db.transaction((tx) => publishChange(tx, 'networks'));
      await this.changed('networks');
      liveEvents.length = 0;
    },
    /** Number of change events of a domain. */
    changes: (domain: LiveDomain): number => liveEvents.filter(changeOf(domain)).length,
    /** Waits for a change event of a domain. */
    async changed(domain: LiveDomain): Promise<void> {
      await this.until(changeOf(domain));
    },
    async until(fits: (event: LiveEvent) => boolean, ms = 30_000): Promise<LiveEvent> {
      const end = Date.now() + ms;
      for (;;) {
        const found = liveEvents.find(fits);
        if (found) return found;
        const left = end - Date.now();
        if (left <= 0) throw new Error(`not received within ${ms} ms: ${JSON.stringify(liveEvents)}`);
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, left);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
    },
  };
}

const changeOf = (domain: LiveDomain) => (event: LiveEvent) =>
  event.type === 'domain.changed' && event.domain === domain;
