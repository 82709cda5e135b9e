import type pg from 'pg';
import type { Finding } from '#contract/admin/settings.ts';
import type { Db } from '#server/db/client.ts';
import type { Paused } from '#server/db/installation.ts';
import type { Replica } from '#server/db/replica.ts';
import type { BetterAuth } from '#server/domains/auth/auth.port.ts';
import type { LedgerService } from '#server/domains/ledger/ledger.port.ts';
import type { MediaService } from '#server/domains/media/media.port.ts';
import type { PushService } from '#server/domains/notifications/push.port.ts';
import type { TelegramService } from '#server/domains/notifications/telegram/telegram.port.ts';
import type { ProofChecks } from '#server/domains/ownership/ownership.port.ts';
import type { PaymentService } from '#server/domains/payments/payments.port.ts';
import type { PresenceService } from '#server/domains/presence/presence.port.ts';
import type { Settings } from '#server/domains/settings/settings.port.ts';
import type { VoteService } from '#server/domains/voting/voting.port.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import type { Actor } from '#server/lib/audit.ts';
import type { FixedNow } from '#server/lib/clock.ts';
import type { Viewer } from '#server/lib/viewer.ts';
import type { LiveHub } from '#server/live/hub.ts';
import type { MailTransport } from '#server/providers/mail/port.ts';
import type { PaymentProvider } from '#server/providers/payments/port.ts';
import type { NodeHeaders } from './node-headers.ts';
import type { GuestForms } from './uploads/guest-uploads.ts';

/** The context of every procedure: the services of the process, by their interfaces, and the data of one request. */
export interface Context {
  db: Db;
  /** For expensive reads: a replica when there is one, guaranteed to be as new as `db`. */
  reads: Db;
  auth: BetterAuth;
  votes: VoteService;
  presence: PresenceService;
  jobs: JobQueue;
  ledger: LedgerService;
  media: MediaService;
  payments: PaymentService;
  push: PushService;
  telegram: TelegramService;
  /** Checks of published ownership proofs. */
  proofs: ProofChecks;
  settings: Settings;
  /** Bypasses the queue, for test mails. */
  mail: MailTransport;
  /** Bypasses the ledger, for test invoices. */
  paymentProvider: { provider: PaymentProvider | null; callbackUrl: string };
  /** Findings of `florka doctor`. */
  findings: () => Promise<Finding[]>;
  /** The reason why this installation is paused, or null. */
  paused: () => Promise<Paused | null>;
  /** True when providers of market data are queried. */
  marketEnabled: boolean;
  /** Admins and moderators must set up a second factor before they can act as staff. */
  staffSecondFactor: boolean;
  /** Only members with a confirmed mailbox can vote. */
  voteConfirmedOnly: boolean;
  /** With two or more admins, staff must have a passkey, and codes of an app are no longer accepted from members who have one. */
  staffPasskey: boolean;
  /** Root of all keyed hashes and signatures. */
  secret: string;
  publicUrl: string;
  /** Mailbox for support; null when the operator has none. */
  supportEmail: string | null;
  now: () => Date;
  /** The clock for decisions about votes: the database's, except in tests. */
  fixedNow: () => FixedNow;
  /** The caller, read from the session at most once per request. */
  viewer: () => Promise<Viewer | null>;
  /** Headers of the request, as a web-standard object that is built when it is needed. */
  requestHeaders: () => Headers;
  /** Headers of the response, for cookies. */
  resHeaders: Headers;
  /** The client's address as determined by the trusted proxies. */
  address: string;
  // Functions, because the layers of the API copy a context with all of its values, which would compute these for each request.
  /** Keyed hash of the client's address. */
  ipHash: () => Buffer;
  /** The client's IP networks, nearest first, as keyed hashes. */
  networks: () => readonly Buffer[];
  requestId: string;
}

/** Dependencies of the HTTP server. */
export interface HttpServices {
  pool: pg.Pool;
  db: Db;
  /** Null when there is no replica. */
  replica: Replica | null;
  hub: LiveHub;
  settings: Settings;
  ledger: LedgerService;
  media: MediaService;
  /** Resolves the forms of guests that may upload images. */
  guestForms: GuestForms;
  /** Unsubscribes from the mails of a link. @returns false when there is no such link. */
  unsubscribe(actor: Actor, token: string): Promise<boolean>;
  now: () => Date;
  fixedNow: () => FixedNow;
  /** @param visitor set for public reads: `db` is then `reads`. */
  contextOf(headers: Headers | NodeHeaders, resHeaders?: Headers, visitor?: 'visitor'): Context;
}

/** The actor of a request, for the audit. */
export const actorOf = (context: Context, viewer: Viewer | null): Actor => ({
  id: viewer?.id ?? null,
  role: viewer?.role ?? 'visitor',
  get ipHash() {
    return context.ipHash();
  },
  address: viewer && viewer.role !== 'user' ? context.address : null,
  requestId: context.requestId,
});
