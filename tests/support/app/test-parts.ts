import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import pg from 'pg';
import { type Logger, pino } from 'pino';
import { readMigrations } from '#server/db/migrate.ts';
import type { Replica } from '#server/db/replica.ts';
import type { SeenCheckpoint } from '#server/domains/ledger/continuity.service.ts';
import type { ImageFetcher } from '#server/domains/media/fetch-image.ts';
import type { ProofChecks } from '#server/domains/ownership/ownership.port.ts';
import type { GivenSettings } from '#server/domains/settings/settings.service.ts';
import { readTokenMetadata } from '#server/domains/token-creation/creations.service.ts';
import { readListedSlugs } from '#server/domains/tokens/listed-slugs.service.ts';
import { createApi } from '#server/http/api/api.ts';
import { API_DOCS } from '#server/http/api/api-docs.ts';
import { parseTrustedProxies } from '#server/http/client-address.ts';
import { createEmulatorPages } from '#server/http/endpoints/emulator-pages.ts';
import { createLedgerFiles, ledgerFileLimit } from '#server/http/endpoints/ledger-files.ts';
import { createPageViewsEndpoint } from '#server/http/endpoints/page-views.ts';
import { createPlainForms } from '#server/http/endpoints/plain-forms.ts';
import { createWebhooks } from '#server/http/endpoints/webhooks.ts';
import { createListener } from '#server/http/listener.ts';
import type { Renderer } from '#server/http/pages/renderer.ts';
import { loadStaticFiles } from '#server/http/pages/static-files.ts';
import { createReadiness } from '#server/http/readiness.ts';
import { drawingLimit } from '#server/http/share/card-drawing.ts';
import { openCardStore } from '#server/http/share/card-store.ts';
import { imagesOf } from '#server/http/share/share.ts';
import { MAX_PAGES } from '#server/http/share/site-lists.ts';
import { guestsMayUpload } from '#server/http/uploads/guest-uploads.ts';
import { createUploads, type MayUpload } from '#server/http/uploads/uploads.ts';
import { deriveKey } from '#server/lib/crypto/derive-key.ts';
import { pageSearchLimit } from '#server/lib/rate-limits/search-limits.ts';
import type { LiveStreams } from '#server/live/streams.ts';
import { type RequestLog, requestLog, serializers } from '#server/log.ts';
import type { MailTransport, OutgoingMail } from '#server/providers/mail/port.ts';
import type { MarketProviders } from '#server/providers/market/open.ts';
import type { PaymentProvider } from '#server/providers/payments/port.ts';
import type { PushTransport } from '#server/providers/push/port.ts';
import type { Storage } from '#server/providers/storage/port.ts';
import { openServices, type Services } from '#server/services.ts';
import type { Telemetry } from '#server/telemetry/telemetry.ts';
import type { TestDatabase } from '#tests/support/database/database.ts';
import { insertMembers, type NewMember, type Row, type Sql } from '#tests/support/database/test-records.ts';
import { type Api, type Browser, type BrowserOptions, openBrowser, type Person } from './test-browser.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
export interface TestAppOptions {
  /** Proxies in front of the server. */
  trustProxy?: number | string;
  publicUrl?: string;
  cachePages?: boolean;
  /** Storage of images; a folder of its own by default. */
  storage?: Storage;
  /** Where the ledger records what it signed; by default only in its storage. */
  ledgerSeen?: SeenCheckpoint;
  /** Responses of external addresses; the real network by default. */
  fetchImage?: ImageFetcher;
  /** Responses of DNS and of websites; the real ones by default. */
  proofs?: ProofChecks;
  /** Without a provider nobody can pay. */
  payments?: PaymentProvider;
  /** 'none': no network has a signer or delivery by hand. By default networks are delivered by hand. */
  delivery?: 'none';
  /** No prices are fetched without them. */
  market?: MarketProviders;
  voteConfirmedOnly?: boolean;
  /** Staff needs a second factor. */
  staffSecondFactor?: boolean;
  staffPasskey?: boolean;
  supportEmail?: string;
  /** Settings that the environment decides. */
  given?: GivenSettings;
  /** Transport of pushes, instead of the real services. */
  pushTransport?: PushTransport;
  /** Address of a payment emulator. */
  emulator?: () => Promise<string>;
  mayUpload?: MayUpload;
  /** True when a cache in front would be notified of removed images. */
  imagesMayStay?: () => boolean;
  /** Timeout of the body of an upload. Milliseconds. */
  bodyTimeoutMs?: number;
  /** An existing database and its secret, instead of a new one. */
  database?: TestDatabase;
  secret?: string;
  /** A replica for reads, which the test file closes itself. */
  replica?: (primary: pg.Pool) => Replica;
  /** Measures requests and queries. */
  telemetry?: Telemetry;
  /** The report on the installation; empty without it. */
  findings?: Parameters<typeof openServices>[0]['findings'];
  /** `database`: the services run by the database's clock, as in the program, and not by the test's. */
  clock?: 'database';
}

interface Site {
  options: TestAppOptions;
  publicUrl: string;
  /** Of uploads, cards and bodies on their way. */
  uploadsDir: string;
  streams: LiveStreams;
  log: Logger;
  logRequest: RequestLog;
  /** The stand-in for the documents. */
  render: Renderer;
}

type ServicesOptions = Parameters<typeof openServices>[0];
type ServicesParts = Pick<
  ServicesOptions,
  'pool' | 'replica' | 'config' | 'publicUrl' | 'secret' | 'mail' | 'storage' | 'log' | 'now'
> & {
  /** The provider calls back on this port, which is known by the time it is needed. */
  callbackUrl: () => string;
};

/** The services of one process. */
export function servicesOf(options: TestAppOptions, { callbackUrl, ...parts }: ServicesParts): Services {
  return openServices({
    ...parts,
    fetchImage: options.fetchImage,
    proofs: options.proofs,
    payments: options.payments
      ? {
          provider: options.payments,
          get callbackUrl() {
            return callbackUrl();
          },
        }
      : null,
    market: options.market ?? null,
    ...(options.ledgerSeen
      ? { ledger: { seed: deriveKey(parts.secret, 'ledger'), witness: null, seen: options.ledgerSeen } }
      : {}),
    voteConfirmedOnly: options.voteConfirmedOnly ?? false,
    supportEmail: options.supportEmail,
    given: options.given ?? {},
    pushTransport: options.pushTransport,
    staffSecondFactor: options.staffSecondFactor ?? false,
    staffPasskey: options.staffPasskey ?? false,
    findings: options.findings,
  });
}

/** Creates the listener as the server does. */
export function listenerOf(services: Services, site: Site) {
  const { options, publicUrl, uploadsDir, streams, log, render } = site;
  const migrations = readMigrations(path.join(ROOT, 'server/db/migrations'));
  const api = createApi({
    makeContext: (request, resHeaders, visitor) => services.contextOf(request.headers, resHeaders, visitor),
    publicUrl,
    log,
    version: '0',
  });
  return createListener({
    api,
    render,
    statics: loadStaticFiles([{ dir: path.join(ROOT, 'public') }], API_DOCS, publicUrl.startsWith('https:')),
    hub: services.hub,
    settings: services.settings,
    streams,
    replicaState: () => services.replica?.state ?? null,
    readiness: createReadiness({ services: services, migrations, isStopping: () => false }),
    uploads: createUploads({
      services: services,
      publicUrl,
      log,
      spoolDir: path.join(uploadsDir, 'incoming'),
      mayUpload: options.mayUpload ?? guestsMayUpload(services.guestForms),
      ...(options.imagesMayStay ? { imagesMayStay: options.imagesMayStay } : {}),
      ...(options.bodyTimeoutMs ? { bodyTimeoutMs: options.bodyTimeoutMs } : {}),
    }),
    pageViews: createPageViewsEndpoint({ views: services.pageViews, publicUrl, now: services.now }),
    ledger: createLedgerFiles({
      ledger: services.ledger,
      take: ledgerFileLimit(services),
      secure: publicUrl.startsWith('https:'),
      log,
    }),
    readImage: imagesOf(services.media),
    readMetadata: (requestId) => readTokenMetadata(services.db, requestId),
    readListedSlugs: () => readListedSlugs(services.db, MAX_PAGES),
    cards: openCardStore(path.join(uploadsDir, 'cards')),
    consumeDrawingLimit: drawingLimit(services),
    consumeSearchLimit: pageSearchLimit(services),
    forms: createPlainForms(services, (request) => api.fetch(request), publicUrl),
    webhook: createWebhooks(services.payments, log),
    emulator: options.emulator ? createEmulatorPages(options.emulator, publicUrl) : null,
    publicUrl,
    trustProxy: parseTrustedProxies(String(options.trustProxy ?? 0)) ?? { hops: 0, listed: null },
    log,
    logRequest: site.logRequest,
    cachePages: options.cachePages ?? true,
  });
}

/** The nonce of scripts in documents of the stub. */
export const PAGE_NONCE = 'nonce-of-a-test-page';

/** The stub for documents, which contain the requested address. */
export const pageStub = () => ({
  render: async (request: Request, refused?: number): Promise<Response> =>
    new Response(
      `<!doctype html><title>${new URL(request.url).pathname}</title><script nonce="${PAGE_NONCE}">document.title = 'inline';</script>`,
      {
        status: refused ? 429 : 200,
        headers: {
          'content-type': 'text/html; charset=utf-8',
          ...(refused ? { 'retry-after': String(refused) } : {}),
        },
      },
    ),
});

/** A log that stores its lines. */
export function logInto(logged: Row[]): { log: Logger; logRequest: RequestLog } {
  const write = (line: string) => void logged.push(JSON.parse(line) as Row);
  return { log: pino({ level: 'info', serializers }, { write }), logRequest: requestLog(write) };
}

/** Listens on a free port of loopback. @returns its origin, and what ends it. */
export async function listen(listener: http.RequestListener) {
  const server = http.createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () =>
    new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

/** Requests over HTTP. */
export const requestsTo = (origin: string) => ({
  http: (target: string, init?: RequestInit) => fetch(origin + target, { redirect: 'manual', ...init }),
  /** A JSON write over HTTP, as the site's own pages send it. */
  post: (target: string, body: unknown, init: RequestInit = {}) =>
    fetch(origin + target, {
      method: 'POST',
      ...init,
      headers: { 'content-type': 'application/json', ...(init.headers as Record<string, string>) },
      body: JSON.stringify(body),
    }),
});

/** Direct access to the database. */
export const connectionsTo = (config: pg.ClientConfig, sql: Sql) => ({
  /** Opens a connection for transactions that block others; the caller closes it. */
  async sqlClient(): Promise<pg.Client> {
    const client = new pg.Client(config);
    await client.connect();
    return client;
  },
  /** Number of statements on this database that wait for a lock. */
  async waiting(): Promise<number> {
    const [row] = await sql<{ n: number }>(
      `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return row?.n ?? 0;
  },
});

/** A mail transport that stores the mails. */
export const mailInto = (mails: OutgoingMail[]): MailTransport => ({
  target: 'test',
  kind: 'smtp',
  send: async (sent) => void mails.push(sent),
  close: () => {},
});

/** Members and their browsers. */
export function peopleOf(services: Services, sql: Sql, { secret, now }: { secret: string; now: () => Date }) {
  const browser = (from: BrowserOptions = {}): Browser => openBrowser(services, from);
  const members = (count: number, over: NewMember = {}) => insertMembers(sql, { secret, now: now() }, count, over);
  return {
    browser,
    members,
    /** The API as this person; a visitor without one. */
    as: (person?: Person | null, from: { address?: string; at?: Services } = {}): Api =>
      browser({ ...from, ...(person ? { person } : {}) }).api,
    async member(over: NewMember = {}): Promise<Person> {
      const [person] = await members(1, over);
      return person as Person;
    },
  };
}
