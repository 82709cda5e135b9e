import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import { createRouterClient, type RouterClient } from '@orpc/server';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll } from 'vitest';
import type { Role } from '#contract/auth.ts';
import type { LiveDomain, LiveEvent } from '#contract/live.ts';
import { openPool } from '#server/db/client.ts';
import { readMigrations } from '#server/db/migrate.ts';
import type { PoolConfig } from '#server/db/pool.ts';
import { COOKIE_PREFIX } from '#server/domains/auth/session-reader.ts';
import type { ImageFetcher } from '#server/domains/media/fetch-image.ts';
import { readTokenMetadata } from '#server/domains/token-creation/creations.service.ts';
import { type House, openHouse } from '#server/house.ts';
import { createApi } from '#server/http/api.ts';
import { API_DOCS } from '#server/http/api-docs.ts';
import { parseTrustedProxies } from '#server/http/client-address.ts';
import { guestsMayUpload } from '#server/http/guest-uploads.ts';
import { createListener } from '#server/http/listener.ts';
import { createReadiness } from '#server/http/readiness.ts';
import { createSandboxProxy } from '#server/http/sandbox.ts';
import { openCardStore } from '#server/http/share/card-store.ts';
import { drawingLimit } from '#server/http/share/drawing.ts';
import { imagesOf } from '#server/http/share/share.ts';
import { loadStaticFiles } from '#server/http/static-files.ts';
import { answerUnsubscribe } from '#server/http/unsubscribe.ts';
import { createUploads, type MayUpload } from '#server/http/uploads.ts';
import { createWebhooks } from '#server/http/webhooks.ts';
import { pageSearchLimit } from '#server/lib/search-limits.ts';
import { publishChange } from '#server/live/publish.ts';
import { createLiveStreams } from '#server/live/streams.ts';
import { serializers } from '#server/log.ts';
import { deliverMail } from '#server/mail/mail.ts';
import type { MailTransport, OutgoingMail } from '#server/providers/mail/port.ts';
import type { MarketProviders } from '#server/providers/market/open.ts';
import type { PaymentProvider } from '#server/providers/payments/port.ts';
import { localStorage } from '#server/providers/storage/local.ts';
import type { Storage } from '#server/providers/storage/port.ts';
import { router } from '#server/router.ts';
import type { Telemetry } from '#server/telemetry/telemetry.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts';

export type Api = RouterClient<typeof router>;

/** A member as the tests know them: the account row and a browser's cookie of a real session. */
export interface Person {
  id: string;
  email: string;
  username: string;
  sessionToken: string;
  cookie: string;
}

/** A browser: keeps the cookies that the API sets. */
export interface Browser {
  api: Api;
  cookie: string;
  /** `set-cookie` lines of the last answer. */
  received: string[];
}

type Row = Record<string, unknown>;
type Options = {
  /** Proxies in front of the server. */
  trustProxy?: number | string;
  publicUrl?: string;
  cachePages?: boolean;
  /** A folder of its own, without one. */
  storage?: Storage;
  /** What lies at addresses elsewhere; without it the real web is asked. */
  fetchImage?: ImageFetcher;
  /** Nobody can pay without one. */
  payments?: PaymentProvider;
  /** 'none': nothing is set up that could deliver a token. Otherwise networks are delivered by hand. */
  delivery?: 'none';
  /** Nobody is asked about prices without them. */
  market?: MarketProviders;
  voteConfirmedOnly?: boolean;
  /** Staff needs a second factor. */
  staffSecondFactor?: boolean;
  supportEmail?: string;
  /** Where a payment simulation listens. */
  sandbox?: () => Promise<string>;
  mayUpload?: MayUpload;
  /** Longest time for the body of an upload. Milliseconds. */
  bodyPatience?: number;
  /** One that is there already, with the secret that belongs to it, instead of a fresh one. */
  database?: TestDatabase;
  secret?: string;
  /** Measures requests and questions to the database. */
  telemetry?: Telemetry;
};

export type TestApp = Awaited<ReturnType<typeof startTestApp>>;

const ROOT = path.resolve(import.meta.dirname, '../..');
/** Set by the test, the start of every test file's time. */
const FIRST_MOMENT = '2026-03-10T12:00:00.000Z';

/** Better Auth's signed cookie; auth.test.ts compares it with one of a real sign-in. */
export function signSession(token: string, secret: string, name = `${COOKIE_PREFIX}.session_token`): string {
  const signature = createHmac('sha256', secret).update(token).digest('base64');
  return `${name}=${encodeURIComponent(`${token}.${signature}`)}`;
}

let serial = 0;
const unique = () => `${(++serial).toString(36)}${randomBytes(3).toString('hex')}`;

/**
 * The server as it runs, on a database of its own: services, API, listener on a free port. Only the documents are a
 * stand-in, which says what was asked for; the browser tests cover the real ones. Cleaned up after the file's tests.
 */
export async function startTestApp(options: Options = {}) {
  const database = options.database ?? (await createTestDatabase());
  options.telemetry?.watchPool(database.pool);
  const secret = options.secret ?? randomBytes(32).toString('hex');
  const publicUrl = options.publicUrl ?? 'http://florka.test';
  const logged: Row[] = [];
  const log = pino(
    { level: 'info', serializers },
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        logged.push(JSON.parse(chunk.toString()) as Row);
        done();
      },
    }),
  );
  let now = new Date(FIRST_MOMENT);
  /** Mails that were delivered; nothing delivers unless a test says so (see deliverMails). */
  const mails: OutgoingMail[] = [];
  const mail: MailTransport = {
    target: 'test',
    send: async (sent) => void mails.push(sent),
    close: () => {},
  };
  const closers: (() => unknown)[] = [() => database.drop()];
  const uploadsDir = mkdtempSync(path.join(os.tmpdir(), 'florka-uploads-'));
  closers.push(() => rmSync(uploadsDir, { recursive: true, force: true }));
  const storage = options.storage ?? localStorage(uploadsDir);

  const open = (pool: pg.Pool) =>
    openHouse({
      pool,
      config: database.config,
      publicUrl,
      secret,
      mail,
      storage,
      fetchImage: options.fetchImage,
      // The provider reaches us by the port, which is known by the time it is needed.
      payments: options.payments
        ? {
            provider: options.payments,
            get callbackUrl() {
              return `${origin}/webhooks/nowpayments`;
            },
          }
        : null,
      market: options.market ?? null,
      voteConfirmedOnly: options.voteConfirmedOnly ?? false,
      supportEmail: options.supportEmail,
      log,
      staffSecondFactor: options.staffSecondFactor ?? false,
      now: () => new Date(now),
    });
  const house = open(database.pool);
  await house.hub.start();
  closers.push(() => house.hub.stop());
  closers.push(() => house.jobs.stop());

  // Orders come in whatever a signer says, which most tests leave out.
  if (options.payments && options.delivery !== 'none')
    await database.pool.query('update blockchain_networks set manual_days = 7');

  const migrations = readMigrations(path.join(ROOT, 'server/db/migrations'));
  const rendered: string[] = [];
  const page = {
    render: async (request: Request, refused?: number): Promise<Response> =>
      new Response(
        `<!doctype html><title>${new URL(request.url).pathname}</title><script>document.title = 'inline';</script>`,
        {
          status: refused ? 429 : 200,
          headers: {
            'content-type': 'text/html; charset=utf-8',
            ...(refused ? { 'retry-after': String(refused) } : {}),
          },
        },
      ),
  };
  const streams = createLiveStreams(house);
  closers.push(() => streams.close());
  const { listener, cache } = createListener({
    api: createApi({
      makeContext: (request, resHeaders) => house.contextOf(request.headers, resHeaders),
      publicUrl,
      log,
      version: '0',
    }),
    render: (request, refused) => {
      const url = new URL(request.url);
      rendered.push(url.pathname + url.search);
      return page.render(request, refused);
    },
    statics: loadStaticFiles([{ dir: path.join(ROOT, 'public') }], API_DOCS, publicUrl.startsWith('https:')),
    hub: house.hub,
    streams,
    readiness: createReadiness({ services: house, migrations, isStopping: () => false }),
    uploads: createUploads({
      services: house,
      publicUrl,
      log,
      spoolDir: path.join(uploadsDir, 'incoming'),
      mayUpload: options.mayUpload ?? guestsMayUpload(house.guestForms),
      ...(options.bodyPatience ? { bodyPatience: options.bodyPatience } : {}),
    }),
    readImage: imagesOf(house.media),
    readMetadata: (requestId) => readTokenMetadata(house.db, requestId),
    cards: openCardStore(path.join(uploadsDir, 'cards')),
    takeDrawing: drawingLimit(house),
    takeSearch: pageSearchLimit(house),
    unsubscribe: (req, res, query) => answerUnsubscribe(house, req, res, query),
    webhook: createWebhooks(house.payments, log),
    sandbox: options.sandbox ? createSandboxProxy(options.sandbox, publicUrl) : null,
    publicUrl,
    trustProxy: parseTrustedProxies(String(options.trustProxy ?? 0)) ?? { hops: 0, listed: null },
    log,
    cachePages: options.cachePages ?? true,
  });
  options.telemetry?.measure({
    pool: database.pool,
    config: database.config,
    streams,
    pages: cache,
    dataDir: uploadsDir,
  });
  const server = http.createServer(
    options.telemetry?.observe(listener, { home: { index: true }, token: { path: 'token/:slug' } }) ?? listener,
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(
    () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  );
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;

  afterAll(async () => {
    for (const close of closers.toReversed()) await close();
  });

  async function sql<T extends Row = Row>(text: string, values: unknown[] = []): Promise<T[]> {
    return (await database.pool.query<T>(text, values)).rows;
  }

  async function insert(table: string, row: Row): Promise<{ id: string } & Row> {
    const columns = Object.keys(row);
    const places = columns.map((_, i) => `$${i + 1}`);
    const [made] = await sql<{ id: string } & Row>(
      `insert into ${table} (${columns}) values (${places}) returning *`,
      Object.values(row),
    );
    if (!made) throw new Error(`nothing inserted into ${table}`);
    return made;
  }

  /** A browser at an address, signed in as `person` or not at all; `at` another process when given. */
  function browser(
    from: { person?: Person; cookie?: string; address?: string; headers?: Record<string, string>; at?: House } = {},
  ): Browser {
    let answer = new Headers();
    const jar = new Map<string, string>();
    const keep = (pair: string) => {
      const mark = pair.indexOf('=');
      if (mark > 0) jar.set(pair.slice(0, mark), pair.slice(mark + 1));
    };
    for (const pair of (from.cookie ?? from.person?.cookie ?? '').split('; ')) keep(pair);
    const settle = () => {
      for (const line of answer.getSetCookie()) {
        const [pair = ''] = line.split('; ');
        if (/max-age=0/i.test(line)) jar.delete(pair.split('=')[0] ?? '');
        else keep(pair);
      }
    };
    const cookie = () => {
      settle();
      return [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    };
    const api = createRouterClient(router, {
      context: () => {
        const headers = new Headers({
          'x-client-address': from.address ?? '203.0.113.1',
          'x-request-id': randomUUID(),
          ...from.headers,
        });
        const cookies = cookie();
        if (cookies) headers.set('cookie', cookies);
        answer = new Headers();
        return (from.at ?? house).contextOf(headers, answer);
      },
    });
    return {
      api,
      get cookie() {
        return cookie();
      },
      get received() {
        return answer.getSetCookie();
      },
    };
  }

  /** Accounts with a profile (the trigger's work) and a session each, in two statements. */
  async function members(count: number, over: { role?: Role; email?: string; verified?: boolean } = {}) {
    const made = Array.from({ length: count }, () => {
      const name = `m${unique()}`;
      const sessionToken = randomBytes(24).toString('base64url');
      return {
        id: randomUUID() as string,
        email: over.email ?? `${name}@florka.test`,
        username: name,
        sessionToken,
        cookie: signSession(sessionToken, secret),
      } satisfies Person;
    });
    const column = (key: keyof Person) => made.map((person) => person[key]);
    await sql(
      `insert into users (id, name, email, username, email_verified)
       select id, name, email, name, $4 from unnest($1::uuid[], $2::text[], $3::text[]) as t (id, name, email)`,
      [column('id'), column('username'), column('email'), over.verified ?? false],
    );
    await sql(
      `insert into sessions (user_id, token, expires_at, updated_at)
       select id, token, now() + interval '7 days', $3 from unnest($1::uuid[], $2::text[]) as t (id, token)`,
      [column('id'), column('sessionToken'), now],
    );
    if (over.role && over.role !== 'user')
      await sql('update user_roles set role = $2 where user_id = any($1)', [column('id'), over.role]);
    if (over.role === 'admin') await sql('insert into admin_profiles (id) select unnest($1::uuid[])', [column('id')]);
    return made;
  }

  /** A network as a signer describes it: ready, and without real money, unless said otherwise. */
  async function lane(network: string, over: Row = {}): Promise<void> {
    const row: Row = {
      network,
      state: 'ready',
      chain_id: '31337',
      production: false,
      deployer: `deployer-${network}`,
      balance: '1',
      coin: 'ETH',
      cost: '0.001',
      enough_for: 1_000,
      daily_cap: 1_000,
      used_today: 0,
      used_on: new Date(),
      started_at: new Date(),
      seen_at: new Date(),
      ...over,
    };
    await sql('delete from chain_lanes where network = $1', [network]);
    await insert('chain_lanes', row);
  }

  return {
    house,
    lane,
    mails,
    /** Where its uploads lie, unless the test brought a storage of its own. */
    uploadsDir,
    storage,
    /** Does the mail job's work for everything queued so far; answers with all mails delivered in this file. */
    async deliverMails(): Promise<OutgoingMail[]> {
      for (const { id } of await sql<{ id: string }>(
        "select id from mails where status = 'queued' order by created_at",
      ))
        await deliverMail(house.db, mail, id, { publicUrl, now, last: false });
      return mails;
    },
    secret,
    origin,
    cache,
    streams,
    /** Every line the server logged. */
    logged,
    /** Documents asked of the renderer. */
    rendered,
    /** The stand-in for the documents; a test may put its own there. */
    page,
    config: database.config,
    sql,
    browser,
    members,
    setNow(iso: string) {
      now = new Date(iso);
    },
    /** Moves the clock on. */
    pass(ms: number) {
      now = new Date(now.getTime() + ms);
    },
    get now() {
      return new Date(now);
    },
    /** The API as this person; a visitor without one. */
    as: (person?: Person | null, from: { address?: string; at?: House } = {}): Api =>
      browser({ ...from, ...(person ? { person } : {}) }).api,
    async member(over: { role?: Role; email?: string; verified?: boolean } = {}): Promise<Person> {
      const [person] = await members(1, over);
      return person as Person;
    },
    candidate: (over: Row = {}) => {
      const key = unique();
      return insert('voting_candidates', {
        token_name: `Candidate ${key}`,
        token_symbol: 'CAND',
        token_slug: `candidate-${key}`,
        ...over,
      });
    },
    project: (over: Row = {}) => {
      const key = unique();
      return insert('projects', {
        token_name: `Project ${key}`,
        token_symbol: 'PROJ',
        token_slug: `project-${key}`,
        token_address: `address-of-${key}`,
        status: 'approved',
        ...over,
      });
    },
    nextProject: (over: Row = {}) =>
      insert('next_projects', { token_name: `Next ${unique()}`, token_symbol: 'NEXT', ...over }),
    http: (target: string, init?: RequestInit) => fetch(origin + target, { redirect: 'manual', ...init }),
    /** A JSON write over HTTP, as the site's own pages send it. */
    post: (target: string, body: unknown, init: RequestInit = {}) =>
      fetch(origin + target, {
        method: 'POST',
        ...init,
        headers: { 'content-type': 'application/json', ...(init.headers as Record<string, string>) },
        body: JSON.stringify(body),
      }),
    /** A connection of its own, for transactions that others have to wait for; the caller ends it. */
    async sqlClient(): Promise<pg.Client> {
      const client = new pg.Client(database.config);
      await client.connect();
      return client;
    },
    /** How many statements on this database wait for somebody's lock. */
    async waiting(): Promise<number> {
      const [row] = await sql<{ n: number }>(
        `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return row?.n ?? 0;
    },
    /** A second process on the same database: a house with a pool and a live connection of its own. */
    async secondProcess(over: PoolConfig = {}): Promise<House> {
      const pool = openPool({ ...database.config, max: 5, ...over });
      const other = open(pool);
      await other.hub.start();
      closers.push(
        () => pool.end(),
        () => other.hub.stop(),
      );
      return other;
    },
  };
}

/** What a hub tells its listeners, and a wait for the first that fits. */
export function listenTo(house: House) {
  const heard: LiveEvent[] = [];
  let wake = () => {};
  house.hub.onEvent((event) => {
    heard.push(event);
    wake();
  });
  return {
    heard,
    /** Waits until all that was said before has arrived, and forgets it. */
    async forget(): Promise<void> {
      await house.db.transaction((tx) => publishChange(tx, 'networks'));
      await this.changed('networks');
      heard.length = 0;
    },
    /** How often a domain was said to have changed. */
    changes: (domain: LiveDomain): number => heard.filter(changeOf(domain)).length,
    /** Waits until it is said. */
    async changed(domain: LiveDomain): Promise<void> {
      await this.until(changeOf(domain));
    },
    async until(fits: (event: LiveEvent) => boolean, ms = 30_000): Promise<LiveEvent> {
      const end = Date.now() + ms;
      for (;;) {
        const found = heard.find(fits);
        if (found) return found;
        const left = end - Date.now();
        if (left <= 0) throw new Error(`not heard within ${ms} ms: ${JSON.stringify(heard)}`);
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
