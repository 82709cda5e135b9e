import type pg from 'pg';
import type { Logger } from 'pino';
import type { Finding } from '#contract/admin/settings.ts';
import { type Db, openDb } from '#server/db/client.ts';
import { isLedgerUnproven, type Paused, readPause } from '#server/db/installation.ts';
import type { Place } from '#server/db/pool.ts';
import type { Replica } from '#server/db/replica.ts';
import type { PageViews } from '#server/domains/admin/reports/page-views.port.ts';
import { createPageViews } from '#server/domains/admin/reports/page-views.service.ts';
import type { BetterAuth } from '#server/domains/auth/auth.port.ts';
import { createBetterAuth } from '#server/domains/auth/better-auth.ts';
import { passkeySite } from '#server/domains/auth/passkey-site.service.ts';
import { createSessionReader, type SessionReader } from '#server/domains/auth/sessions/session-reader.ts';
import { createSessionUse, type SessionUse } from '#server/domains/auth/sessions/session-use.service.ts';
import { createOrEndDeliverables } from '#server/domains/deliverables/deliverables.service.ts';
import { refuseOffSale } from '#server/domains/deliverables/terms.service.ts';
import type { LedgerService } from '#server/domains/ledger/ledger.port.ts';
import { createLedgerService } from '#server/domains/ledger/ledger.service.ts';
import type { LedgerSettings } from '#server/domains/ledger/open.ts';
import { createMarketService, type MarketService } from '#server/domains/market/refresh.service.ts';
import type { ImageFetcher } from '#server/domains/media/fetch-image.ts';
import { createMediaService } from '#server/domains/media/media.service.ts';
import type { PushService } from '#server/domains/notifications/push.port.ts';
import { createPushService } from '#server/domains/notifications/push.service.ts';
import { stopMails } from '#server/domains/notifications/settings.service.ts';
import type { TelegramService } from '#server/domains/notifications/telegram/telegram.port.ts';
import type { ProofChecks } from '#server/domains/ownership/ownership.port.ts';
import { createProofChecks } from '#server/domains/ownership/proof-checks.service.ts';
import { pausablePayments } from '#server/domains/payments/pausable-payments.service.ts';
import type { PaymentService } from '#server/domains/payments/payments.port.ts';
import { createPaymentService } from '#server/domains/payments/payments.service.ts';
import type { PresenceService } from '#server/domains/presence/presence.port.ts';
import { createPresenceService } from '#server/domains/presence/presence.service.ts';
import { withdrawReturned } from '#server/domains/refunds/returned.service.ts';
import { unsubscribe } from '#server/domains/saved/notices.service.ts';
import { reloadableTelegram } from '#server/domains/settings/reloadable-providers.ts';
import type { Settings } from '#server/domains/settings/settings.port.ts';
import { createSettings, type GivenSettings } from '#server/domains/settings/settings.service.ts';
import { createSettlement, type Settlement } from '#server/domains/settlement/settlement.service.ts';
import { openClaim } from '#server/domains/submissions/submissions.service.ts';
import { checkForm, draftOfUpload } from '#server/domains/token-requests/drafts.service.ts';
import { createVoteReview, type VoteReview } from '#server/domains/vote-review/review.service.ts';
import { createVoteService } from '#server/domains/voting/votes.service.ts';
import type { VoteService } from '#server/domains/voting/voting.port.ts';
import type { HttpServices } from '#server/http/context.ts';
import { JobQueue } from '#server/jobs/queue.ts';
import { createDatabaseClock, type DatabaseClock } from '#server/lib/clock/database-clock.ts';
import { createLoadThrottle, type LoadThrottle } from '#server/lib/concurrency/load-throttle.ts';
import { deriveKey } from '#server/lib/crypto/derive-key.ts';
import { hashAddress, networkHasher } from '#server/lib/network/address.ts';
import { LiveHub } from '#server/live/hub.ts';
import type { SourceExplorer } from '#server/providers/explorer/port.ts';
import type { MailTransport } from '#server/providers/mail/port.ts';
import type { MarketProviders } from '#server/providers/market/open.ts';
import type { PaymentProvider } from '#server/providers/payments/port.ts';
import type { PushTransport } from '#server/providers/push/port.ts';
import { pushServices } from '#server/providers/push/services.ts';
import type { Storage } from '#server/providers/storage/port.ts';

/** Services with the lifetime of the process; requests access them through their Context. */
export interface Services extends HttpServices {
  auth: BetterAuth;
  votes: VoteService;
  presence: PresenceService;
  settings: Settings;
  voteReview: VoteReview;
  /** Must be started; `now` is its time, except in tests with a clock of their own. */
  clock: DatabaseClock;
  readSession: SessionReader;
  sessionUse: SessionUse;
  jobs: JobQueue;
  mail: MailTransport;
  payments: PaymentService;
  settlement: Settlement;
  push: PushService;
  telegram: TelegramService;
  proofs: ProofChecks;
  pageViews: PageViews;
  market: MarketService;
  /** Publishes the source of contracts; null if disabled. */
  explorer: SourceExplorer | null;
  /** Reads why this installation has no effects on the outside, or null if it is not paused. */
  paused: () => Promise<Paused | null>;
  publicUrl: string;
  /** The mailbox that the team reads; null when there is none. */
  supportEmail: () => string | null;
  secret: string;
}

const ledgerOf = (
  { pool, config, storage, secret, ledger, publicUrl, log }: Options,
  db: Db,
  now: () => Date,
  throttle: LoadThrottle,
): LedgerService =>
  createLedgerService({
    db,
    throttle,
    config,
    storage,
    seed: ledger?.seed ?? deriveKey(secret, 'ledger'),
    witness: ledger?.witness ?? null,
    mayNotSign: async () =>
      (await readPause(pool)) ? 'paused' : (await isLedgerUnproven(pool)) ? 'unknown-past' : null,
    seen: ledger?.seen ?? null,
    anchorFile: ledger?.anchorFile ?? null,
    publicUrl,
    now,
    log,
  });
/** The operator's contact for push services, which accept https and mailto addresses only. */
const contactOf = (supportEmail: string | null, publicUrl: string): string =>
  supportEmail ? `mailto:${supportEmail}` : publicUrl.startsWith('https:') ? publicUrl : 'mailto:webmaster@localhost';

/** Both may change while the site runs. */
interface PaymentSetup {
  readonly provider: PaymentProvider | null;
  readonly callbackUrl: string;
}

/** Configuration of the services; most of it comes from the environment. */
interface Options {
  pool: pg.Pool;
  /** For separate connections, such as LISTEN. */
  config: Place;
  /** A replica for reads; closed by its owner. */
  replica?: Replica | null;
  publicUrl: string;
  secret: string;
  /** The transport, or a function that derives it from the settings. */
  mail: MailTransport | ((settings: Settings) => MailTransport);
  storage: Storage;
  /** Replacement for the download of images, for tests. */
  fetchImage?: ImageFetcher | undefined;
  /** Null: payments are disabled. */
  payments?: PaymentSetup | null | ((settings: Settings) => PaymentSetup);
  /** Settings fixed by the environment. */
  given?: GivenSettings;
  /** The findings of `florka doctor`, for the back office. */
  findings?: (services: { pool: pg.Pool; settings: Settings }) => Promise<Finding[]>;
  /** Null: the source of contracts is not published. */
  explorer?: SourceExplorer | null;
  /** Null: no market data is fetched. */
  market?: MarketProviders | null;
  /**
   * Key of the public ledger (32 bytes), its witness, and the last signed state; by default a key derived from the
   * secret.
   */
  ledger?: (Pick<LedgerSettings, 'seed' | 'witness'> & Partial<LedgerSettings>) | undefined;
  /** Replacement for the push services, for tests. */
  pushTransport?: PushTransport | undefined;
  /** Replacement for DNS and websites, for tests. */
  proofs?: ProofChecks | undefined;
  supportEmail?: string | undefined;
  /** Only members with a confirmed e-mail may vote. */
  voteConfirmedOnly?: boolean;
  /** Staff needs a second factor. */
  staffSecondFactor?: boolean;
  /** With two admins it has to be a passkey. */
  staffPasskey?: boolean;
  log: Logger;
  /** The clock of tests, for this process and in place of the database's clock. */
  now?: () => Date;
}

type Parts = Omit<Services, 'contextOf'>;
type Configured = ReturnType<typeof configuredBy>;

/** Creates the settings, and the parts that follow their changes. */
function configuredBy(options: Options, db: Db, hub: LiveHub) {
  const settings = createSettings({
    db,
    hub,
    secret: options.secret,
    given: options.given ?? {},
    onError: (error) => options.log.warn({ err: error }, 'settings not read'),
  });
  const configuredPayments =
    typeof options.payments === 'function' ? options.payments(settings) : (options.payments ?? null);
  return {
    settings,
    telegram: reloadableTelegram(settings),
    mail: typeof options.mail === 'function' ? options.mail(settings) : options.mail,
    configuredPayments,
    providerNow: () => configuredPayments?.provider ?? null,
    // Default: where mails are sent, members can confirm their e-mail.
    voteConfirmedOnly: () =>
      settings.get('voteConfirmedOnly') ?? options.voteConfirmedOnly ?? settings.get('smtpUrl') !== null,
    supportEmail: () => settings.get('supportEmail') ?? options.supportEmail ?? null,
  };
}

/** Creates the context of each request. */
const createContextFactory =
  (
    options: Options,
    parts: Parts,
    configured: Configured,
    hashNetworks = networkHasher(options.secret),
  ): Services['contextOf'] =>
  (headers, resHeaders = new Headers(), visitor) => {
    const { replica, auth, votes, jobs, ledger, media, payments, push, telegram, proofs, market, paused, settings } =
      parts;
    const { mail, secret, now, fixedNow, presence, readSession, sessionUse } = parts;
    const { configuredPayments, providerNow, voteConfirmedOnly, supportEmail } = configured;
    const address = headers.get('x-client-address') ?? '';
    let viewer: ReturnType<SessionReader> | undefined;
    const reads = replica?.reader(parts.db) ?? parts.db;
    // No getters: with a single one, copies of this object, which the layers of the API make, are several times slower.
    return {
      db: visitor ? reads : parts.db,
      reads,
      auth,
      votes,
      presence,
      jobs,
      ledger,
      media,
      payments,
      push,
      telegram,
      proofs,
      paused,
      marketEnabled: market.enabled,
      staffSecondFactor: options.staffSecondFactor ?? false,
      settings,
      mail,
      paymentProvider: { provider: providerNow(), callbackUrl: configuredPayments?.callbackUrl ?? '' },
      findings: async () => (await options.findings?.({ pool: parts.pool, settings })) ?? [],
      voteConfirmedOnly: voteConfirmedOnly(),
      staffPasskey:
        (options.staffSecondFactor && options.staffPasskey && passkeySite(options.publicUrl) !== null) ?? false,
      secret,
      publicUrl: options.publicUrl,
      supportEmail: supportEmail(),
      now,
      fixedNow,
      requestHeaders: () => (headers instanceof Headers ? headers : headers.all()),
      resHeaders,
      address,
      requestId: headers.get('x-request-id') ?? '',
      ipHash: () => hashAddress(secret, address, now()),
      networks: () => hashNetworks(address),
      viewer: () => {
        viewer ??= readSession(headers.get('cookie')).then((found) => {
          if (found) sessionUse.note(found, now());
          return found;
        });
        return viewer;
      },
    };
  };

/** Creates the services of a process on its database pool; `Options` describes each dependency. */
export function openServices(options: Options): Services {
  const { pool, secret, log } = options;
  const db = openDb(pool);
  const clock = createDatabaseClock(db, (error) => log.warn({ err: error }, 'clock of the database not read'));
  const now = options.now ?? clock.now;
  const auth = createBetterAuth({ pool, publicUrl: options.publicUrl, secret });
  const fixedNow = () => options.now?.() ?? null;
  const hub = new LiveHub(options.config, (error) => log.warn({ err: error }, 'live connection'));
  const configured = configuredBy(options, db, hub);
  const { settings, telegram, mail, configuredPayments, providerNow, voteConfirmedOnly, supportEmail } = configured;
  const throttle = createLoadThrottle();
  const votes = createVoteService(pool, {
    get confirmedOnly() {
      return voteConfirmedOnly();
    },
    fixedNow,
    throttle,
  });
  const media = createMediaService({ db, storage: options.storage, now, fetchImage: options.fetchImage });
  const readSession = createSessionReader(pool, secret, options.publicUrl);
  const sessionUse = createSessionUse(db);
  const jobs = new JobQueue(pool, (error) => log.warn({ err: error }, 'job queue'), secret);
  const paused = () => readPause(pool);
  const service = createPaymentService({
    db,
    jobs,
    get provider() {
      return providerNow();
    },
    requests: {
      async check(tx, requestId, plan) {
        await refuseOffSale(tx, plan);
        return checkForm(tx, { publicUrl: options.publicUrl, payments: { mode: service.mode } }, requestId);
      },
    },
    onOrderChange: createOrEndDeliverables,
    onMoneyReturned: withdrawReturned,
    callbackUrl: () => configuredPayments?.callbackUrl ?? '',
    secret,
    publicUrl: options.publicUrl,
    now,
    warn: (about, message) => log.warn(about, message),
  });
  const payments = pausablePayments(service, async () => (await paused()) !== null);
  const settlement = createSettlement({
    db,
    get provider() {
      return providerNow();
    },
    payments,
    now,
    warn: (about, message) => log.warn(about, message),
  });
  const market = createMarketService({ db, providers: options.market ?? null, now, log });
  const ledger = ledgerOf(options, db, now, throttle);
  const push = createPushService({
    secret,
    get contact() {
      return contactOf(supportEmail(), options.publicUrl);
    },
    transport: options.pushTransport ?? pushServices(),
  });
  const parts: Parts = {
    pool,
    db,
    replica: options.replica ?? null,
    auth,
    votes,
    presence: createPresenceService(pool, now),
    settings,
    hub,
    ledger,
    readSession,
    sessionUse,
    jobs,
    mail,
    media,
    payments,
    push,
    telegram,
    proofs: options.proofs ?? createProofChecks(),
    pageViews: createPageViews(db, (error) => log.warn({ err: error }, 'page views not written')),
    market,
    explorer: options.explorer ?? null,
    settlement,
    voteReview: createVoteReview(db, now, { throttle }),
    paused,
    publicUrl: options.publicUrl,
    supportEmail,
    secret,
    guestForms: {
      draftOf: (header) => draftOfUpload(db, header),
      claimOf: (header) => openClaim(db, header),
    },
    unsubscribe: async (actor, token) =>
      (await stopMails(db, secret, actor, token)) || (await unsubscribe(db, secret, actor, token)),
    now,
    clock,
    fixedNow,
  };
  return { ...parts, contextOf: createContextFactory(options, parts, configured) };
}
